import { AsyncResource } from 'node:async_hooks';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { createCache } from '../cache/cache.ts';
import { MINUTE_MS } from '../durations.ts';
import { createTimeLimit, updateOpenView } from '../handlers/answer-when-ready.ts';
import type { ActionCall, OpenView, SubmissionCall } from '../handlers/call.ts';
import { within } from '../promises.ts';
import { isTransient } from '../slack/slack-errors.ts';
import { createInstanceState } from '../store/instance-state.ts';
import { listFormSubmissions } from '../submissions/sql/lists.ts';
import { applyShownChange, readCurrentForm, refreshContext, storeChosenProject } from './current-form.ts';
import {
  buildActionId,
  buildBlockId,
  findChosenProject,
  parseBlockVersions,
  shortenShownErrors,
} from './field.ts';
import type { ButtonHandler, Form, FormChange, FormState } from './form.ts';
import { renderFormView } from './form-view.ts';
import {
  applyAction,
  changeStoredForm,
  isOutdated,
  isSame,
  isStillUnfinished,
  keepTyped,
  readStoredForm,
  type StoredForm,
} from './stored-form.ts';

/** Our own choice. Longer than Slack takes to deliver a request that it sent before our last update of the view. */
const KEPT_MS = MINUTE_MS;

/** The updates of all open forms, since view ids are unique in all of Slack. */
const updatesOf = createInstanceState(createLatestUpdates);

/**
 * Renders the form again after a live field changed. Of several waiting updates, only the latest is applied. A request
 * that arrives after a later one does nothing: the later one has the values of all fields.
 */
export async function updateLiveForm(form: Form, call: ActionCall): Promise<void> {
  const { view, action } = call;
  const updates = updatesOf(call.context.db);
  if (!view || !updates.noteAction(view, action.actedAt)) return;
  if (action.id === buildActionId(form.name, 'project')) await storeChosenProject(form, call, view);
  const render = () => renderChangedView(form, call, view, () => ({}));
  await updates.show(view, call.client, { actedAt: action.actedAt, render });
}

/** Handles a button inside the form. Does nothing if a later action's values are stored. */
export async function handleButtonPress(form: Form, call: ActionCall, handler: ButtonHandler): Promise<void> {
  const { view, action } = call;
  if (!view) return;
  const rendered = await renderChangedView(form, call, view, (state) => handler(action.value, state));
  if (rendered)
    await updatesOf(call.context.db).showAtOnce(view, call.client, { actedAt: action.actedAt, rendered });
}

