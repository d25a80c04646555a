import { z } from 'zod';

// Times are in ms since the epoch, sizes in bytes or pixels. Fields named after people, files or apps hold their ids.

const json = z.record(z.string(), z.unknown());

/** A streamed message, which grows until the app completes it. */
const stream = z.object({
  isComplete: z.boolean(),
  /** `timeline` shows tasks between the texts, `plan` shows all of them in one plan. */
  tasks: z.enum(['timeline', 'plan']),
  /** User id of the only person who sees the message grow. Absent in direct messages. */
  recipient: z.string().exactOptional(),
  /** The content that other people see until the message is complete. */
  first: z.object({ text: z.string(), blocks: z.array(json).exactOptional() }),
});

const prompt = z.object({ title: z.string(), message: z.string() });

const prompts = z.object({ title: z.string().exactOptional(), prompts: z.array(prompt) });

/** A chat with the app as an assistant: a thread of its direct message with a person. */
const chat = z.object({
  channel: z.string(),
  ts: z.string(),
  person: z.string(),
  title: z.string().exactOptional(),
  /** Id of the channel where the person is during the chat. */
  context: z.string().exactOptional(),
  prompts: prompts.exactOptional(),
});

const stepRun = z.object({
  id: z.string(),
  workflow: z.string(),
  callbackId: z.string(),
  app: z.string().exactOptional(),
  title: z.string(),
  person: z.string(),
  inputs: json,
  state: z.enum(['running', 'completed', 'failed']),
  outputs: json.exactOptional(),
  error: z.string().exactOptional(),
  startedAt: z.number(),
});

export type StepRun = z.infer<typeof stepRun>;
export type Stream = z.infer<typeof stream>;
export type Prompts = z.infer<typeof prompts>;
export type Chat = z.infer<typeof chat>;

/**
 * A file. It has a `ticket` until its bytes are uploaded, `completedAt` once the upload is completed, and `deleted`
 * once it is deleted. Messages and blocks can show it between completion and deletion.
 */
const file = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  mimetype: z.string(),
  size: z.number(),
  user: z.string(),
  madeAt: z.number(),
  altText: z.string().exactOptional(),
  /** The last part of the upload address. Absent after the upload. */
  ticket: z.string().exactOptional(),
  completedAt: z.number().exactOptional(),
  deleted: z.boolean().exactOptional(),
  width: z.number().exactOptional(),
  height: z.number().exactOptional(),
  /** A text file that Slack shows in a message: `text` has its first lines, and `lines` is the number of all lines. */
  snippet: z.object({ type: z.string(), lines: z.number(), text: z.string() }).exactOptional(),
  /** The messages with this file. */
  shares: z.array(z.object({ channel: z.string(), ts: z.string() })),
});

export type StoredFile = z.infer<typeof file>;

const elementState = z.looseObject({ type: z.string() });

const person = z.object({
  id: z.string(),
  /** The handle, without @. */
  name: z.string(),
  realName: z.string(),
  /** IANA zone, as in Slack's `users.info` → `tz`. */
  tz: z.string(),
  /** BCP 47, e.g. `en-US`. */
  locale: z.string(),
  /** The first owner is the primary one. A guest is in some channels, a single-channel guest in one. */
  role: z.enum(['owner', 'admin', 'member', 'guest', 'single-channel-guest']),
  isBot: z.boolean(),
  /** A CSS colour for the drawn avatar. */
  color: z.string(),
  /** Defaults to the handle at example.com. */
  email: z.string().exactOptional(),
  phone: z.string().exactOptional(),
  /** Such as "Head roaster". */
  title: z.string().exactOptional(),
  /** A deactivated person is still named in old messages, but nobody can act as them. */
  deactivated: z.boolean().exactOptional(),
  /** The person's own workspace, if it is another one (Slack Connect). */
  from: z.object({ id: z.string(), name: z.string() }).exactOptional(),
});

/** Who changed something, and when: a user id, and ms since the epoch. */
const change = z.object({ by: z.string(), at: z.number() });

