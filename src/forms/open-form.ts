import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import type { Call, OpenedView } from '../app/call.ts';
import { isViewChangedOrClosed } from '../slack/slack-errors.ts';
import type { ServiceRefusal } from '../submissions/content.ts';
import { within } from '../within.ts';
import { applyChange } from './current-form.ts';
import { computeInitialValues, findChosenProject } from './field.ts';
import type { Form } from './form.ts';
import type { FormContext, LoadResult, OpenOptions } from './form-context.ts';
import { renderFormView, renderLoadingView } from './form-view.ts';
import { renderRefusal } from './refusals.ts';
import { findUnfinishedForm, reopenUnfinishedForm, storeForm, type UnfinishedOffer } from './stored-form.ts';

const SLOW_SERVICE_TEXT = 'The scheduling service is slow. Still waiting…';

/**
 * The view and the form that a new form replaces. Without `viewId`, the form opens in a new modal. With `formId`, the
 * new form continues an earlier form, and only one of the two can be submitted. `refusal`: the service's messages about
 * the values, which the form shows.
 */
export type ReplacedView = {
  viewId?: string;
  formId?: string;
  refusal?: ServiceRefusal | undefined;
};

/** Opens a loading view before the trigger expires, and replaces it with the form after the form context has loaded. */
export async function openForm(
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
  const loadResult = Promise.all([
    form.contextLoader.load(call, options),
    // A form that continues an earlier form doesn't offer another unfinished form.
    replaced.formId === undefined
      ? findUnfinishedForm(form, call)
      : reopenUnfinishedForm(form, call, formId).then(() => undefined),
    storeForm(form, call, formId, options),
  ]).then(([result, offer]) => ({ ...result, ...(offer && { offer }) }));
  // Prevents an unhandled rejection while the loading view opens. `loadAndShow` awaits this promise and handles a
  // failure.
  loadResult.catch(() => undefined);
  const [{ id: viewId, hash }] = await Promise.all([openedView, call.acknowledge()]);
  const updateView = createViewUpdater(call, viewId, hash);
  try {
    await loadAndShow(form, call, { formId, options, refusal, loadResult, updateView });
  } catch (error) {
    await updateView(renderLoadingView(form, 'I couldn’t open the form.', { formId }));
    throw error;
  }
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
    updateView,
  }: {
    formId: string;
    options: OpenOptions;
    refusal: ServiceRefusal | undefined;
    loadResult: Promise<LoadResult<FormContext> & { offer?: UnfinishedOffer }>;
    updateView: UpdateView;
  },
): Promise<void> {
  const earlyResult = await within(call.context.pace.slowNoticeDelayMs, loadResult);
  if (!earlyResult && !(await updateView(renderLoadingView(form, SLOW_SERVICE_TEXT, { formId })))) return;
  const result = earlyResult ?? (await loadResult);
  if ('failureText' in result) {
    await updateView(renderLoadingView(form, result.failureText, { formId }));
    return;
  }
  const values = computeInitialValues(
    form.fields,
    { ...options.prefill, ...result.prefill },
    result.formContext,
  );
  const { state } = applyChange(form, { values, formContext: result.formContext, now: call.now() });
  const project = findChosenProject(state.values);
  const { offer } = result;
  await storeForm(form, call, formId, { ...options, formContext: state.formContext, project, offer });
  await updateView(
    renderFormView(form, {
      formId,
      blockVersions: {},
      state,
      offer,
      isOpening: true,
      ...(refusal && renderRefusal(refusal, form.fields, state.formContext)),
    }),
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
