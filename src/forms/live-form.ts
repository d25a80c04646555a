import { AsyncResource } from 'node:async_hooks';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { updateOpenView } from '../handlers/answer-when-ready.ts';
import type { ActionCall, OpenView, SubmissionCall } from '../handlers/call.ts';
import { within } from '../promises.ts';
import { isTransient, isViewChangedOrClosed } from '../slack/slack-errors.ts';
import { applyShownChange, readCurrentForm, refreshContext, storeChosenProject } from './current-form.ts';
import { buildActionId, findChosenProject } from './field.ts';
import type { ButtonHandler, Form, FormChange, FormState } from './form.ts';
import { renderFormView } from './form-view.ts';
import { changeStoredForm, isSame, isStillUnfinished, keepTyped, type StoredForm } from './stored-form.ts';

/** One instance for all open forms, since view ids are unique in all of Slack. */
const updates = createLatestUpdates();

/** Renders the form again after a live field changed. Of several waiting updates, only the latest is applied. */
export async function updateLiveForm(form: Form, call: ActionCall): Promise<void> {
  const { view } = call;
  if (!view) return;
  if (call.action.id === buildActionId(form.name, 'project')) await storeChosenProject(form, call, view);
  await updates.show(view, call.client, () => renderChangedView(form, call, view, () => ({})));
}

/** Handles a button inside the form. Updates without a hash, which Slack would refuse during a live update. */
export async function handleButtonPress(form: Form, call: ActionCall, handler: ButtonHandler): Promise<void> {
  const { view } = call;
  if (!view) return;
  const changedView = await renderChangedView(form, call, view, (state) => handler(call.action.value, state));
  if (changedView) await updateOpenView(call.client, view.id, changedView);
}

async function renderChangedView(
  form: Form,
  call: ActionCall,
  view: OpenView,
  buildChange: (state: FormState) => FormChange,
): Promise<ModalView | undefined> {
  const current = await readCurrentForm(form, call, view);
  if (!current) return undefined;
  const { formId, stored, state: previousState } = await refreshContext(form, call, current);
  const { state, blockVersions } = applyShownChange(
    form,
    view,
    { state: previousState, blockVersions: current.blockVersions },
    buildChange(previousState),
  );
  const project = findChosenProject(state.values);
  let offer = (await isStillUnfinished(form, call, stored.offer)) ? stored.offer : undefined;
  let latestBanner = stored.banner;
  const change = (latest: StoredForm): StoredForm => {
    latestBanner = latest.banner;
    // [Discard] may have stored another offer meanwhile.
    if (latest.offer?.formId !== stored.offer?.formId) offer = latest.offer;
    return {
      ...keepTyped(form, latest, state),
      offer,
      // A submission must be checked with the context that the person saw. Another request may have stored its part.
      formContext: { ...latest.formContext, ...pickChanged(current.state.formContext, state.formContext) },
      ...(form.keepsHiddenValues && { latestValues: state.values }),
      // Unless this request changed the project, a later choice may be stored by now.
      ...(!isSame(project, stored.project) && { project }),
    };
  };
  await changeStoredForm(form, call, formId, change, stored);
  // Keeps the banner of a submission that was answered meanwhile.
  const banner = latestBanner === stored.banner ? undefined : latestBanner;
  return renderFormView(form, {
    formId,
    blockVersions,
    state,
    offer,
    ...(banner !== undefined && { banner }),
  });
}

/** Picks the properties of `after` that differ from `before`. */
function pickChanged(before: Record<string, unknown>, after: Record<string, unknown>) {
  const names = Object.keys({ ...before, ...after });
  return Object.fromEntries(
    names.flatMap((name) => (isSame(before[name], after[name]) ? [] : [[name, after[name]]])),
  );
}

type RenderView = () => Promise<ModalView | undefined>;
type ViewRef = Pick<OpenView, 'id' | 'hash'>;
type Update = { view: ViewRef; render: RenderView };
interface Queue {
  waitingUpdate: Update | undefined;
  /** The hash that Slack returned for our last update. */
  lastHash: string | undefined;
}

