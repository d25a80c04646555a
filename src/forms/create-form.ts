import type { ModalView } from '@slack/types';
import type { ActionCall, Call, SubmissionCall } from '../handlers/call.ts';
import type { Command, Feature } from '../handlers/feature.ts';
import { findActorsSubmission } from '../handlers/show-submission.ts';
import { takeBack } from '../held-posts/hand-over/outcome.ts';
import { BUTTON_UNAVAILABLE } from '../slack/message.ts';
import { decryptRefusal, decryptSubmission } from '../submissions/content.ts';
import type { AnyKind } from '../submissions/kind.ts';
import { readCurrentForm } from './current-form.ts';
import { buildActionId, computeInitialValues, type Fields } from './field.ts';
import type { Form } from './form.ts';
import type { OpenOptions } from './form-context.ts';
import { CONFIRM, CONTINUE, DISCARD, RELOAD, renderRefusedForm } from './form-view.ts';
import { searchOptions } from './inputs/searched.ts';
import {
  answerAfterHandlers,
  handleButtonPress,
  readUnanswered,
  runInForm,
  updateLiveForm,
} from './live-form.ts';
import { openForm, type ReplacedView } from './open-form.ts';
import {
  applyAction,
  changeStoredForm,
  endTyped,
  findUnfinishedForm,
  keepTyped,
  parseFormId,
  readStoredForm,
  readUnfinishedForm,
  selectTypedForms,
  toSubmittedAt,
} from './stored-form.ts';
import { submitForm } from './submit-form.ts';

type Handlers = Required<Pick<Feature, 'views' | 'actions' | 'options'>>;

/** The handlers of a form. A feature whose `open` opens the form spreads them before handlers of its own. */
export interface FormHandlers extends Handlers {
  /** Empty if the form creates no submissions. */
  submissions: readonly AnyKind[];
  /** The properties of a command that only opens a new form. */
  command: Pick<Command, 'opensForm' | 'deed' | 'run'>;
  openForm(call: Call, options?: OpenOptions, replaced?: ReplacedView): Promise<void>;
  /** Opens a new form in place of the form with the pressed button, but not of the answer to its submission. */
  replaceForm(call: ActionCall, options: OpenOptions): Promise<void>;
  /**
   * Implements `Feature.open`. The prefill `{ submission: id }` reopens a stored submission, with `message` for the
   * message with the pressed button (its ts). Any other prefill contains text by field.
   */
  open: NonNullable<Feature['open']>;
  /** Opens a stored form again, in place of the open view if there is one. Resolves with false if it isn't stored. */
  reopenForm(call: ActionCall, formId: string): Promise<boolean>;
}

