import type { Bookmark, Channel } from './channel.ts';
import type { FaultSwitch } from './faults/fault-switch.ts';
import type { CommandEntry, OfAnApp, PageApp, PageHome, ShortcutEntry } from './page-app.ts';
import type { Chat, StepRun } from './state/saved-agents.ts';
import type { StepFunction } from './step-function.ts';
import type { TrafficRecord } from './traffic/traffic-record.ts';

export type { Bookmark, Channel, CommandEntry, OfAnApp, ShortcutEntry, TrafficRecord };

/**
 * What the workspace's page and its server say to each other over one WebSocket per open page
 * (`/page/live?person=<user id>`): the server pushes `ServerMessage`s, the page asks with `PageRequest`s and each
 * is answered by one `result` with the same `id`. Types only: the page reads them through JSDoc.
 *
 * Blocks, views and elements are Slack's own JSON, passed through unchanged.
 */

export interface Person {
  id: string;
  /** The handle, without @. */
  name: string;
  realName: string;
  /** IANA zone, as in Slack's `users.info` → `tz`. */
  tz: string;
  /** BCP 47, e.g. `en-US`. */
  locale: string;
  /** The first owner is the primary one. A guest is in some channels, a single-channel guest in one. */
  role: 'owner' | 'admin' | 'member' | 'guest' | 'single-channel-guest';
  isBot: boolean;
  /** A CSS colour for the drawn avatar. */
  color: string;
  /** Defaults to the handle at example.com. */
  email?: string;
  phone?: string;
  /** Such as "Head roaster". */
  title?: string;
  /** The account was deactivated: still named in old messages, and nobody acts as them. */
  deactivated?: boolean;
  /** The workspace that this person belongs to, where it is not this one (Slack Connect). */
  from?: { id: string; name: string };
}

/** A file that was uploaded, for the page. Its bytes: `GET` {@link FileEntry.url}. */
export interface FileEntry {
  /** `F…`, as in a `slack_file`. */
  id: string;
  name: string;
  title: string;
  mimetype: string;
  /** Bytes. */
  size: number;
  /** Of this server, to be read by the page without a token: `/page/slack-file?id=F…`. */
  url: string;
  altText?: string;
}

export interface Message {
  ts: string;
  channel: string;
  /** User id of the writer; the app writes as its bot user. */
  user: string;
  text: string;
  blocks?: unknown[];
  attachments?: Record<string, unknown>[];
  /** The name and picture that the app chose for this message. */
  username?: string;
  icons?: Record<string, string>;
  threadTs?: string;
  edited?: boolean;
  /** Only this person sees it ("Only visible to you"). */
  ephemeralTo?: string;
  files?: FileEntry[];
  /** `channel_join`, `tombstone` (a deleted message that has replies) …: what Slack calls `subtype`. */
  subtype?: string;
  /** On the first message of a thread: how many replies, by whom (at most 5), and the ts of the newest. */
  replyCount?: number;
  replyUsers?: string[];
  latestReply?: string;
  pinned?: { by: string; at: number };
  /** The app is still writing it. */
  isStreaming?: boolean;
  /** Emoji names without colons, with the ids of those who reacted. */
  reactions?: { name: string; users: string[] }[];
}

/** An open modal. `values` are what Slack calls `view.state.values`, as last known to the server: initial values included. */
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

/** What the app says that it is doing in a thread: `is thinking…`. Empty: nothing more. */
export interface ThreadStatus {
  channel: string;
  threadTs: string;
  status: string;
  /** To be shown by turns meanwhile. */
  loadingMessages: string[];
  /** Instead of the app's own name. */
  name?: string;
}

export type { Chat, StepRun };

export type ServerMessage =
  | {
      type: 'snapshot';
      team: { id: string; name: string };
      /** Where it is one of several workspaces: all of them. */
      teams?: { id: string; name: string }[];
      me: Person;
      app: PageApp;
      /** Further apps, with their Home tabs. */
      otherApps?: (PageApp & { home?: PageHome })[];
      people: Person[];
      channels: Channel[];
      commands: CommandEntry[];
      shortcuts: (ShortcutEntry & OfAnApp)[];
      /** channel id → its messages, oldest first (the last 200), ephemeral ones for this person included. */
      messages: Record<string, Message[]>;
      /** Channel ids with older messages than these: see `history`. */
      older?: string[];
      /** The workspace's clock, ms since the epoch: tests can move it. */
      now?: number;
      faults?: FaultSwitch[];
      /** The person's chats with the app, and what it does in threads. */
      chats?: Chat[];
      statuses?: ThreadStatus[];
      /** The apps' steps for workflows, and the person's runs of them. */
      steps?: (StepFunction & OfAnApp)[];
      stepRuns?: StepRun[];
      /** How many records the inspector looks back at. */
      maxRecords: number;
      views: OpenView[];
      /** The app's Home tab for this person, if it published one. */
      home?: PageHome;
    }
  | { type: 'message'; message: Message }
  | { type: 'message_changed'; message: Message }
  | { type: 'message_deleted'; channel: string; ts: string }
  /** The whole stack of this person's open modals, bottom first; sent at every change of it. */
  | { type: 'views'; views: OpenView[] }
  | { type: 'chats'; chats: Chat[] }
  | { type: 'step_runs'; runs: StepRun[] }
  | { type: 'thread_status'; status: ThreadStatus }
  /** `app` is the user id of a further app. */
  | ({ type: 'home'; app?: string } & PageHome)
  | { type: 'channels'; channels: Channel[] }
  | { type: 'people'; people: Person[] }
  /** The clock was moved. ms since the epoch. */
  | { type: 'clock'; now: number }
  /** What Slack says itself, as Slackbot does: e.g. `/schedule-post failed with the error "operation_timeout"`. */
  | { type: 'notice'; channel?: string; text: string }
  | { type: 'app'; app?: string; connected: boolean }
  /** All switches, whenever one was switched. */
  | { type: 'faults'; switches: FaultSwitch[] }
  | { type: 'traffic'; record: TrafficRecord }
  | { type: 'result'; id: number; ok: true; data?: unknown }
  | { type: 'result'; id: number; ok: false; error: string };

/** Where an element stands. */
export type Container =
  | { type: 'message'; channel: string; ts: string }
  | { type: 'view'; viewId: string }
  /** User id of the app. Defaults to the first one. */
  | { type: 'home'; app?: string };

/**
 * The state of one element in Slack's own shape, as it stands in `view.state.values[block_id][action_id]`:
 * `{ type: 'plain_text_input', value }`, `{ type: 'static_select', selected_option }`,
 * `{ type: 'checkboxes', selected_options }`, `{ type: 'datepicker', selected_date }`, …
 */
export type ElementState = { type: string; [key: string]: unknown };

/** block_id → action_id → state. */
export type ViewValues = Record<string, Record<string, ElementState>>;

/** Answers `history` and `replies`; `more`: there are older ones still. */
export interface OlderMessages {
  messages: Message[];
  hasMore: boolean;
}