/**
 * Creates the queues for updates of views. Requests from one view arrive faster than Slack applies updates, and the
 * hash in each request is older than the updates in flight. So each view has a queue for one waiting update, which is
 * applied with the hash of our last update. An update is dropped if another request changed the view (`hash_conflict`)
 * or if the view is closed. An update is also dropped on a transient error of Slack, because an error message would
 * interrupt a person who types.
 */
export function createLatestUpdates() {
  const queues = new Map<string, Queue>();
  return {
    /**
     * Shows the rendered view. If an earlier update of the view is in flight, queues the new update in place of a
     * waiting update and returns at once. Otherwise resolves when the view's queue is empty.
     */
    async show(view: ViewRef, client: WebClient, render: RenderView): Promise<void> {
      // The handler of an earlier request may run this update, but the update needs the async context of this request.
      const update = { view, render: AsyncResource.bind(render) };
      const existingQueue = queues.get(view.id);
      if (existingQueue) {
        existingQueue.waitingUpdate = update;
        return;
      }
      const queue: Queue = { waitingUpdate: update, lastHash: undefined };
      queues.set(view.id, queue);
      try {
        while (queue.waitingUpdate) await applyNextUpdate(queue, client);
      } finally {
        queues.delete(view.id);
      }
    },
  };
}

async function applyNextUpdate(queue: Queue, client: WebClient): Promise<void> {
  const { view, render } = queue.waitingUpdate ?? {};
  queue.waitingUpdate = undefined;
  const renderedView = await render?.();
  // Skip this update if a newer one arrived during rendering.
  if (!view || !renderedView || queue.waitingUpdate) return;
  // A button may have updated the view since our last update. Then the hash of this request is the newer one.
  for (const hash of new Set([queue.lastHash ?? view.hash, view.hash])) {
    try {
      const response = await client.views.update({ view_id: view.id, view: renderedView, hash });
      queue.lastHash = response.view?.hash;
      return;
    } catch (error) {
      if (!isViewChangedOrClosed(error) && !isTransient(error)) throw error;
    }
  }
}

/** Our own choice: how long a submission waits for handlers. More than an update of a view usually takes. */
const MAX_HANDLER_WAIT_MS = 1_000;
/**
 * Our own choice: the time since the arrival of a submission after which it waits no longer. After 2.6 s the router
 * replaces the answer, and the person would lose what they typed.
 */
const LATEST_ANSWER_MS = 2_200;

/** One instance for all open forms, since view ids are unique in all of Slack. */
const runningHandlers = createRunningHandlers();

/** Runs the handler of a form's field or button. Answers to submissions of the form wait for it. */
export function runInForm(call: ActionCall, handle: () => Promise<void>): Promise<void> {
  return call.view ? runningHandlers.run(call.view.id, handle) : handle();
}

/**
 * Returns the call of a submission whose answer waits for the handlers of the form that are running in this instance.
 * Each may update the view. A later update would remove the errors, or replace the view of the answer, and the person
 * would press the button again without knowing why.
 */
export function answerAfterHandlers(call: SubmissionCall): SubmissionCall {
  return {
    ...call,
    async answer(response) {
      const remainingMs = LATEST_ANSWER_MS - (performance.now() - call.receivedAt);
      if ('errors' in response || 'view' in response)
        await runningHandlers.waitFor(call.view.id, Math.min(MAX_HANDLER_WAIT_MS, Math.max(0, remainingMs)));
      return call.answer(response);
    },
  };
}

/** Creates a record of the running handlers of each view. */
function createRunningHandlers() {
  /** By view id. Resolves when all handlers of the view have ended. */
  const endings = new Map<string, Promise<void>>();
  return {
    run(viewId: string, handle: () => Promise<void>): Promise<void> {
      const handling = handle();
      const ending = Promise.allSettled([endings.get(viewId), handling]).then(() => {
        if (endings.get(viewId) === ending) endings.delete(viewId);
      });
      endings.set(viewId, ending);
      return handling;
    },
    /** Resolves when the handlers of the view that are running now have ended, or after `timeoutMs`. */
    async waitFor(viewId: string, timeoutMs: number): Promise<void> {
      const ending = endings.get(viewId);
      if (ending) await within(timeoutMs, ending);
    },
  };
}
