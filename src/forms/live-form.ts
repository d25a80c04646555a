import { AsyncResource } from 'node:async_hooks';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { ActionCall, OpenView } from '../app/call.ts';
import { isTransient, isViewGone } from '../slack/slack-errors.ts';
import {
  applyChange,
  countEqualInBackground,
  readCurrentForm,
  refreshContext,
  storeReportedProject,
} from './current-form.ts';
import { actionId, chosenProject, nextGenerations } from './field.ts';
import type { Change, Form, Press, State } from './form.ts';
import { formView } from './form-view.ts';
import { changeForm, isSame } from './stored-form.ts';

/** One instance for all open forms, since view ids are unique in all of Slack. */
const updates = createLatestUpdates();

/** Renders the form again after a live field was changed. The newest state wins. */
export async function showLive(form: Form, call: ActionCall): Promise<void> {
  const { view } = call;
  if (!view) return;
  if (call.action.id === actionId(form.name, 'project')) await storeReportedProject(form, call, view);
  await updates.show(view, call.client, () => changedView(form, call, view, () => ({})));
}

/** Handles a button inside the form. The update has no hash, so that an update for older input can't win over it. */
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
  const current = await readCurrentForm(form, call, view);
  if (!current) return undefined;
  const { formId, stored, state: before } = await refreshContext(form, call, current);
  const { state, changed } = applyChange(form, before, change(before));
  // A submission is checked with the context that the person saw.
  const formContext = isSame(state.formContext, current.state.formContext)
    ? {}
    : { formContext: state.formContext };
  const project = chosenProject(state.typed);
  const chosen = isSame(project, stored.project) ? {} : { project };
  if ('formContext' in formContext || 'project' in chosen)
    await changeForm(form, call, formId, (stored) => ({ ...stored, ...formContext, ...chosen }));
  countEqualInBackground(form, call, formId, state);
  const generations = nextGenerations(current.generations, changed);
  return formView(form, { formId, generations, state, practice: call.context.isEmulated });
}

type Render = () => Promise<ModalView | undefined>;
type Shown = Pick<OpenView, 'id' | 'hash'>;
type Update = { view: Shown; render: Render };
/** The queue of one view: the next update, and the hash that our own last update returned. */
type Queue = { next: Update | undefined; ownHash: string | undefined };

/** Coalesced updates of open views while somebody types: in order, and only the latest of those that wait. */
interface LatestUpdates {
  /**
   * Shows the rendered view. While an earlier update of the same view is in flight, this one waits, replaces the update
   * that waited before, and resolves at once; otherwise resolves when the queue of the view is empty.
   */
  show(view: Shown, client: WebClient, render: Render): Promise<void>;
}

/**
 * Requests from one view arrive faster than Slack takes updates, and each request carries the hash from before the
 * updates in flight. So each view has a queue with room for one update, which is applied on top of our own last update.
 * If something else changed the view meanwhile (`hash_conflict`) or the view is closed, the update is dropped. It is
 * also dropped if Slack fails for a passing reason: that isn't worth interrupting somebody who types.
 */
export function createLatestUpdates(): LatestUpdates {
  const queues = new Map<string, Queue>();
  return {
    async show(view, client, render) {
      // An earlier request may run this update, but it must keep the async context of its own request.
      const update = { view, render: AsyncResource.bind(render) };
      const existing = queues.get(view.id);
      if (existing) {
        existing.next = update;
        return;
      }
      const queue: Queue = { next: update, ownHash: undefined };
      queues.set(view.id, queue);
      try {
        while (queue.next) await showNext(queue, client);
      } finally {
        queues.delete(view.id);
      }
    },
  };
}

async function showNext(queue: Queue, client: WebClient): Promise<void> {
  const { view, render } = queue.next ?? {};
  queue.next = undefined;
  const rendered = await render?.();
  // A newer update arrived while this one was rendered.
  if (!view || !rendered || queue.next) return;
  const hash = queue.ownHash ?? view.hash;
  try {
    const updated = await client.views.update({ view_id: view.id, view: rendered, hash });
    queue.ownHash = updated.view?.hash;
  } catch (error) {
    if (!isViewGone(error) && !isTransient(error)) throw error;
  }
}
