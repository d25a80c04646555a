import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import type { ActionCall, Call, OpenedView, Prefill, SubmissionCall } from '../handlers/call.ts';
import type { Feature } from '../handlers/feature.ts';
import { isViewChangedOrClosed } from '../slack/slack-errors.ts';
import { decryptSubmission, type ServiceRefusal } from '../submissions/content.ts';
import type { AnyKind } from '../submissions/kind.ts';
import { findOwnSubmissionOfKind } from '../submissions/sql/submissions.ts';
import { within } from '../within.ts';
import { applyChange, checkForm, readCurrentForm } from './current-form.ts';
import { buildActionId, computeInitialValues, type Fields, findChosenProject } from './field.ts';
import type { Form, FormState } from './form.ts';
import type { FormContext, LoadResult, OpenOptions } from './form-context.ts';
import { CONFIRM, CONTINUE, DISCARD, RELOAD, renderFormView, renderLoadingView } from './form-view.ts';
import { answerAfterHandlers, handleButtonPress, runInForm, updateLiveForm } from './live-form.ts';
import { buildSubmissionKinds, renderRefusal } from './refusals.ts';
import { searchOptions } from './search.ts';
import {
  changeStoredForm,
  endTyped,
  findUnfinishedForm,
  isSame,
  keepTyped,
  readStoredForm,
  readUnfinishedForm,
  type StoredForm,
  startTyped,
  storeForm,
} from './stored-form.ts';
import { submitForm } from './submit-form.ts';

type Handlers = Required<Pick<Feature, 'views' | 'actions' | 'options'>>;

/** The handlers of a form, for its feature's entry in the catalogue. */
export interface FormHandlers extends Handlers {
  /** Empty if the form creates no submissions. */
  submissions: readonly AnyKind[];
  /** Opens a new form. */
  openForm(call: Call, options?: OpenOptions, replaced?: ReplacedView): Promise<void>;
  /**
   * Implements `Feature.open`. The prefill `{ submission: id }` reopens a stored submission, with `message` for the
   * message with the pressed button (its ts). Any other prefill contains text by field.
   */
  open: NonNullable<Feature['open']>;
  /** Opens a stored form again, in place of the open view if there is one. Resolves with false if it isn't stored. */
  reopenForm(call: ActionCall, formId: string): Promise<boolean>;
}

/** Creates the handlers of a form. */
export function createForm(form: Form): FormHandlers {
  requireLiveProject(form);
  const { getSubmitRole } = form;
  const openNewForm: FormHandlers['openForm'] = (call, options = {}, replaced = {}) => {
    const channelOption = call.channel === undefined ? {} : { channel: call.channel };
    return openForm(form, call, { ...channelOption, ...options }, replaced);
  };
  return {
    submissions: buildSubmissionKinds(form),
    openForm: openNewForm,
    reopenForm: (call, formId) => reopenForm(form, call, formId),
    open: {
      deed: `open the ${form.noun}`,
      async run(call, prefill) {
        if (prefill.submission !== undefined)
          return reopenSubmission(form, call, prefill.submission, prefill.message);
        await openNewForm(call, { prefill: parsePrefillValues(form.fields, prefill) });
      },
    },
    views: {
      [form.name]: {
        deed: `submit the ${form.noun}`,
        ...(getSubmitRole && { role: ({ values }) => getSubmitRole(values) }),
        run: (call) => submitForm(form, answerAfterHandlers(call)),
      },
      ...(form.createConfirmation && {
        [buildActionId(form.name, CONFIRM)]: {
          deed: `confirm the ${form.noun}`,
          run: (call) => submitForm(form, closeFormWithAnswer(call)),
        },
      }),
    },
    actions: createActions(form),
    options: Object.fromEntries(
      Object.entries(form.fields)
        .filter(([, { search }]) => search !== undefined)
        .map(([name]) => [
          buildActionId(form.name, name),
          { deed: `fill in the ${form.noun}`, run: (call) => searchOptions(form, name, call) },
        ]),
    ),
  };
}

