import type { ModalView } from '@slack/types';
import type { ActionCall, OpenView } from '../app/call.ts';
import { createLatestUpdates } from '../slack/latest-updates.ts';
import { isViewGone } from '../slack/slack-trouble.ts';
import { chosenProject } from './field.ts';
import type { Change, Form, Press, State } from './form.ts';
import { countSoon, isSame, settled } from './form-state.ts';
import { formView } from './form-view.ts';
import { actionId, nextGenerations } from './ids.ts';
import { changeForm } from './kept-form.ts';
import { looked, standingForm, storeReportedProject } from './standing-form.ts';

/** One for all open forms: views have ids of their own in all of Slack. */
const updates = createLatestUpdates();

/** While somebody changes a live field: what follows from it. The newest state wins. */
export async function showLive(form: Form, call: ActionCall): Promise<void> {
  const { view } = call;
  if (!view) return;
  if (call.action.id === actionId(form.name, 'project')) await storeReportedProject(form, call, view);
  await updates.show(view, call.client, () => changedView(form, call, view, () => ({})));
}

/** A button inside the form. What it does is not to be overtaken by older words, so no hash is asked for. */
export async function showPressed(form: Form, call: ActionCall, press: Press): Promise<void> {
  const changed =
    call.view && (await changedView(form, call, call.view, (state) => press(call.action.value, state)));
  if (!call.view || !changed) return;
  try {
    await call.client.views.update({ view_id: call.view.id, view: changed });
  } catch (error) {
    if (!isViewGone(error)) throw error;
  }
}

async function changedView(
  form: Form,
  call: ActionCall,
  view: OpenView,
  change: (state: State) => Change,
): Promise<ModalView | undefined> {
  const standing = await standingForm(form, call, view);
  if (!standing) return undefined;
  const { formId, kept, state: before } = await looked(form, call, standing);
  const { state, changed } = settled(form, before, change(before));
  // What is shown is what counts when it is sent.
  const facts = isSame(state.facts, standing.state.facts) ? {} : { facts: state.facts };
  const project = chosenProject(state.typed);
  const chosen = isSame(project, kept.project) ? {} : { project };
  if ('facts' in facts || 'project' in chosen)
    await changeForm(form, call, formId, (stored) => ({ ...stored, ...facts, ...chosen }));
  countSoon(form, call, formId, state);
  const generations = nextGenerations(standing.generations, changed);
  return formView(form, { formId, generations, state, practice: call.context.practice });
}