/** Stores the change of an action, and renders the changed form. Undefined if a later action's values are stored. */
async function renderChangedView(
  form: Form,
  call: ActionCall,
  view: OpenView,
  buildChange: (state: FormState) => FormChange,
): Promise<RenderedView | undefined> {
  const current = await readCurrentForm(form, call, view);
  if (!current || isOutdated(current.stored, call.action)) return undefined;
  const refreshed = await refreshContext(form, call, current);
  const { formId, stored } = refreshed;
  const { state, blockVersions } = applyShownChange(form, view, refreshed, buildChange(refreshed.state));
  const project = findChosenProject(state.values);
  let offer = (await isStillUnfinished(form, call, stored.offer)) ? stored.offer : undefined;
  let latest = stored;
  const change = (latestForm: StoredForm): StoredForm => {
    latest = latestForm;
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
  await changeStoredForm(form, call, formId, applyAction(form, call.action, change), stored);
  if (isOutdated(latest, call.action)) return undefined;
  // Keeps the banner of a submission that was answered meanwhile.
  const banner = latest.banner === stored.banner ? undefined : latest.banner;
  const content = {
    ...{ formId, blockVersions, state, offer },
    ...(banner !== undefined && { banner }),
    warnings: findShownErrors(form, call, view),
  };
  return {
    view: renderFormView(form, content),
    isUnanswered: async () => (await readUnanswered(form, call, formId)) !== undefined,
    async isLatest() {
      if (latest.actedAt === undefined) return false;
      return (await readUnanswered(form, call, formId))?.actedAt === call.action.actedAt;
    },
  };
}

/**
 * Finds the errors by field that a submission has shown since the request of an action arrived. The update for the action
 * removes them from the view.
 */
function findShownErrors(form: Form, call: ActionCall, view: OpenView): Record<string, string> {
  const errors = updatesOf(call.context.db).findErrors(view, call.receivedAt);
  const names = Object.keys(form.fields);
  const versions = parseBlockVersions(names, view.blockIds);
  return Object.fromEntries(
    names.flatMap((name) => {
      const error = errors[buildBlockId(name, versions)];
      return error === undefined ? [] : [[name, error]];
    }),
  );
}

/**
 * Reads a form, unless it isn't stored any more, or the view may show the answer to a submission after the action,
 * which an update for the action must not replace. If in doubt, it may: the next change updates the form, but nobody
 * should see a form in place of its posts.
 */
export async function readUnanswered(
  form: Form,
  call: ActionCall,
  formId: string,
): Promise<StoredForm | undefined> {
  const stored = await readStoredForm(form, call, formId);
  return stored && !(await isAnswered(call, formId, stored)) ? stored : undefined;
}

async function isAnswered(
  call: ActionCall,
  formId: string,
  { isHandled = false, submittedAt = 0 }: StoredForm,
): Promise<boolean> {
  const { actedAt = 0 } = call.action;
  if (isHandled || submittedAt >= actedAt) return true;
  const { workspace } = call.actor;
  const rows = await listFormSubmissions(call.context.db, { workspace, origin: formId });
  return rows.some(({ state }) => state !== 'refused');
}

/** Picks the properties of `after` that differ from `before`. */
function pickChanged(before: Record<string, unknown>, after: Record<string, unknown>) {
  const names = Object.keys({ ...before, ...after });
  return Object.fromEntries(
    names.flatMap((name) => (isSame(before[name], after[name]) ? [] : [[name, after[name]]])),
  );
}

type ViewRef = Pick<OpenView, 'id' | 'hash'>;

interface RenderedView {
  view: ModalView;
  /** Whether the answer to a submission certainly hasn't changed the view since Slack sent the request. */
  isUnanswered(): Promise<boolean>;
  /**
   * Whether another instance's update for an earlier action can have changed the view since Slack sent the request, and
   * neither that for a later action nor the answer to a submission has.
   */
  isLatest(): Promise<boolean>;
}

interface Update {
  /** See `ActionCall.action`. */
  actedAt: number | undefined;
  render: () => Promise<RenderedView | undefined>;
}

interface ShownView {
  /** The time of the person's latest action whose request has arrived. */
  latestActionAt: number;
  /** The hash that Slack returned for our last update. */
  lastHash: string | undefined;
  isUpdating: boolean;
  waitingUpdate: (Update & { view: ViewRef }) | undefined;
  /** The ids of the blocks of our last update, and when Slack applied it, in ms of `performance.now()`. */
  rendered: { blockIds: readonly string[]; at: number } | undefined;
  /** The latest errors of a submission by block id, and when they were shown, in ms of `performance.now()`. */
  errors: { messages: Record<string, string>; at: number } | undefined;
}

/**
 * Creates the queues for updates of views. Requests from one view arrive faster than Slack applies updates, and the
 * hash in each request is older than the updates in flight. So each view has a queue for one waiting update, which is
 * applied with the hash of our last update. An update is dropped if another request changed the view (`hash_conflict`),
 * unless that was for an earlier action of the person, and if the view is closed. An update is also dropped on a transient
 * error of Slack, because an error message would interrupt a person who types.
 */
export function createLatestUpdates() {
  const shownViews = createCache<ShownView>({ maxAgeMs: KEPT_MS, now: () => performance.now() });
  const findShown = ({ id }: ViewRef): ShownView => {
    const shown = shownViews.get(id) ?? {
      latestActionAt: 0,
      lastHash: undefined,
      isUpdating: false,
      waitingUpdate: undefined,
      rendered: undefined,
      errors: undefined,
    };
    shownViews.set(id, shown);
    return shown;
  };
  const noteAction = (view: ViewRef, actedAt: number | undefined): boolean => {
    const shown = findShown(view);
    // Not every request says when it was sent.
    const at = actedAt ?? shown.latestActionAt;
    if (at < shown.latestActionAt) return false;
    shown.latestActionAt = at;
    return true;
  };
  return {
    /** Notes that the request of an action has arrived. False if that of a later action in the view has before. */
    noteAction,
    /** Notes the errors by block id that are shown in a view. */
    noteErrors(view: ViewRef, messages: Record<string, string>): void {
      findShown(view).errors = { messages, at: performance.now() };
    },
    /** Lists the ids of a view's blocks: of our last update, if that came after the request with this view arrived. */
    listBlockIds(view: ViewRef & Pick<OpenView, 'blockIds'>, receivedAt: number): readonly string[] {
      const { rendered } = findShown(view);
      return rendered && rendered.at > receivedAt ? rendered.blockIds : view.blockIds;
    },
    /** Finds the errors by block id that were shown in a view after a time, in ms of `performance.now()`. */
    findErrors(view: ViewRef, since: number): Record<string, string> {
      const { errors } = findShown(view);
      return errors && errors.at > since ? errors.messages : {};
    },
    /**
     * Shows the rendered view. If an earlier update of the view is in flight, queues the new update in place of a
     * waiting update and returns at once. Otherwise resolves when the view's queue is empty. Does nothing if a later
     * action's request has arrived.
     */
    async show(view: ViewRef, client: WebClient, { actedAt, render }: Update): Promise<void> {
      if (!noteAction(view, actedAt)) return;
      const shown = findShown(view);
      // The handler of an earlier request may run this update, but the update needs the async context of this request.
      shown.waitingUpdate = { view, actedAt, render: AsyncResource.bind(render) };
      if (shown.isUpdating) return;
      shown.isUpdating = true;
      try {
        while (shown.waitingUpdate) await applyNextUpdate(shown, client);
      } finally {
        shown.isUpdating = false;
      }
    },
    /**
     * Shows a view without waiting for the queue. During an update in flight, Slack refuses both hashes. It also does
     * after the answer to a submission, which the view must not replace. With the hash of our last update, no answer
     * came since.
     */
    async showAtOnce(
      view: ViewRef,
      client: WebClient,
      { actedAt, rendered }: { actedAt: number | undefined; rendered: RenderedView },
    ): Promise<void> {
      noteAction(view, actedAt);
      const { view: changedView, isUnanswered } = rendered;
      const shown = findShown(view);
      const hashes = [view.hash, shown.lastHash];
      const update = { hashes, isStillValid: isUnanswered };
      const updated = await updateOpenView(client, view.id, changedView, update);
      noteUpdate(shown, changedView, updated);
    },
  };
}

/** Notes what our last update shows. `updated`: undefined if Slack didn't apply it. */
function noteUpdate(
  shown: ShownView,
  { blocks }: ModalView,
  updated: Awaited<ReturnType<typeof updateOpenView>>,
): void {
  if (!updated) return;
  shown.lastHash = updated.hash ?? shown.lastHash;
  shown.rendered = { blockIds: blocks.flatMap(({ block_id: id }) => id ?? []), at: performance.now() };
}

async function applyNextUpdate(shown: ShownView, client: WebClient): Promise<void> {
  const { view, actedAt, render } = shown.waitingUpdate ?? {};
  shown.waitingUpdate = undefined;
  const rendered = await render?.();
  // Skip this update if a newer one arrived during rendering.
  if (!view || !rendered || shown.waitingUpdate) return;
  if (actedAt !== undefined && actedAt < shown.latestActionAt) return;
  // A button may have updated the view since our last update. Then the hash of this request is the newer one.
  const hashes = [shown.lastHash ?? view.hash, view.hash];
  try {
    const update = { hashes, isStillValid: rendered.isLatest };
    const updated = await updateOpenView(client, view.id, rendered.view, update);
    noteUpdate(shown, rendered.view, updated);
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
}

/**
 * Our own choice: the time since the arrival of a submission after which it waits no longer for handlers. After 2.6 s the
 * router answers in its place.
 */
const LATEST_ANSWER_MS = 2_200;

const runningHandlersOf = createInstanceState(createRunningHandlers);

/** Runs the handler of a form's field or button. Answers to submissions of the form wait for it. */
export function runInForm(call: ActionCall, handle: () => Promise<void>): Promise<void> {
  return call.view ? runningHandlersOf(call.context.db).run(call.view.id, handle) : handle();
}

/**
 * Returns the call of a submission whose answer waits for the handlers of the form that are running in this instance.
 * Each may update the view. A later update would remove the errors, or replace the view of the answer, and the person
 * would press the button again without knowing why. A handler that takes longer than the answer may wait shows the errors
 * itself.
 */
export function answerAfterHandlers(call: SubmissionCall): SubmissionCall {
  return {
    ...call,
    async answer(response) {
      if ('errors' in response || 'view' in response) await waitForHandlers(call);
      if (!('errors' in response)) return call.answer(response);
      const updates = updatesOf(call.context.db);
      updates.noteErrors(call.view, response.errors);
      const blockIds = updates.listBlockIds(call.view, call.receivedAt);
      return call.answer({ errors: shortenShownErrors(response.errors, { blockIds }) });
    },
  };
}

/**
 * Returns a function that says whether a handler of a submitted form has run in this instance since, also one that had
 * begun before and one that has ended.
 */
export function watchHandlers({ view, context }: Pick<SubmissionCall, 'view' | 'context'>): () => boolean {
  return runningHandlersOf(context.db).watch(view.id);
}

/** Waits for the handlers of a submitted form that are running in this instance, as long as its answer can wait. */
export function waitForHandlers(call: SubmissionCall): Promise<void> {
  const { getRemainingMs } = createTimeLimit(call, LATEST_ANSWER_MS);
  return runningHandlersOf(call.context.db).waitFor(call.view.id, getRemainingMs());
}

/** Creates a record of the running handlers of each view. */
function createRunningHandlers() {
  /** By view id. Resolves when all handlers of the view have ended. */
  const endings = new Map<string, Promise<void>>();
  /** By view id. The ending of the handler that began last. */
  const latest = createCache<Promise<void>>({ maxAgeMs: KEPT_MS, now: () => performance.now() });
  return {
    run(viewId: string, handle: () => Promise<void>): Promise<void> {
      const handling = handle();
      const ending = Promise.allSettled([endings.get(viewId), handling]).then(() => {
        if (endings.get(viewId) === ending) endings.delete(viewId);
      });
      endings.set(viewId, ending);
      latest.set(viewId, ending);
      return handling;
    },
    watch(viewId: string): () => boolean {
      const wasRunning = endings.has(viewId);
      const before = latest.get(viewId);
      return () => wasRunning || latest.get(viewId) !== before;
    },
    /** Resolves when the handlers of the view that are running now have ended, or after `timeoutMs`. */
    async waitFor(viewId: string, timeoutMs: number): Promise<void> {
      const ending = endings.get(viewId);
      if (ending) await within(timeoutMs, ending);
    },
  };
}
