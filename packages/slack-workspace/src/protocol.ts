import type { FaultSwitch } from './faults/fault-switch.ts';
import type { CommandEntry, PageApp, PageHome, ShortcutEntry, WithApp } from './page-app.ts';
import type { Chat, StepRun } from './state/saved-agents.ts';
import type { StepFunction } from './step-function.ts';
import type { TrafficRecord } from './traffic/traffic-record.ts';

interface Channel {
  id: string;
  name: string;
  /** `mpim` is a group direct message. */
  kind: 'public' | 'private' | 'im' | 'mpim';
  topic: string;
  /** The last change of the topic: user id, and ms since the epoch. */
  topicSet?: { by: string; at: number };
  /** Shown as the channel's description. */
  purpose?: string;
  purposeSet?: { by: string; at: number };
  /** Id of the user who created it. */
  creator?: string;
  /** ms since the epoch. */
  createdAt?: number;
  updatedAt?: number;
  /** Newest first. */
  previousNames?: string[];
  /** User ids. */
  members: string[];
  /** People can still read an archived channel, but nobody can write there. */
  archived?: boolean;
  /** Shared with another workspace (Slack Connect). */
  shared?: boolean;
  /** Ids of workspaces and organisations that share the channel, besides those of its members. */
  sharedWith?: string[];
  /** True if another workspace was invited to share it, and hasn't accepted yet. */
  sharePending?: boolean;
  /** Shared between the workspaces of one organisation. */
  orgShared?: boolean;
  /** Only owners and admins can write here. */
  restricted?: boolean;
}

export type { Channel, CommandEntry, ShortcutEntry, TrafficRecord, WithApp };

/**
 * The protocol between the workspace's page and its server, over one WebSocket for each open page
 * (`/page/live?person=<user id>`). The server pushes each `ServerMessage`. The page sends a `PageRequest`, and gets one
 * `result` with the same `id`.
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
  /** A deactivated person is still named in old messages, but nobody can act as them. */
  deactivated?: boolean;
  /** The person's own workspace, if it is another one (Slack Connect). */
  from?: { id: string; name: string };
}

/** An uploaded file, for the page, which gets its bytes with `GET` {@link FileEntry.url}. */
export interface FileEntry {
  /** `F…` */
  id: string;
  name: string;
  title: string;
  mimetype: string;
  /** Bytes. */
  size: number;
  /** A path of this server, which the page can read without a token: `/page/slack-file?id=F…`. */
  url: string;
  altText?: string;
}

export interface Message {
  ts: string;
  channel: string;
  /** User id of the author. An app's messages are by its bot user. */
  user: string;
  text: string;
  blocks?: unknown[];
  attachments?: Record<string, unknown>[];
  /** The custom name and icon of the app in this message. */
  username?: string;
  icons?: Record<string, string>;
  threadTs?: string;
  edited?: boolean;
  /** User id of the only person who sees an ephemeral message. */
  ephemeralTo?: string;
  files?: FileEntry[];
  /** Slack's `subtype`, such as `channel_join`, or `tombstone` for a deleted message with replies. */
  subtype?: string;
  /**
   * Only the first message of a thread has the number of replies, up to 5 of their authors, and the newest one's ts.
   */
  replyCount?: number;
  replyUsers?: string[];
  latestReply?: string;
  pinned?: { by: string; at: number };
  /** Whether the app is still streaming the message. */
  isStreaming?: boolean;
  /** Names of emoji without colons, with the ids of the people who reacted. */
  reactions?: { name: string; users: string[] }[];
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

export type ServerMessage =
  | {
      type: 'snapshot';
      team: { id: string; name: string };
      /** All workspaces, if there are several. */
      teams?: { id: string; name: string }[];
      me: Person;
      app: PageApp;
      /** All apps except the first one, with their Home tabs. */
      otherApps?: (PageApp & { home?: PageHome })[];
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
      /** The apps' workflow steps, and the person's runs of them. */
      steps?: (StepFunction & WithApp)[];
      stepRuns?: StepRun[];
      /** The number of records that the inspector shows. */
      maxRecords: number;
      views: OpenView[];
      /** The app's Home tab for this person, if it published one. */
      home?: PageHome;
    }
  | { type: 'message'; message: Message }
  | { type: 'message_changed'; message: Message }
  | { type: 'message_deleted'; channel: string; ts: string }
  /** All open modals of this person, bottom first. Sent at every change. */
  | { type: 'views'; views: OpenView[] }
  | { type: 'chats'; chats: Chat[] }
  | { type: 'step_runs'; runs: StepRun[] }
  | { type: 'thread_status'; status: ThreadStatus }
  /** `app` is the id of the app's bot user. Defaults to the first app. */
  | ({ type: 'home'; app?: string } & PageHome)
  | { type: 'channels'; channels: Channel[] }
  | { type: 'people'; people: Person[] }
  /** The clock was moved to this time, in ms since the epoch. */
  | { type: 'clock'; now: number }
  /** A notice of Slack's own, such as `/schedule-post failed with the error "operation_timeout"`. */
  | { type: 'notice'; channel?: string; text: string }
  | { type: 'app'; app?: string; connected: boolean }
  /** All switches. Sent when one changes. */
  | { type: 'faults'; switches: FaultSwitch[] }
  | { type: 'traffic'; record: TrafficRecord }
  | { type: 'result'; id: number; ok: true; data?: unknown }
  | { type: 'result'; id: number; ok: false; error: string };

/** The message or view of an element. */
export type Container =
  | { type: 'message'; channel: string; ts: string }
  | { type: 'view'; viewId: string }
  /** `app` is the id of the app's bot user. Defaults to the first app. */
  | { type: 'home'; app?: string };

/**
 * The state of one element in Slack's own shape, as in `view.state.values[block_id][action_id]`:
 * `{ type: 'plain_text_input', value }`, `{ type: 'static_select', selected_option }`,
 * `{ type: 'checkboxes', selected_options }`, `{ type: 'datepicker', selected_date }`, …
 */
export type ElementState = { type: string; [key: string]: unknown };

/** block_id → action_id → state. */
export type ViewValues = Record<string, Record<string, ElementState>>;

/** The answer to `history` and `replies`. `hasMore` says whether there are older messages than these. */
export interface OlderMessages {
  messages: Message[];
  hasMore: boolean;
}
