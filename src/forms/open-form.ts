import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { TAKES_LONGER, updateOpenView } from '../handlers/answer-when-ready.ts';
import type { Call, OpenedView } from '../handlers/call.ts';
import { within } from '../promises.ts';
import { isViewChangedOrClosed } from '../slack/slack-errors.ts';
import type { ServiceRefusal } from '../submissions/content.ts';
import { applyChange, checkForm } from './current-form.ts';
import { computeInitialValues, findChosenProject, isOptional } from './field.ts';
import type { Form, FormState } from './form.ts';
import { type FormContext, type LoadedForm, type OpenOptions, readSettings } from './form-context.ts';
import {
  LOADING_TITLE,
  renderFormView,
  renderLoadingView,
  renderRefusal,
  renderRetryView,
} from './form-view.ts';
import {
  isSame,
  keepTyped,
  prepareForm,
  readStoredForm,
  type StoredForm,
  selectTypedForms,
  storeForm,
} from './stored-form.ts';

const WAITING_TEXT = `${TAKES_LONGER} Still waiting…`;

/**
 * The view and the form that a new form replaces. Without `view`, the form opens in a new modal. A view with another
 * `hash` by now is replaced only if `isStillValid` resolves with true. With `formId`, the new form continues an earlier
 * form, and only one of the two can be submitted. `refusal`: the service's messages about the values, which the form
 * shows.
 */
export type ReplacedView = {
  view?: { id: string; hash?: string; isStillValid?(): Promise<boolean> };
  formId?: string;
  refusal?: ServiceRefusal | undefined;
};

/**
 * How long a new form may take before a loading view is opened in its place, because Slack's trigger expires after three
 * seconds. Most forms take less, and are opened at once.
 */
const LOADING_DELAY_MS = 200;

/**
 * Opens a form. If it takes longer, first opens a loading view, before the trigger expires. Resolves with false if the
 * view that it should replace was changed or closed.
 */
export async function openForm(
  form: Form,
  call: Call,
  options: OpenOptions,
  replaced: ReplacedView = {},
): Promise<boolean> {
  const { formId = randomUUID(), refusal } = replaced;
  let isStored = false;
  const store = async (content: StoredForm) => {
    await storeForm(form, call, formId, content);
    isStored = true;
  };
  const { unfinished, onSubmit } = form;
  const settings =
    unfinished && 'kind' in onSubmit && replaced.formId === undefined
      ? readSettings(call, options.channel, {
          typedForms: selectTypedForms(form, call),
          kind: onSubmit.kind.name,
        })
      : undefined;
  const pendingForm =
    replaced.formId === undefined
      ? prepareForm(form, call, formId, options, settings)
      : // It keeps its typed values, because it may be closed before they change.
        readStoredForm(form, call, formId).then((earlier) => ({ ...options, typed: earlier?.typed }));
  const loadResult = form.contextLoader.load(call, options, settings);
  // Prevents unhandled rejections during the acknowledgement. They are awaited after it, and a failure is handled.
  for (const promise of [settings, pendingForm, loadResult]) promise?.catch(() => undefined);
  await call.acknowledge();
  const showView = createViewUpdater(call, replaced.view);
  const loadingView = renderLoadingView();
  // Nobody should go on typing into a form that is being replaced.
  if (replaced.view && !(await showView(loadingView))) return false;
  // If Slack refuses to open this view, the next one fails too, and that failure is handled.
  const showLoading = () => void showView(loadingView).catch(() => undefined);
  const loadingTimer = replaced.view ? undefined : setTimeout(showLoading, LOADING_DELAY_MS);
  const showLoaded: UpdateView = (view) => {
    clearTimeout(loadingTimer);
    return showView(view);
  };
  /** Shows [Try again], which opens the stored form again. The person may see the form itself, and send that. */
  const showRetry = async (text: string, title?: string) => {
    if (!isStored) await store(await pendingForm);
    return showLoaded(renderRetryView(form, formId, text, title));
  };
  try {
    const earlyResult = await within(call.context.pace.slowNoticeDelayMs, loadResult);
    if (!earlyResult && !(await showRetry(WAITING_TEXT, LOADING_TITLE))) return true;
    const result = earlyResult ?? (await loadResult);
    if ('failureText' in result) await showRetry(result.failureText);
    else {
      const stored = await pendingForm;
      const { content, view } = await renderOpened(form, call, result, { formId, options, refusal, stored });
      await store(content);
      await showLoaded(view);
    }
    return true;
  } catch (error) {
    const view = renderRetryView(form, formId, 'I couldn’t open the form.');
    await showRetry('I couldn’t open the form.').catch(() => showLoaded(view));
    throw error;
  }
}

