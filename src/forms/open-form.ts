import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { Call } from '../app/call.ts';
import { isViewGone } from '../slack/slack-trouble.ts';
import { begunWith, chosenProject } from './field.ts';
import type { Form } from './form.ts';
import { formView, loadingView } from './form-view.ts';
import { keepForm } from './kept-form.ts';
import type { Begin, Loaded, Loading } from './loaded.ts';
import { countSoon, settled } from './standing-form.ts';

const SLOW = 'The scheduling service is slow to answer. I am still waiting.';

/**
 * The open view that the form replaces; without `viewId` it is a new modal for the trigger. With `formId` it goes on
 * with an earlier form, and the two together send once.
 */
export type ReplacedView = { viewId?: string; formId?: string };

/** A light view at once, while the trigger lives; the form itself when all that it rests on has arrived. */
export async function openForm(
  form: Form,
  call: Call,
  begin: Begin,
  replaced: ReplacedView = {},
): Promise<void> {
  const loading = loadingView(form, 'Loading…');
  const opening =
    replaced.viewId === undefined
      ? call.client.views.open({ trigger_id: call.trigger ?? '', view: loading })
      : call.client.views.update({ view_id: replaced.viewId, view: loading });
  const { formId = randomUUID() } = replaced;
  // What fails meanwhile is told once there is a view to tell it in.
  const loads = Promise.all([form.facts.load(call, begin), keepForm(form, call, formId, begin)]).then(
    ([result]) => result,
  );
  loads.catch(() => undefined);
  const [{ view }] = await Promise.all([opening, call.acknowledge()]);
  const show = shower(call, view?.id ?? '', view?.hash);
  try {
    await fill(form, call, { formId, begin, loads, show });
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
    begin,
    loads,
    show,
  }: { formId: string; begin: Begin; loads: Promise<Loading<Loaded>>; show: Show },
): Promise<void> {
  const slow = delay(call.context.pace.slowMs, undefined, { ref: false });
  const early = await Promise.race([loads, slow]);
  if (!early && !(await show(loadingView(form, SLOW, { formId })))) return;
  const result = early ?? (await loads);
  if ('trouble' in result) {
    await show(loadingView(form, result.trouble, { formId }));
    return;
  }
  const typed = begunWith(form.fields, { ...begin.prefill, ...result.prefill }, result.facts);
  const { state } = settled(form, { typed, facts: result.facts, now: call.now() });
  const project = chosenProject(state.typed);
  await keepForm(form, call, formId, { ...begin, facts: state.facts, project });
  await show(formView(form, { formId, generations: {}, state, practice: call.context.practice }));
  countSoon(form, call, formId, state);
}

/** Updates the view that it last updated itself: false once somebody else has, or the person has closed it. */
function shower({ client }: Call, viewId: string, firstHash: string | undefined): Show {
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
