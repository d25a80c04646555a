import { AsyncResource } from 'node:async_hooks';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { ActionCall, OpenView } from '../app/call.ts';
import { isPassing, isViewGone } from '../slack/slack-trouble.ts';
import { actionId, chosenProject, nextGenerations } from './field.ts';
import type { Change, Form, Press, State } from './form.ts';
import { formView } from './form-view.ts';
import { changeForm, isSame } from './kept-form.ts';
import { countSoon, looked, settled, standingForm, storeReportedProject } from './standing-form.ts';

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

type Render = () => Promise<ModalView | undefined>;
type Shown = Pick<OpenView, 'id' | 'hash'>;
/** An update of one view that waits, and the hash that our own last update left. */
type Waiting = { view: Shown; render: Render };
type Line = { next: Waiting | undefined; ownHash: string | undefined };

/** Updates of open views while somebody types: one after the other, and what is older never comes after. */
interface LatestUpdates {
  /** Resolves when nothing is left to show for this view; one that was overtaken is skipped. */
  show(view: Shown, client: WebClient, render: Render): Promise<void>;
}

/**
 * Requests of one view come faster than updates go, and each carries the hash from before all updates under way.
 * So there is one line for each view: only the newest waits, and it is shown on top of our own last update. A view
 * that something else has changed meanwhile (`hash_conflict`) or that is closed is left alone; what Slack does not
 * take just now is not worth disturbing who writes.
 */
export function createLatestUpdates(): LatestUpdates {
  const lines = new Map<string, Line>();
  return {
    async show(view, client, render) {
      // It may run within the request before it, and is a part of its own.
      const waiting = { view, render: AsyncResource.bind(render) };
      const line = lines.get(view.id);
      if (line) {
        line.next = waiting;
        return;
      }
      const mine: Line = { next: waiting, ownHash: undefined };
      lines.set(view.id, mine);
      try {
        while (mine.next) await showNext(mine, client);
      } finally {
        lines.delete(view.id);
      }
    },
  };
}

async function showNext(line: Line, client: WebClient): Promise<void> {
  const { view, render } = line.next ?? {};
  line.next = undefined;
  const rendered = await render?.();
  // Newer words came while these were read.
  if (!view || !rendered || line.next) return;
  const hash = line.ownHash ?? view.hash;
  try {
    const updated = await client.views.update({ view_id: view.id, view: rendered, hash });
    line.ownHash = updated.view?.hash;
  } catch (error) {
    if (!isViewGone(error) && !isPassing(error)) throw error;
  }
}