const channel = z.object({
  id: z.string(),
  name: z.string(),
  /** `mpim` is a group direct message. */
  kind: z.enum(['public', 'private', 'im', 'mpim']),
  topic: z.string(),
  topicSet: change.exactOptional(),
  /** Shown as the channel's description. */
  purpose: z.string().exactOptional(),
  purposeSet: change.exactOptional(),
  creator: z.string().exactOptional(),
  createdAt: z.number().exactOptional(),
  updatedAt: z.number().exactOptional(),
  /** Newest first. */
  previousNames: z.array(z.string()).exactOptional(),
  members: z.array(z.string()),
  /** People can still read an archived channel, but nobody can write there. */
  archived: z.boolean().exactOptional(),
  /** Shared with another workspace (Slack Connect). */
  shared: z.boolean().exactOptional(),
  /** Ids of workspaces and organisations that share the channel, besides those of its members. */
  sharedWith: z.array(z.string()).exactOptional(),
  /** True if another workspace was invited to share it, and hasn't accepted yet. */
  sharePending: z.boolean().exactOptional(),
  /** Shared between the workspaces of one organisation. */
  orgShared: z.boolean().exactOptional(),
  /** Only owners and admins can write here. */
  restricted: z.boolean().exactOptional(),
});

const message = z.object({
  ts: z.string(),
  channel: z.string(),
  user: z.string(),
  text: z.string(),
  blocks: z.array(json).exactOptional(),
  attachments: z.array(json).exactOptional(),
  /** The app's name and icon in this message. `icons` has the keys `emoji` or `image_64`. */
  username: z.string().exactOptional(),
  icons: z.record(z.string(), z.string()).exactOptional(),
  threadTs: z.string().exactOptional(),
  edited: z.boolean().exactOptional(),
  /** User id of the only person who sees an ephemeral message. */
  ephemeralTo: z.string().exactOptional(),
  files: z.array(z.string()).exactOptional(),
  /** Slack's `subtype`, such as `channel_join`, or `tombstone` for a deleted message with replies. */
  subtype: z.string().exactOptional(),
  /** The fields of its subtype, such as `topic`. */
  details: json.exactOptional(),
  /** Slack's message metadata: `event_type` and `event_payload`. */
  metadata: json.exactOptional(),
  /** Only the first message of a thread has the number of replies, up to 5 of their authors, and the newest one's ts. */
  replyCount: z.number().exactOptional(),
  replyUsers: z.array(z.string()).exactOptional(),
  latestReply: z.string().exactOptional(),
  pinned: change.exactOptional(),
  stream: stream.exactOptional(),
  run: z.string().exactOptional(),
  /** Names of emoji without colons, in the order of their first use, with the ids of the people who reacted. */
  reactions: z.array(z.object({ name: z.string(), users: z.array(z.string()) })).exactOptional(),
});

const scheduledMessage = z.object({
  id: z.string(),
  postAt: z.number(),
  madeAt: z.number(),
  message: message.omit({ ts: true }),
});

const view = z.object({
  id: z.string(),
  hash: z.string(),
  person: z.string(),
  app: z.string().exactOptional(),
  rootId: z.string(),
  previousId: z.string().nullable(),
  view: json,
  run: z.string().exactOptional(),
  errors: z.record(z.string(), z.string()),
  values: z.record(z.string(), z.record(z.string(), elementState)),
});

const responseUrl = z.object({
  secret: z.string(),
  channel: z.string(),
  person: z.string(),
  madeAt: z.number(),
  uses: z.number(),
  ts: z.string().exactOptional(),
});

const userGroup = z.object({
  id: z.string(),
  /** Without the `@`. */
  handle: z.string(),
  name: z.string(),
  users: z.array(z.string()),
  disabled: z.boolean(),
  madeAt: z.number(),
  changedAt: z.number(),
});

