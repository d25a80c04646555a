import type {
  ElementState,
  OpenView,
  ServerMessage,
  ThreadStatus,
  TrafficRecord,
  ViewValues,
} from '../protocol.ts';
import { computeValues } from './form-values.ts';
import { NO_FILTER, type TrafficFilter } from './inspector/filter-records.ts';
import { addMessage, changeMessages, findNewestTs, keepEphemeral, markRead } from './messages-state.ts';
import { readBlocks } from './slack-json.ts';

type WorkspaceState = NonNullable<PageState['workspace']>;

/** Applies a message of the server that changes only the workspace, not the rest of the page. */
function updateWorkspaceState(workspace: WorkspaceState, serverMessage: ServerMessage): WorkspaceState {
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

function setHome(workspace: WorkspaceState, { app, view, hash }: Extract<ServerMessage, { type: 'home' }>) {
  const home = { view, hash };
  return app === undefined ? { ...workspace, home } : changeOtherApp(workspace, app, { home });
}

function setConnected(
  workspace: WorkspaceState,
  { app, connected }: Extract<ServerMessage, { type: 'app' }>,
) {
  if (app !== undefined) return changeOtherApp(workspace, app, { connected });
  return { ...workspace, app: { ...workspace.app, connected } };
}

function changeOtherApp(
  workspace: WorkspaceState,
  botUserId: string,
  change: Partial<NonNullable<WorkspaceState['otherApps']>[number]>,
) {
  const otherApps = workspace.otherApps?.map((app) =>
    app.botUserId === botUserId ? { ...app, ...change } : app,
  );
  return { ...workspace, ...(otherApps && { otherApps }) };
}

function setStatus(statuses: readonly ThreadStatus[] | undefined = [], status: ThreadStatus) {
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
 */
export type FormPhase = 'ready' | 'waiting' | 'failed' | 'expired';

export interface Form {
  values: ViewValues;
  phase: FormPhase;
  /** block_id → error text. */
  errors: Record<string, string>;
}

export interface PageState {
  connection: 'connecting' | 'open' | 'lost';
  /** The last snapshot, with all later changes applied. Undefined until the first snapshot. */
  workspace: Extract<ServerMessage, { type: 'snapshot' }> | undefined;
  /** The open channel and its tab. */
  route: { channel: string; tab: 'messages' | 'home' };
  /** View id → form. */
  forms: Record<string, Form>;
  /** Container key → values of a message's or Home tab's elements. */
  messageValues: Record<string, ViewValues>;
  /** User id → channel id → ts of the newest read message. */
  lastReadTs: Record<string, Record<string, string>>;
  /** Ts of the newest message when the page was opened. Older messages count as read. */
  openedTs: string;
  /** Newest last. */
  traffic: TrafficRecord[];
  trafficFilter: TrafficFilter;
  /** The visible panels. */
  panels: {
    sidebar: boolean;
    inspector: boolean;
    faults: boolean;
    steps: boolean;
    hint: boolean;
    thread?: { channel: string; ts: string } | undefined;
  };
  /** Ms by which the workspace's clock is ahead of this computer's. */
  clockOffsetMs: number;
}

export const initialState: PageState = {
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

/** Applies a message of the server. The connection handles results of requests. */
export function applyServerMessage(state: PageState, serverMessage: ServerMessage): PageState {
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

function applySnapshot(state: PageState, workspace: Extract<ServerMessage, { type: 'snapshot' }>): PageState {
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
 */
function findExpiredViews(before: PageState, views: readonly OpenView[]) {
  if (before.connection !== 'lost') return [];
  return (before.workspace?.views ?? []).filter((view) => !views.some(({ id }) => id === view.id));
}

/** Creates the forms of the open views. The values of an earlier form stay. */
function createForms(views: readonly OpenView[], before: PageState): Record<string, Form> {
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

function addRecord(traffic: readonly TrafficRecord[], record: TrafficRecord, maxRecords: number) {
  const index = traffic.findLastIndex(({ id }) => id === record.id);
  return (index < 0 ? [...traffic, record] : traffic.with(index, record)).slice(-maxRecords);
}

export function changeForm(state: PageState, viewId: string, change: Partial<Form>): PageState {
  const form = state.forms[viewId];
  return form === undefined
    ? state
    : { ...state, forms: { ...state.forms, [viewId]: { ...form, ...change } } };
}

export function setValue(
  values: ViewValues,
  blockId: string,
  actionId: string,
  element: ElementState,
): ViewValues {
  return { ...values, [blockId]: { ...values[blockId], [actionId]: element } };
}
