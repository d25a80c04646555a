import { computeValues } from '../blocks/element-values.ts';
import { getRecords } from '../json.ts';
import type {
  Message,
  OpenView,
  PageApp,
  ServerMessage,
  Snapshot,
  ThreadStatus,
  TrafficRecord,
  ViewValues,
} from '../protocol.ts';
import { NO_FILTER, type TrafficFilter } from './inspector/filter-records.ts';

/** User id of Slackbot, which has no account in the workspace. */
export const SLACKBOT = 'USLACKBOT';

let noticeCount = 0;

/** Adds a message from Slackbot that only this person sees. The channel defaults to the open one. */
export function addNotice(state: PageState, text: string, channel: string = state.route.channel): PageState {
  if (state.workspace === undefined) return state;
  noticeCount += 1;
  const ts = `${Math.floor((Date.now() + state.clockOffsetMs) / 1000)}.${String(noticeCount).padStart(6, '0')}`;
  const message = { ts, channel, user: SLACKBOT, text, ephemeralTo: state.workspace.me.id };
  return applyServerMessage(state, { type: 'message', message });
}

/** Whether the message is a reply in a thread. */
const isReply = (message: Message) => message.threadTs !== undefined && message.threadTs !== message.ts;

/**
 * The messages of a channel, without the replies in threads. Replies that were also sent to the channel are included.
 */
export function filterChannelMessages(messages: readonly Message[]): readonly Message[] {
  const isVisible = (message: Message) => !isReply(message) || message.subtype === 'thread_broadcast';
  return messages.every(isVisible) ? messages : messages.filter(isVisible);
}

/** The messages of a thread: its first message, then the replies. */
export const filterThreadMessages = (messages: readonly Message[], ts: string) =>
  messages.filter((message) => message.ts === ts || message.threadTs === ts);

/** Merges two lists, oldest first. If both have a message, that of `newer` wins. */
export function mergeMessages(older: readonly Message[], newer: readonly Message[]) {
  const all = new Map([...older, ...newer].map((message) => [message.ts, message]));
  return [...all.values()].sort((a, b) => Number(a.ts) - Number(b.ts));
}

/** Adds a message. It counts as read if its channel is open. */
function addMessage(state: PageState, message: Message): PageState {
  const next = changeMessages(state, message.channel, (messages) => [
    ...messages.filter(({ ts }) => ts !== message.ts),
    message,
  ]);
  return markRead(next);
}

/** Marks the messages of the open channel as read. Nothing is read while the Home tab is open. */
export function markRead(state: PageState): PageState {
  const { workspace, route } = state;
  if (workspace === undefined || route.tab === 'home') return state;
  const ts = findNewestTs(workspace.messages[route.channel] ?? []);
  if (ts <= getLastReadTs(state, route.channel)) return state;
  const channels = { ...state.lastReadTs[workspace.me.id], [route.channel]: ts };
  return { ...state, lastReadTs: { ...state.lastReadTs, [workspace.me.id]: channels } };
}

/**
 * Adds the ephemeral messages that the page has to those of the server, which sends each of them only once. `messages`:
 * by channel.
 */
const keepEphemeral = (before: PageState, messages: Record<string, Message[]>) =>
  Object.fromEntries(
    Object.entries(messages).map(([channel, list]) => {
      const shown = before.workspace?.messages[channel] ?? [];
      return [
        channel,
        mergeMessages(
          shown.filter(({ ephemeralTo }) => ephemeralTo !== undefined),
          list,
        ),
      ];
    }),
  );

/**
 * Whether the current person hasn't read all messages of other people in a channel, and how many of them are for this
 * person: all of a direct message, and otherwise those that mention them.
 */
export function findUnread(state: PageState, channel: string) {
  const { workspace } = state;
  const me = workspace?.me.id ?? '';
  const lastReadTs = getLastReadTs(state, channel);
  const unread = (workspace?.messages[channel] ?? []).filter(
    ({ ts, user, ephemeralTo }) => ts > lastReadTs && user !== me && ephemeralTo === undefined,
  );
  const kind = workspace?.channels.find(({ id }) => id === channel)?.kind;
  const isDirect = kind === 'im' || kind === 'mpim';
  return {
    isUnread: filterChannelMessages(unread).length > 0,
    count: unread.filter((message) => isDirect || mentions(message, me)).length,
  };
}

function mentions({ text, blocks = [] }: Message, person: string) {
  const content = `${text}${JSON.stringify(blocks)}`;
  return (
    content.includes(`<@${person}>`) || content.includes(`"user_id":"${person}"`) || EVERYBODY.test(content)
  );
}

/** `@here`, `@channel` and `@everyone`, in mrkdwn and in rich text. */
const EVERYBODY = /<!(?:here|channel|everyone)\b|"type":"broadcast"/;

const getLastReadTs = ({ lastReadTs, workspace, openedTs }: PageState, channel: string) =>
  lastReadTs[workspace?.me.id ?? '']?.[channel] ?? openedTs;

/** The ts of the newest message, or '' without messages. All ts have the same length, so they compare as text. */
const findNewestTs = (messages: readonly Message[]) =>
  messages.reduce((newest, { ts }) => (ts > newest ? ts : newest), '');

export function changeMessages(
  state: PageState,
  channel: string,
  change: (messages: Message[]) => Message[],
): PageState {
  const { workspace } = state;
  if (workspace === undefined) return state;
  const messages = { ...workspace.messages, [channel]: change(workspace.messages[channel] ?? []) };
  return { ...state, workspace: { ...workspace, messages } };
}

/** Applies a message of the server that changes only the workspace, not the rest of the page. */
function updateWorkspace(workspace: Snapshot, serverMessage: ServerMessage): Snapshot {
  switch (serverMessage.type) {
    case 'changed':
      return { ...workspace, ...serverMessage.parts };
    case 'home':
      return { ...workspace, homes: { ...workspace.homes, [serverMessage.app]: serverMessage.home } };
    case 'app':
      return { ...workspace, apps: setConnected(workspace.apps, serverMessage) };
    case 'thread_status':
      return { ...workspace, statuses: setStatus(workspace.statuses, serverMessage.status) };
    default:
      return workspace;
  }
}

function setConnected(
  [first, ...others]: Snapshot['apps'],
  { app, connected }: { app: string; connected: boolean },
): Snapshot['apps'] {
  const change = (each: PageApp) => (each.botUserId === app ? { ...each, connected } : each);
  return [change(first), ...others.map(change)];
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

/** The tools, each with a panel beside the channel. */
export const TOOLS = [
  { key: 'steps', label: 'Steps', description: 'Run the app’s workflow steps' },
  { key: 'faults', label: 'Faults', description: 'Make the service or Slack fail, for practice' },
  { key: 'inspector', label: 'Inspector', description: 'Requests to the app and its API calls' },
] as const;

export type Tool = (typeof TOOLS)[number]['key'];

export interface PageState {
  connection: 'connecting' | 'open' | 'lost';
  /** The last snapshot, with all later changes applied. Undefined until the first snapshot. */
  workspace: Snapshot | undefined;
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
    hint: boolean;
    /** Hidden while a thread is open. */
    tool?: Tool | undefined;
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
  panels: { sidebar: false, hint: true },
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
      const changed = updateWorkspace(workspace, serverMessage);
      return changed === workspace ? state : { ...state, workspace: changed };
    }
  }
}

function applySnapshot(state: PageState, workspace: Snapshot): PageState {
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
      const values = computeValues(getRecords(open.view, 'blocks'), form?.values ?? open.values ?? {});
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
