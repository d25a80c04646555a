import { z } from 'zod';
import { chat, stepRun, stream } from './saved-agents.ts';
import { file } from './saved-file.ts';

const json = z.record(z.string(), z.unknown());
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
  /** Id of the user who created it. */
  creator: z.string().exactOptional(),
  /** ms since the epoch. */
  createdAt: z.number().exactOptional(),
  updatedAt: z.number().exactOptional(),
  /** Newest first. */
  previousNames: z.array(z.string()).exactOptional(),
  /** User ids. */
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
  /** User id of the author. An app's messages are by its bot user. */
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
  /** Ids of files. */
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

/** A message of chat.scheduleMessage. */
const scheduledMessage = z.object({
  /** `Q…` */
  id: z.string(),
  /** ms since the epoch. */
  postAt: z.number(),
  madeAt: z.number(),
  message: message.omit({ ts: true }),
});

const view = z.object({
  id: z.string(),
  hash: z.string(),
  person: z.string(),
  /** Id of the app that opened it. */
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
  /** User ids. */
  users: z.array(z.string()),
  disabled: z.boolean(),
  /** ms since the epoch. */
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
    /** Id of its organisation: `E…`. */
    organisation: z.string().exactOptional(),
  }),
  app: z.object({
    id: z.string(),
    botId: z.string(),
    botUserId: z.string(),
    /** The error for calls of the app after an owner revoked its token or uninstalled it. */
    ended: z.enum(['token_revoked', 'account_inactive']).exactOptional(),
    /** True if the app isn't installed in this workspace. */
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
