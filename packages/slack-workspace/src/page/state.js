import { computeValues } from './form-values.js';
import { NO_FILTER } from './inspector/filter-records.js';
import { addMessage, changeMessages, findNewestTs, keepEphemeral, markRead } from './messages-state.js';
import { readBlocks } from './slack-json.js';

/** @import { ElementState, OpenView, ServerMessage, ThreadStatus, TrafficRecord, ViewValues } from '../protocol.ts' */

/**
 * @typedef {NonNullable<PageState['workspace']>} WorkspaceState
 */

/**
 * Applies a message of the server that changes only the workspace, not the rest of the page.
 * @param {WorkspaceState} workspace
 * @param {ServerMessage} serverMessage
 * @returns {WorkspaceState}
 */
function updateWorkspaceState(workspace, serverMessage) {
  switch (serverMessage.type) {
    case 'home':
      return setHome(workspace, serverMessage);
    case 'chats':
      return { ...workspace, chats: serverMessage.chats };
    case 'step_runs':
      return { ...workspace, stepRuns: serverMessage.runs };
    case 'thread_status':
      return { ...workspace, statuses: setStatus(workspace.statuses, serverMessage.status) };
    case 'people':
      return { ...workspace, people: serverMessage.people };
    case 'channels':
      return { ...workspace, channels: serverMessage.channels };
    case 'app':
      return setConnected(workspace, serverMessage);
    case 'faults':
      return { ...workspace, faults: serverMessage.switches };
    default:
      return workspace;
  }
}

/**
 * @param {WorkspaceState} workspace
 * @param {Extract<ServerMessage, { type: 'home' }>} serverMessage
 */
function setHome(workspace, { app, view, hash }) {
  const home = { view, hash };
  return app === undefined ? { ...workspace, home } : changeOtherApp(workspace, app, { home });
}

/**
 * @param {WorkspaceState} workspace
 * @param {Extract<ServerMessage, { type: 'app' }>} serverMessage
 */
function setConnected(workspace, { app, connected }) {
  if (app !== undefined) return changeOtherApp(workspace, app, { connected });
  return { ...workspace, app: { ...workspace.app, connected } };
}

/**
 * @param {WorkspaceState} workspace
 * @param {string} botUserId
 * @param {Partial<NonNullable<WorkspaceState['otherApps']>[number]>} change
 */
function changeOtherApp(workspace, botUserId, change) {
  const otherApps = workspace.otherApps?.map((app) =>
    app.botUserId === botUserId ? { ...app, ...change } : app,
  );
  return { ...workspace, ...(otherApps && { otherApps }) };
}

/**
 * @param {readonly ThreadStatus[] | undefined} statuses
 * @param {ThreadStatus} status
 */
function setStatus(statuses = [], status) {
  const others = statuses.filter(
    ({ channel, threadTs }) => channel !== status.channel || threadTs !== status.threadTs,
  );
  return status.status === '' ? others : [...others, status];
}

/**
 * The phase of an open modal:
 * - `ready`: the person can fill in and submit the form.
 * - `waiting`: the page waits for the app's answer to a submission.
 * - `failed`: the app didn't answer. The person can try again.
 * - `expired`: the workspace has no such modal anymore. The person can only close it.
 * @typedef {'ready' | 'waiting' | 'failed' | 'expired'} FormPhase
 *
 * @typedef {object} Form
 * @property {ViewValues} values
 * @property {FormPhase} phase
 * @property {Record<string, string>} errors block_id → error text
 *
 * @typedef {object} PageState
 * @property {'connecting' | 'open' | 'lost'} connection
 * @property {Extract<ServerMessage, { type: 'snapshot' }> | undefined} workspace the last snapshot, with all
 *   later changes applied. Undefined until the first snapshot.
 * @property {{ channel: string, tab: 'messages' | 'home' }} route the open channel and its tab
 * @property {Record<string, Form>} forms view id → form
 * @property {Record<string, ViewValues>} messageValues container key → values of a message's or Home tab's elements
 * @property {Record<string, Record<string, string>>} lastReadTs user id → channel id → ts of the newest read message
 * @property {string} openedTs ts of the newest message when the page was opened. Older messages count as read.
 * @property {TrafficRecord[]} traffic newest last
 * @property {import('./inspector/filter-records.js').TrafficFilter} trafficFilter
 * @property {{ sidebar: boolean, inspector: boolean, faults: boolean, steps: boolean, hint: boolean, thread?: { channel: string, ts: string } | undefined }} panels the visible panels
 * @property {number} clockOffsetMs ms by which the workspace's clock is ahead of this computer's
 */

/** @type {PageState} */
export const initialState = {
  connection: 'connecting',
  workspace: undefined,
  route: { channel: '', tab: 'messages' },
  forms: {},
  messageValues: {},
  lastReadTs: {},
  openedTs: '',
  traffic: [],
  trafficFilter: NO_FILTER,
  panels: { sidebar: false, inspector: false, faults: false, steps: false, hint: true },
  clockOffsetMs: 0,
};