export function createForm(form: Form): FormHandlers {
  requireLiveProject(form);
  const { getSubmitRole } = form;
  const storesEntry = 'kind' in form.onSubmit;
  const openNewForm: FormHandlers['openForm'] = async (call, options = {}, replaced = {}) => {
    await openForm(form, call, { ...options, channel: options.channel ?? call.channel }, replaced);
  };
  return {
    submissions: buildSubmissionKinds(form),
    openForm: openNewForm,
    replaceForm: (call, options) => replaceForm(form, call, options),
    command: { opensForm: true, deed: `open the ${form.noun}`, run: (call) => openNewForm(call) },
    reopenForm: (call, formId) => reopenForm(form, call, formId),
    open: {
      deed: `open the ${form.noun}`,
      async run(call, prefill) {
        if (prefill.submission !== undefined)
          return reopenSubmission(form, call, prefill.submission, prefill.message);
        await openNewForm(call, {
          prefill: Object.fromEntries(
            Object.entries(prefill).flatMap(([name, text]) =>
              text === undefined ? [] : [[name, form.fields[name]?.parsePrefill?.(text)]],
            ),
          ),
        });
      },
    },
    views: {
      [form.name]: {
        deed: `submit the ${form.noun}`,
        ...(getSubmitRole && { role: ({ values }) => getSubmitRole(values) }),
        storesEntry,
        run: (call) => submitForm(form, answerAfterHandlers(call)),
      },
      ...(form.createConfirmation && {
        [buildActionId(form.name, CONFIRM)]: {
          deed: `confirm the ${form.noun}`,
          storesEntry,
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

/** Builds the kinds of submission of a form. Each kind can rebuild the form after its view was closed. */
function buildSubmissionKinds(form: Form): readonly AnyKind[] {
  const { onSubmit } = form;
  if ('respond' in onSubmit) return [];
  const { kind, toValues } = onSubmit;
  const rebuildableKind: AnyKind = {
    ...kind,
    async rebuildForm(context, [row, ...otherRows], refusal): Promise<ModalView | undefined> {
      if (!row) return undefined;
      const actor = { workspace: row.workspace, user: row.author };
      const owner = { context, actor, now: () => context.now };
      const stored = await readStoredForm(form, owner, row.origin);
      const storedContext = form.contextLoader.schema.safeParse(stored?.formContext).data;
      if (!stored || !storedContext) return undefined;
      const { unconfirmed } = stored;
      // A refusal is a response of the service, so the service is reachable again.
      const formContext = { ...storedContext, isFromCache: false };
      // A row contains only one of the form's moments. The values of a form with several moments were stored before
      // they were sent.
      const storedValues =
        otherRows.length === 0 ? toValues(decryptSubmission(context, kind, row).content) : unconfirmed;
      if (!storedValues) return undefined;
      const values = computeInitialValues(form.fields, storedValues, formContext);
      return renderRefusedForm(form, { values, formContext, now: context.now }, { row, refusal });
    },
  };
  return [rebuildableKind];
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

/** Throws if a field's options depend on a project field that isn't live, whose changes Slack doesn't report. */
function requireLiveProject({ name, fields }: { name: string; fields: Fields }): void {
  const dependent = Object.keys(fields).find((field) => fields[field]?.usesProject);
  if (dependent !== undefined && fields.project && !fields.project.isLive)
    throw new Error(`${name}: "${dependent}" is searched by project, so "project" must be live`);
}

/** Handles [Try again] on a form that could not be loaded. */
async function handleReload(form: Form, call: ActionCall): Promise<void> {
  const isOpen = await reopenForm(form, call, call.action.value ?? '');
  if (!isOpen) await replaceForm(form, call, {});
}

async function reopenForm(form: Form, call: ActionCall, formId: string): Promise<boolean> {
  const stored = await readStoredForm(form, call, formId);
  if (!stored) return false;
  const { channel, message = call.message, typed } = stored;
  const prefill = typed?.prefill ?? stored.prefill;
  const options = { channel, message, prefill };
  await replaceForm(form, call, options, formId);
  return true;
}

/**
 * Opens a form in place of the view with the pressed button, if there is one. The view may have changed since the press:
 * a form in it is replaced, but not the answer to its submission.
 */
async function replaceForm(
  form: Form,
  call: ActionCall,
  options: OpenOptions,
  formId?: string,
): Promise<void> {
  const { view } = call;
  const replacedId = view && parseFormId(form.version, view.metadata);
  const isStillValid = async () =>
    replacedId !== undefined && (await readUnanswered(form, call, replacedId)) !== undefined;
  const replaced = {
    ...(view && { view: { ...view, isStillValid } }),
    ...(formId !== undefined && { formId }),
  };
  const isReplaced = await openForm(form, call, options, replaced);
  // Late presses in the replaced form must not bring it back in place of the new one's answer.
  const end = { submittedAt: toSubmittedAt(call, { staysOpen: false }) };
  if (isReplaced && replacedId !== undefined && replacedId !== formId)
    await changeStoredForm(form, call, replacedId, (stored) => ({ ...stored, ...end }));
}

/**
 * Handles [Continue]. The unfinished form replaces the open one, whose typed values are stored, so that they
 * are offered next. Without stored values, the form shows the next offer.
 */
async function continueUnfinishedForm(form: Form, call: ActionCall): Promise<void> {
  const formId = call.action.value ?? '';
  const options = await readUnfinishedForm(form, call, formId);
  const { view } = call;
  if (!view || !options) return showNextOffer(form, call);
  const current = await readCurrentForm(form, call, view);
  if (current) {
    const keep = applyAction(form, call.action, (stored) => keepTyped(form, stored, current.state));
    await changeStoredForm(form, call, current.formId, keep, current.stored);
  }
  await replaceForm(form, call, options, formId);
}

/** Handles [Discard]. Deletes the values of the unfinished form, and offers the one before it. */
async function discardUnfinishedForm(form: Form, call: ActionCall): Promise<void> {
  const end = { now: call.now(), isDiscarded: true };
  await changeStoredForm(form, call, call.action.value ?? '', (stored) => endTyped(form, stored, end));
  await showNextOffer(form, call);
}

async function showNextOffer(form: Form, call: ActionCall): Promise<void> {
  const formId = call.view && parseFormId(form.version, call.view.metadata);
  if (formId === undefined) return;
  const { rows } = await selectTypedForms(form, call).execute(call.context.db);
  const offer = await findUnfinishedForm(form, call, formId, rows);
  // The offer is no value of the form: a later action's form shows it too.
  await changeStoredForm(form, call, formId, (stored) => ({ ...stored, offer }));
  await handleButtonPress(form, call, () => ({}));
}

const NOT_NOW_TEXT = 'The service may have this post, so it can’t be edited now. See `/upnext outbox`.';

/** Reopens a submission in its form. Only the author of the submission may reopen it. */
async function reopenSubmission(form: Form, call: Call, id: string, pressedTs?: string): Promise<void> {
  const { onSubmit } = form;
  if ('respond' in onSubmit) throw new Error(`${form.name} stores no submissions`);
  const row = await findActorsSubmission(call, onSubmit.kind, id);
  if (!row || row.content === null) return call.reply(BUTTON_UNAVAILABLE);
  const takenBack = await takeBack(call.context.heldPosts, row);
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
  const { encryption } = call.context;
  const refusal = row.state === 'refused' ? decryptRefusal({ encryption, log: call.log }, row) : undefined;
  // Another refusal concerns no field, and is where the form was opened.
  await openForm(form, call, options, { formId: id, ...(refusal?.kind === 'invalid' && { refusal }) });
}