/** The form stays open below its confirmation, so closing a view that replaces the confirmation closes the form too. */
function closeFormWithAnswer(call: SubmissionCall): SubmissionCall {
  return {
    ...call,
    answer: (response) =>
      call.answer('view' in response ? { view: { ...response.view, clear_on_close: true } } : response),
  };
}

function createActions(form: Form): Handlers['actions'] {
  const liveFields = Object.entries(form.fields).filter(([, { isLive }]) => isLive);
  const functions: Record<string, (call: ActionCall) => Promise<void>> = {
    ...Object.fromEntries(liveFields.map(([name]) => [name, (call) => updateLiveForm(form, call)])),
    ...Object.fromEntries(
      Object.entries(form.buttonHandlers ?? {}).map(([name, handler]) => [
        name,
        (call) => handleButtonPress(form, call, handler),
      ]),
    ),
    [RELOAD]: (call) => handleReload(form, call),
    ...(form.unfinished && {
      [CONTINUE]: (call) => continueUnfinishedForm(form, call),
      [DISCARD]: (call) => discardUnfinishedForm(form, call),
    }),
  };
  return Object.fromEntries(
    Object.entries(functions).map(([name, handle]) => [
      buildActionId(form.name, name),
      { deed: `fill in the ${form.noun}`, run: (call) => runInForm(call, () => handle(call)) },
    ]),
  );
}

/**
 * Throws if a field's options depend on the project, but the project field isn't live. Slack reports the changes of
 * live fields only.
 */
function requireLiveProject({ name, fields }: { name: string; fields: Fields }): void {
  const dependent = Object.keys(fields).find((field) => fields[field]?.usesProject);
  if (dependent !== undefined && fields.project && !fields.project.isLive)
    throw new Error(`${name}: "${dependent}" is searched by project, so "project" must be live`);
}

function parsePrefillValues(fields: Fields, prefill: Prefill): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(prefill).map(([name, text]) => [name, fields[name]?.parsePrefill?.(text)]),
  );
}

/** Handles [Try again] on a form that could not be loaded. */
async function handleReload(form: Form, call: ActionCall): Promise<void> {
  const isOpen = await reopenForm(form, call, call.action.value ?? '');
  if (!isOpen) await openForm(form, call, {}, call.view && { viewId: call.view.id });
}

async function reopenForm(form: Form, call: ActionCall, formId: string): Promise<boolean> {
  const stored = await readStoredForm(form, call, formId);
  if (!stored) return false;
  const { channel, message = call.message, typed } = stored;
  const prefill = typed?.prefill ?? stored.prefill;
  const options = {
    ...(channel !== undefined && { channel }),
    ...(message && { message }),
    ...(prefill && { prefill }),
  };
  await openForm(form, call, options, { ...(call.view && { viewId: call.view.id }), formId });
  return true;
}

/**
 * Handles [Continue]. The unfinished form replaces the open one, whose typed values are stored, so that they
 * are offered next. Without stored values, only the offer disappears.
 */
async function continueUnfinishedForm(form: Form, call: ActionCall): Promise<void> {
  const formId = call.action.value ?? '';
  const options = await readUnfinishedForm(form, call, formId);
  if (!call.view || !options) return removeOffer(form, call);
  const current = await readCurrentForm(form, call, call.view);
  if (current)
    await changeStoredForm(form, call, current.formId, (stored) => keepTyped(form, stored, current.state));
  await openForm(form, call, options, { viewId: call.view.id, formId });
}

/** Handles [Discard]. Deletes the values of the unfinished form. */
async function discardUnfinishedForm(form: Form, call: ActionCall): Promise<void> {
  const end = { now: call.now(), isDiscarded: true };
  await changeStoredForm(form, call, call.action.value ?? '', (stored) => endTyped(form, stored, end));
  await removeOffer(form, call);
}

async function removeOffer(form: Form, call: ActionCall): Promise<void> {
  const current = call.view && (await readCurrentForm(form, call, call.view));
  if (!call.view || !current) return;
  await changeStoredForm(form, call, current.formId, ({ offer: _, ...stored }) => stored);
  const view = renderFormView(form, current);
  await call.client.views.update({ view_id: call.view.id, view });
}