/**
 * Applies a message of the server. The connection handles results of requests.
 * @param {PageState} state
 * @param {ServerMessage} serverMessage
 * @returns {PageState}
 */
export function applyServerMessage(state, serverMessage) {
  if (serverMessage.type === 'snapshot') return applySnapshot(state, serverMessage);
  const { workspace } = state;
  if (workspace === undefined) return state;
  switch (serverMessage.type) {
    case 'message':
      return addMessage(state, serverMessage.message);
    case 'message_changed':
      return changeMessages(state, serverMessage.message.channel, (messages) =>
        messages.map((message) =>
          message.ts === serverMessage.message.ts ? serverMessage.message : message,
        ),
      );
    case 'message_deleted':
      return changeMessages(state, serverMessage.channel, (messages) =>
        messages.filter(({ ts }) => ts !== serverMessage.ts),
      );
    case 'views':
      return {
        ...state,
        workspace: { ...workspace, views: serverMessage.views },
        forms: createForms(serverMessage.views, state),
      };
    case 'traffic':
      return { ...state, traffic: addRecord(state.traffic, serverMessage.record, workspace.maxRecords) };
    default: {
      const changed = updateWorkspaceState(workspace, serverMessage);
      return changed === workspace ? state : { ...state, workspace: changed };
    }
  }
}

/**
 * @param {PageState} state
 * @param {Extract<ServerMessage, { type: 'snapshot' }>} workspace
 * @returns {PageState}
 */
function applySnapshot(state, workspace) {
  const isSamePerson = state.workspace?.me.id === workspace.me.id;
  const isKnownChannel = workspace.channels.some((channel) => channel.id === state.route.channel);
  const firstChannel =
    workspace.channels.find((channel) => channel.kind === 'public' || channel.kind === 'private') ??
    workspace.channels[0];
  const before = isSamePerson ? state : initialState;
  const expired = findExpiredViews(before, workspace.views);
  const forms = createForms(workspace.views, before);
  for (const { id } of expired) {
    const form = before.forms[id];
    if (form) forms[id] = { ...form, phase: 'expired' };
  }
  return markRead({
    ...state,
    connection: 'open',
    workspace: {
      ...workspace,
      messages: before.connection === 'lost' ? keepEphemeral(before, workspace.messages) : workspace.messages,
      views: [...workspace.views, ...expired],
    },
    route: isKnownChannel ? state.route : { channel: firstChannel?.id ?? '', tab: 'messages' },
    forms,
    messageValues: before.messageValues,
    // The server sends the records of the inspector after the snapshot.
    traffic: [],
    openedTs: state.openedTs || findNewestTs(Object.values(workspace.messages).flat()),
  });
}

/**
 * Finds open modals that the workspace no longer has after the connection was lost. They stay open, because only the
 * page has their typed text.
 * @param {PageState} before
 * @param {readonly OpenView[]} views
 */
function findExpiredViews(before, views) {
  if (before.connection !== 'lost') return [];
  return (before.workspace?.views ?? []).filter((view) => !views.some(({ id }) => id === view.id));
}

/**
 * Creates the forms of the open views. The values of an earlier form stay.
 * @param {readonly OpenView[]} views
 * @param {PageState} before
 * @returns {Record<string, Form>}
 */
function createForms(views, before) {
  const knownViews = before.workspace?.views ?? [];
  return Object.fromEntries(
    views.map((open) => {
      const form = before.forms[open.id];
      const values = computeValues(readBlocks(open.view.blocks), form?.values ?? open.values);
      const isChanged =
        form === undefined || knownViews.find((view) => view.id === open.id)?.hash !== open.hash;
      // Only the answer to a submission ends `waiting`. A new version of the view ends `failed`.
      const phase = form !== undefined && (form.phase === 'waiting' || !isChanged) ? form.phase : 'ready';
      return [open.id, { values, phase, errors: open.errors }];
    }),
  );
}

/**
 * @param {readonly TrafficRecord[]} traffic
 * @param {TrafficRecord} record
 * @param {number} maxRecords
 */
function addRecord(traffic, record, maxRecords) {
  const index = traffic.findLastIndex(({ id }) => id === record.id);
  return (index < 0 ? [...traffic, record] : traffic.with(index, record)).slice(-maxRecords);
}

/**
 * @param {PageState} state
 * @param {string} viewId
 * @param {Partial<Form>} change
 * @returns {PageState}
 */
export function changeForm(state, viewId, change) {
  const form = state.forms[viewId];
  return form === undefined
    ? state
    : { ...state, forms: { ...state.forms, [viewId]: { ...form, ...change } } };
}

/**
 * @param {ViewValues} values
 * @param {string} blockId
 * @param {string} actionId
 * @param {ElementState} element
 * @returns {ViewValues}
 */
export function setValue(values, blockId, actionId, element) {
  return { ...values, [blockId]: { ...values[blockId], [actionId]: element } };
}
