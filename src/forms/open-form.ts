import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { Call } from '../app/call.ts';
import { isViewGone } from '../slack/slack-errors.ts';
import { applyChange, countEqualInBackground } from './current-form.ts';
import { chosenProject, prefillFields } from './field.ts';
import type { Form } from './form.ts';
import type { FormContext, LoadResult, OpenOptions } from './form-context.ts';
import { formView, loadingView } from './form-view.ts';
import { storeForm } from './stored-form.ts';

const SLOW = 'The scheduling service is slow to answer. I am still waiting.';

/**
 * What the form replaces. With `viewId` it replaces that open view; otherwise it opens a new modal for the trigger.
 * With `formId` it continues an earlier form, and only one of the two can be sent.
 */
export type ReplacedView = { viewId?: string; formId?: string };

/** Opens a loading view before the trigger expires, and replaces it with the form when its context has loaded. */
export async function openForm(
  form: Form,
  call: Call,
  options: OpenOptions,
  replaced: ReplacedView = {},
): Promise<void> {
  const loading = loadingView(form, 'Loading…');
  const opening =
    replaced.viewId === undefined
      ? call.client.views.open({ trigger_id: call.trigger ?? '', view: loading })
      : call.client.views.update({ view_id: replaced.viewId, view: loading });
  const { formId = randomUUID() } = replaced;
  // A failure is shown once the view is open.
  const loads = Promise.all([
    form.contextLoader.load(call, options),
    storeForm(form, call, formId, options),
  ]).then(([result]) => result);
  loads.catch(() => undefined);
  const [{ view }] = await Promise.all([opening, call.acknowledge()]);
  const show = createViewUpdater(call, view?.id ?? '', view?.hash);
  try {
    await fill(form, call, { formId, options, loads, show });
  } catch (error) {
    await show(loadingView(form, 'The form could not be opened.', { formId }));
    throw error;
  }
}

type Show = (view: ModalView) => Promise<boolean>;

async function fill(
  form: Form,
  call: Call,
  {
    formId,
    options,
    loads,
    show,
  }: { formId: string; options: OpenOptions; loads: Promise<LoadResult<FormContext>>; show: Show },
): Promise<void> {
  const slow = delay(call.context.pace.slowMs, undefined, { ref: false });
  const early = await Promise.race([loads, slow]);
  if (!early && !(await show(loadingView(form, SLOW, { formId })))) return;
  const result = early ?? (await loads);
  if ('trouble' in result) {
    await show(loadingView(form, result.trouble, { formId }));
    return;
  }
  const typed = prefillFields(form.fields, { ...options.prefill, ...result.prefill }, result.formContext);
  const { state } = applyChange(form, { typed, formContext: result.formContext, now: call.now() });
  const project = chosenProject(state.typed);
  await storeForm(form, call, formId, { ...options, formContext: state.formContext, project });
  await show(formView(form, { formId, generations: {}, state, practice: call.context.isEmulated }));
  countEqualInBackground(form, call, formId, state);
}

/**
 * Updates a view if nothing else has changed it since. The result is false if something has, or if the view is closed.
 */
function createViewUpdater({ client }: Call, viewId: string, firstHash: string | undefined): Show {
  let hash = firstHash;
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
      if (isViewGone(error)) return false;
      throw error;
    }
  };
}