const NOT_NOW_TEXT = 'The service may have this post, so it can’t be edited now. See `/upnext outbox`.';

/** Reopens a submission in its form. Only the author of the submission may reopen it. */
async function reopenSubmission(form: Form, call: Call, id: string, pressedTs?: string): Promise<void> {
  const { onSubmit } = form;
  if ('respond' in onSubmit) throw new Error(`${form.name} stores no submissions`);
  const { workspace, user: author } = call.actor;
  const row = await findOwnSubmissionOfKind(call.context.db, {
    id,
    workspace,
    author,
    kind: onSubmit.kind.name,
  });
  if (!row || row.content === null) return call.reply({ text: 'This isn’t yours, or it’s too old.' });
  const takenBack = await call.context.heldPosts.takeBack(row);
  if (takenBack.kind === 'held') return call.openFeature(onSubmit.kind.feature, { held: takenBack.id });
  if (takenBack.kind === 'not-now') return call.reply({ text: NOT_NOW_TEXT });
  const { content, channel } = decryptSubmission(call.context, onSubmit.kind, row);
  const { message_channel: messageChannel, message_ts: ts } = row;
  const options = {
    ...(channel !== undefined && { channel }),
    ...(messageChannel !== null &&
      ts !== null &&
      ts === pressedTs && { message: { channel: messageChannel, ts } }),
    prefill: onSubmit.toValues(content),
  };
  await openForm(form, call, options, { formId: id });
}

const SLOW_SERVICE_TEXT = 'The scheduling service is slow. Still waiting…';

/**
 * The view and the form that a new form replaces. Without `viewId`, the form opens in a new modal. With `formId`, the
 * new form continues an earlier form, and only one of the two can be submitted. `refusal`: the service's messages about
 * the values, which the form shows.
 */
type ReplacedView = {
  viewId?: string;
  formId?: string;
  refusal?: ServiceRefusal | undefined;
};

/** Opens a loading view before the trigger expires, and replaces it with the form after the form context has loaded. */
async function openForm(
  form: Form,
  call: Call,
  options: OpenOptions,
  replaced: ReplacedView = {},
): Promise<void> {
  const loadingView = renderLoadingView(form, 'Loading…');
  const openedView =
    replaced.viewId === undefined
      ? call.openView(loadingView, { isForm: true })
      : updateOpenView(call, replaced.viewId, loadingView);
  const { formId = randomUUID(), refusal } = replaced;
  const pendingForm =
    replaced.formId === undefined
      ? prepareForm(form, call, formId, options)
      : readContinuedForm(form, call, formId, options);
  const loadResult = form.contextLoader.load(call, options);
  // Prevents unhandled rejections while the loading view opens. `loadAndShow` awaits both, and handles a failure.
  for (const promise of [pendingForm, loadResult]) promise.catch(() => undefined);
  const [{ id: viewId, hash }] = await Promise.all([openedView, call.acknowledge()]);
  const updateView = createViewUpdater(call, viewId, hash);
  let isStored = false;
  const store = async (content: StoredForm) => {
    await storeForm(form, call, formId, content);
    isStored = true;
  };
  /** Shows [Try again], which opens the stored form again. The person may see the form itself, and send that. */
  const showRetry = async (text: string) => {
    if (!isStored) await store(await pendingForm);
    return updateView(renderLoadingView(form, text, { formId }));
  };
  try {
    await loadAndShow(form, call, {
      formId,
      options,
      refusal,
      loadResult,
      pendingForm,
      store,
      updateView,
      showRetry,
    });
  } catch (error) {
    const view = renderLoadingView(form, 'I couldn’t open the form.', { formId });
    await showRetry('I couldn’t open the form.').catch(() => updateView(view));
    throw error;
  }
}

/**
 * What is stored of a new form. The words of a typed line are stored at once, because nobody may see the form that they
 * open: the trigger may have expired.
 */
async function prepareForm(
  form: Form,
  call: Call,
  formId: string,
  { typed, prefill, ...options }: OpenOptions,
): Promise<StoredForm> {
  const content = {
    ...options,
    ...(prefill && (typed === undefined ? { prefill } : startTyped(prefill, typed, call.now()))),
  };
  const [offer] = await Promise.all([
    findUnfinishedForm(form, call, formId),
    typed !== undefined && storeForm(form, call, formId, content),
  ]);
  return { ...content, offer };
}