/** Renders a form whose context is loaded, and returns what is stored of it. */
async function renderOpened(
  form: Form,
  call: Call,
  loaded: LoadedForm<FormContext>,
  opened: { formId: string; options: OpenOptions; refusal?: ServiceRefusal | undefined; stored: StoredForm },
): Promise<{ content: StoredForm; view: ModalView }> {
  const { formId, options, refusal, stored } = opened;
  const prefill = { ...options.prefill, ...loaded.prefill };
  const values = computeInitialValues(form.fields, prefill, loaded.formContext);
  const isTyped = options.typed !== undefined;
  let { state } = applyChange(form, { values, formContext: loaded.formContext, now: call.now() });
  if (isTyped && form.refreshContext) {
    // A form that was typed in a line may be submitted as it opens.
    const formContext = await form.refreshContext(state, call, { formId });
    state = applyChange(form, { ...state, formContext }).state;
  }
  const content = {
    ...stored,
    ...{ formContext: state.formContext, project: findChosenProject(state.values) },
    ...(form.keepsHiddenValues && { latestValues: state.values }),
  };
  const view = renderFormView(form, {
    ...{ formId, blockVersions: {}, state, offer: stored.offer, isOpening: true },
    ...(isTyped && { warnings: findMissing(form, state) }),
    ...(refusal && renderRefusal(refusal, form, state)),
  });
  // The typed words keep the meaning that they have now.
  return { content: isTyped ? keepTyped(form, content, state) : content, view };
}

/** Finds the errors of required fields that are empty, except of the one with the focus, which people fill in next anyway. */
function findMissing(form: Form, state: FormState): Record<string, string> {
  const checkResult = checkForm(form, state);
  const errors = checkResult.kind === 'invalid' ? checkResult.errors : {};
  const focusedField = form.findFocusedField?.(state);
  const requiredFields: readonly string[] = form.findRequiredFields?.(state) ?? [];
  const isMissing = (name: string) => {
    const field = form.fields[name];
    const isRequired = field && !isOptional(field, requiredFields.includes(name));
    return isRequired === true && isSame(state.values[name], field?.emptyValue);
  };
  return Object.fromEntries(
    Object.entries(errors).flatMap(([name, error]) =>
      error !== undefined && name !== focusedField && isMissing(name) ? [[name, error]] : [],
    ),
  );
}

type UpdateView = (view: ModalView) => Promise<boolean>;

/**
 * Creates a function that shows views: the first one opens a modal, or replaces the open view, and the next ones update
 * it. It resolves with false if another request changed or closed the view. If the first view can't be shown, no other
 * can.
 */
function createViewUpdater(call: Call, replaced: ReplacedView['view']): UpdateView {
  let shown: Promise<OpenedView> | undefined = replaced && Promise.resolve(replaced);
  let isStillValid = replaced?.isStillValid;
  return async (view) => {
    try {
      if (!shown) {
        shown = call.openView(view, { isForm: true });
        await shown;
        return true;
      }
      const { id, hash } = await shown;
      const updated = await updateOpenView(call.client, id, view, { hashes: [hash], isStillValid });
      if (!updated) return false;
      shown = Promise.resolve(updated);
      isStillValid = undefined;
      return true;
    } catch (error) {
      // The view on top of which it should open.
      if (isViewChangedOrClosed(error)) return false;
      throw error;
    }
  };
}