/** The state of one workspace, as a part of the state file. */
export const savedState = z.object({
  version: z.literal(1),
  team: z.object({
    id: z.string(),
    name: z.string(),
    domain: z.string(),
    organisation: z.string().exactOptional(),
  }),
  app: z.object({
    id: z.string(),
    botId: z.string(),
    botUserId: z.string(),
    /** The error for calls of the app after an owner revoked its token or uninstalled it. */
    ended: z.enum(['token_revoked', 'account_inactive']).exactOptional(),
    absent: z.boolean().exactOptional(),
    /** The holder of the tokens of an app other than the first one: `T…/A…`. */
    holder: z.string().exactOptional(),
    /** Id of the organisation for which the app was installed: `E…`. Absent if the workspace installed it. */
    organisation: z.string().exactOptional(),
  }),
  people: z.array(person),
  channels: z.array(channel),
  /** channel id → messages, oldest first. */
  messages: z.record(z.string(), z.array(message)),
  /** person id → open modals, bottom first. */
  modals: z.record(z.string(), z.array(view)),
  /** person id → their Home tab of the app. */
  homes: z.record(z.string(), view),
  responseUrls: z.array(responseUrl),
  /** file id → file. A file store has the bytes. */
  files: z.record(z.string(), file).default({}),
  scheduled: z.array(scheduledMessage).default([]),
  userGroups: z.array(userGroup).default([]),
  chats: z.array(chat).default([]),
  stepRuns: z.array(stepRun).default([]),
  /** Name of a custom emoji → address of its picture, or `alias:` and another name. */
  emoji: z.record(z.string(), z.string()).default({}),
  /** The ts of the newest message. The next ts is later, even if the clock was set back. */
  lastTs: z.string(),
});

export type SavedState = z.infer<typeof savedState>;
export type Person = z.infer<typeof person>;
export type Channel = z.infer<typeof channel>;
export type StoredMessage = z.infer<typeof message>;
export type MessageContent = Pick<StoredMessage, 'text' | 'blocks' | 'attachments'>;
export type ScheduledMessage = z.infer<typeof scheduledMessage>;
export type UserGroup = z.infer<typeof userGroup>;
export type StoredView = z.infer<typeof view>;
export type StoredResponseUrl = z.infer<typeof responseUrl>;

/** A token of the app with its rights. */
const grant = z.object({
  token: z.string(),
  /** `step` is a token of one run of a workflow step. */
  kind: z.enum(['bot', 'user', 'step']),
  /** The workspace or organisation in which the app is installed: `T…`, `E…`, or `T…/A…` for other apps. */
  holder: z.string(),
  /** Id of the user whose token it is: the bot user, or a person. */
  user: z.string(),
  /** Defaults to the scopes of the manifest. */
  scopes: z.array(z.string()).exactOptional(),
  /** The run of a step: `Fx…`. */
  run: z.string().exactOptional(),
  /** ms since the epoch. Only with token rotation, and for steps. */
  expiresAt: z.number().exactOptional(),
  /** The refresh token, which can be exchanged once. */
  refresh: z.string().exactOptional(),
  /** When the refresh token was first used, in ms since the epoch. */
  refreshedAt: z.number().exactOptional(),
  /** The error for calls with this token after its end. */
  ended: z.enum(['token_revoked', 'account_inactive']).exactOptional(),
});

const organisation = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  /** The app's bot user, if it is installed for the whole organisation. */
  botId: z.string(),
  botUserId: z.string(),
});

/** Incremented when the shape of the state file changes. A state of an earlier version is moved aside. */
const VERSION = 2;

export const savedSlack = z.object({
  version: z.literal(VERSION),
  /** All workspaces. The first one always exists. */
  teams: z.array(savedState).min(1),
  organisations: z.array(organisation),
  grants: z.array(grant),
  /** The lead of the workspace's clock over the computer's, in ms. */
  clockOffset: z.number(),
});

export type SavedSlack = z.infer<typeof savedSlack>;
export type Grant = z.infer<typeof grant>;
export type Organisation = z.infer<typeof organisation>;

const newerState = z.looseObject({ version: z.number().gt(VERSION) });

export const isNewer = (stored: unknown): boolean => newerState.safeParse(stored).success;