/** Reads what a form that is opened again keeps: its typed values, because it may be closed before they change. */
async function readContinuedForm(
  form: Form,
  call: Call,
  formId: string,
  options: OpenOptions,
): Promise<StoredForm> {
  const earlier = await readStoredForm(form, call, formId);
  return { ...options, typed: earlier?.typed };
}

async function updateOpenView({ client }: Call, id: string, view: ModalView): Promise<OpenedView> {
  const { view: updated } = await client.views.update({ view_id: id, view });
  return { id, ...(updated?.hash !== undefined && { hash: updated.hash }) };
}

type UpdateView = (view: ModalView) => Promise<boolean>;

async function loadAndShow(
  form: Form,
  call: Call,
  {
    formId,
    options,
    refusal,
    loadResult,
    pendingForm,
    store,
    updateView,
    showRetry,
  }: {
    formId: string;
    options: OpenOptions;
    refusal: ServiceRefusal | undefined;
    loadResult: Promise<LoadResult<FormContext>>;
    pendingForm: Promise<StoredForm>;
    store(content: StoredForm): Promise<void>;
    updateView: UpdateView;
    showRetry(text: string): Promise<boolean>;
  },
): Promise<void> {
  const earlyResult = await within(call.context.pace.slowNoticeDelayMs, loadResult);
  if (!earlyResult && !(await showRetry(SLOW_SERVICE_TEXT))) return;
  const result = earlyResult ?? (await loadResult);
  if ('failureText' in result) {
    await showRetry(result.failureText);
    return;
  }
  const values = computeInitialValues(
    form.fields,
    { ...options.prefill, ...result.prefill },
    result.formContext,
  );
  const isTyped = options.typed !== undefined;
  const opening = applyChange(form, { values, formContext: result.formContext, now: call.now() });
  const state = isTyped ? await refreshState(form, call, opening.state) : opening.state;
  const project = findChosenProject(state.values);
  const stored = await pendingForm;
  const opened = { ...stored, formContext: state.formContext, project };
  // The typed words keep the meaning that they have now.
  await store(isTyped ? keepTyped(form, opened, state) : opened);
  await updateView(
    renderFormView(form, {
      formId,
      blockVersions: {},
      state,
      offer: stored.offer,
      isOpening: true,
      ...(isTyped && { warnings: findMissing(form, state) }),
      ...(refusal && renderRefusal(refusal, form.fields, state.formContext)),
    }),
  );
}

/** Refreshes the context of a form that was typed in a line, and may be submitted as it opens. */
async function refreshState(form: Form, call: Call, state: FormState): Promise<FormState> {
  const formContext = (await form.refreshContext?.(state, call)) ?? state.formContext;
  return applyChange(form, { ...state, formContext }).state;
}

/** Finds the errors of the fields that are still empty. The field that has the focus asks for its value by itself. */
function findMissing(form: Form, state: FormState): Record<string, string> {
  const checkResult = checkForm(form, state);
  const errors = checkResult.kind === 'invalid' ? checkResult.errors : {};
  const focusedField = form.findFocusedField?.(state);
  return Object.fromEntries(
    Object.entries(errors).flatMap(([name, error]) =>
      error !== undefined &&
      name !== focusedField &&
      isSame(state.values[name], form.fields[name]?.emptyValue)
        ? [[name, error]]
        : [],
    ),
  );
}

/**
 * Creates a function that updates a view and returns true. Returns false if another request changed or closed the view.
 */
function createViewUpdater({ client }: Call, viewId: string, initialHash: string | undefined): UpdateView {
  let hash = initialHash;
  return async (view) => {
    try {
      const updated = await client.views.update({
        view_id: viewId,
        view,
        ...(hash !== undefined && { hash }),
      });
      hash = updated.view?.hash;
      return true;
    } catch (error) {
      if (isViewChangedOrClosed(error)) return false;
      throw error;
    }
  };
}
