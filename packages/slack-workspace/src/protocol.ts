import type { StepFunction } from './app-manifest.ts';
import type { FaultSwitch } from './faults/fault-switches.ts';
import type { Container, ElementState, ViewValues } from './page-request.ts';
import type { Channel, Chat, Person, StepRun, StoredMessage } from './state/saved-state.ts';

export type { Channel, Container, ElementState, Person, ViewValues };

/**
 * The protocol between the workspace's page and its server, over one WebSocket for each open page
 * (`/page/live?person=<user id>`). The server pushes each `ServerMessage`. The page sends a `PageRequest`, and gets one
 * `result` with the same `id`.
 *
 * Blocks, views and elements are Slack's own JSON, passed through unchanged.
 */

/** An uploaded file, for the page, which gets its bytes with `GET` {@link FileEntry.url}. */
export interface FileEntry {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  size: number;
  /** A path of this server, which the page can read without a token: `/page/slack-file?id=F…`. */
  url: string;
  altText?: string;
}

export interface Message extends Omit<StoredMessage, 'files' | 'metadata' | 'details' | 'run' | 'stream'> {
  files?: FileEntry[];
  isStreaming?: boolean;
}

/** An open modal. `values` is Slack's `view.state.values` as the server last stored it, including initial values. */
export interface OpenView {
  id: string;
  hash: string;
  /** Slack's view object: type, title, submit, close, blocks, callback_id … */
  view: Record<string, unknown>;
  /** block_id → message, from `response_action: "errors"`. */
  errors: Record<string, string>;
  values?: ViewValues;
  /** Id of the bot user of the app that opened it. */
  botUserId?: string;
}

/** The app's status in a thread, such as `is thinking…`. An empty status removes it. */
export interface ThreadStatus {
  channel: string;
  threadTs: string;
  status: string;
  /** Texts that the page shows in turn instead of the status. */
  loadingMessages: string[];
  /** Defaults to the app's name. */
  name?: string;
}

export type { Chat, StepRun };

/** The first message to a page: everything that the person sees. */
export interface Snapshot {
  type: 'snapshot';
  team: { id: string; name: string };
  /** All workspaces, if there are several. */
  teams?: { id: string; name: string }[];
  me: Person;
  /** At least the first app of the workspace. */
  apps: [PageApp, ...PageApp[]];
  /** Id of an app's bot user → its Home tab for this person, if it published one. */
  homes?: Record<string, PageHome>;
  people: Person[];
  channels: Channel[];
  commands: CommandEntry[];
  shortcuts: (ShortcutEntry & WithApp)[];
  /** channel id → its newest 200 messages, oldest first, including ephemeral ones for this person. */
  messages: Record<string, Message[]>;
  /** Ids of channels with older messages, which the page requests with `history`. */
  older?: string[];
  /** The time of the workspace's clock, in ms since the epoch. */
  now?: number;
  faults?: FaultSwitch[];
  /** The person's chats with the app, and the statuses in the threads that they see. */
  chats?: Chat[];
  statuses?: ThreadStatus[];
  steps?: (StepFunction & WithApp)[];
  stepRuns?: StepRun[];
  /** The number of records that the inspector shows. */
  maxRecords: number;
  views: OpenView[];
}

export type ServerMessage =
  | Snapshot
  /** Replaces parts of the snapshot. */
  | {
      type: 'changed';
      parts: Partial<Pick<Snapshot, 'people' | 'channels' | 'chats' | 'stepRuns' | 'faults'>>;
    }
  | { type: 'message'; message: Message }
  | { type: 'message_changed'; message: Message }
  | { type: 'message_deleted'; channel: string; ts: string }
  /** All open modals of this person, bottom first. Sent at every change. */
  | { type: 'views'; views: OpenView[] }
  | { type: 'thread_status'; status: ThreadStatus }
  /** `app` is the id of the app's bot user. */
  | { type: 'home'; app: string; home: PageHome }
  | { type: 'app'; app: string; connected: boolean }
  /** The clock was moved to this time, in ms since the epoch. */
  | { type: 'clock'; now: number }
  /** A notice of Slack's own, such as `/schedule-post failed with the error "operation_timeout"`. */
  | { type: 'notice'; channel?: string; text: string }
  | { type: 'traffic'; record: TrafficRecord }
  | { type: 'result'; id: number; ok: true; data?: unknown }
  | { type: 'result'; id: number; ok: false; error: string };

/** The answer to `history` and `replies`. `hasMore` says whether there are older messages than these. */
export interface OlderMessages {
  messages: Message[];
  hasMore: boolean;
}

export interface PageApp {
  name: string;
  description: string;
  botUserId: string;
  connected: boolean;
  isAssistant?: boolean;
  hasHome: boolean;
}

export interface PageHome {
  view: Record<string, unknown>;
  hash: string;
}

export interface CommandEntry {
  /** With the slash. */
  command: string;
  description: string;
  usageHint: string;
}

export interface ShortcutEntry {
  name: string;
  description: string;
  callbackId: string;
  type: 'global' | 'message';
}

/** The app of a shortcut or step. */
export interface WithApp {
  /** Ids of the app and of its bot user. */
  app: string;
  botUserId: string;
}

/** One request to the app, or one call by the app, with its answer. */
export interface TrafficRecord {
  id: string;
  /** The app's name. */
  app: string;
  direction: 'to-app' | 'from-app';
  /** The start by the workspace's clock, in ms since the epoch. */
  at: number;
  /** Requests: `slash_commands`, `events_api`, `block_actions` and so on. Calls: `Web API`, `response_url`, `upload`. */
  kind: string;
  /** The command, event, action_id, callback_id or method. */
  label: string;
  /** JSON with shortened tokens. */
  payload: string;
  /** JSON with shortened tokens. Undefined without an answer, and for an empty one. */
  answer?: string;
  /** Time until the answer. */
  durationMs?: number;
  outcome: 'waiting' | 'acknowledged' | 'answered' | 'late' | 'failed';
  /** Why it failed, such as `HTTP 500`, `the app is not connected` or `channel_not_found`. */
  reason?: string;
  call?: CallRights;
}

/** The token of a call, and the scopes that it had and needed. */
export interface CallRights {
  /** Undefined without a valid token. */
  token?: 'bot' | 'user' | 'app' | 'step';
  /** Scopes that the method accepts. One is enough. */
  accepted: readonly string[];
  /** Scopes of the token. */
  granted: readonly string[];
}
