import { createHash } from 'node:crypto';
import { formatReturnedBlocks, formatReturnedText } from '../blocks/returned-text.ts';
import type { Json } from '../json.ts';
import type { Site } from '../site.ts';
import { findAppByUser } from '../state/apps.ts';
import { buildIconsPart } from '../state/avatar.ts';
import { findChannel, findPerson } from '../state/directory.ts';
import { buildFileObjects } from '../state/files.ts';
import { isReply } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { buildRichTextElements } from './rich-text.ts';

/** `text` is escaped, as Slack returns it. */
type TextMessage = Pick<StoredMessage, 'channel' | 'ts' | 'text'>;

/** A stable source of ids for a message, so that they needn't be stored. */
function hashMessage({ channel, ts }: TextMessage): string {
  return createHash('sha256').update(`${channel} ${ts}`).digest('hex');
}

/** The rich_text block that Slack makes of a message without blocks. */
function buildTextBlocks(message: TextMessage): { blocks: Json[] } {
  const block_id = hashMessage(message).slice(-5);
  return { blocks: [{ type: 'rich_text', block_id, elements: buildRichTextElements(message.text) }] };
}

/** The fields that Slack's client adds to a typed message: an id, and the rich_text block. */
function buildTypedParts(message: TextMessage): Json {
  const client_msg_id = hashMessage(message).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  return { client_msg_id, ...buildTextBlocks(message) };
}

function buildPinPart(channel: string, pinned: NonNullable<StoredMessage['pinned']>): Json {
  return { pinned_to: [channel], pinned_info: buildPinnedInfoPart(channel, pinned) };
}

export function buildPinnedInfoPart(channel: string, { by, at }: NonNullable<StoredMessage['pinned']>): Json {
  return { channel, pinned_by: by, pinned_ts: Math.floor(at / 1000) };
}

function buildReactionObjects(reactions: NonNullable<StoredMessage['reactions']>): Json[] {
  return reactions.map(({ name, users }) => ({ name, users, count: users.length }));
}

/** The app as a bot, in bots.info and in its messages. */
export function buildBotObject(site: Site, name: string): Json {
  const { app } = site.state;
  return {
    id: app.botId,
    deleted: false,
    name,
    updated: 1_700_000_000,
    app_id: app.id,
    user_id: app.botUserId,
    icons: buildIconsPart(site),
  };
}

/** Subtypes of messages with an author's text. The others are about a channel, and name no app (@slack/types 3.2.0). */
const TEXT_SUBTYPES = new Set([undefined, 'bot_message', 'file_share', 'thread_broadcast']);

const hasAuthorText = ({ subtype }: StoredMessage) => TEXT_SUBTYPES.has(subtype);

/** The app of a message. A message with a custom name has only `bot_id` (@slack/types 3.2.0, `BotMessageEvent`). */
function buildBotPart(site: Site, message: StoredMessage): Json {
  const { app, team } = site.state;
  if (!hasAuthorText(message)) return {};
  if (message.username !== undefined) return { bot_id: app.botId };
  const bot_profile = { ...buildBotObject(site, site.manifest.name), team_id: team.id };
  return { bot_id: app.botId, app_id: app.id, bot_profile };
}

/** The fields of the first message of a thread, or of a reply. */
function buildThreadPart(site: Site, message: StoredMessage): Json {
  const { replyCount, replyUsers, latestReply, threadTs } = message;
  if (replyCount !== undefined && replyUsers) {
    return {
      thread_ts: message.ts,
      reply_count: replyCount,
      reply_users_count: replyUsers.length,
      latest_reply: latestReply,
      reply_users: replyUsers,
      is_locked: false,
      subscribed: false,
    };
  }
  if (threadTs === undefined) return {};
  const first = site.state.messages[message.channel]?.find((entry) => entry.ts === threadTs);
  return {
    thread_ts: threadTs,
    ...(first && isReply(message) ? { parent_user_id: first.user } : {}),
    ...(first && message.subtype === 'thread_broadcast' ? { root: buildMessageObject(site, first) } : {}),
  };
}

/** Messages about the topic or purpose have no `team`, and those with a custom name neither (@slack/types 3.2.0). */
const WITHOUT_TEAM = new Set<string | undefined>(['channel_topic', 'channel_purpose']);

/** In a shared channel, each message names the author's workspace (docs.slack.dev, "Slack Connect"). */
function buildTeamPart(site: Site, message: StoredMessage): Json {
  if (WITHOUT_TEAM.has(message.subtype) || message.username !== undefined) return {};
  const team = findPerson(site, message.user)?.from?.id ?? site.state.team.id;
  const shared = findChannel(site, message.channel)?.shared === true;
  return { team, ...(shared ? { user_team: team, source_team: team } : {}) };
}

/** The blocks of a message. Without blocks, Slack makes a rich_text block of the text. */
function buildBlocksPart(message: StoredMessage, isByApp: boolean, text: string): Json {
  const textMessage = { ...message, text };
  if (message.blocks) return { blocks: formatReturnedBlocks(message.blocks) };
  if (!isByApp) return message.subtype === undefined ? buildTypedParts(textMessage) : {};
  return hasAuthorText(message) && text !== '' ? buildTextBlocks(textMessage) : {};
}

/** A message in Slack's own shape, for events and the Web API. Metadata isn't included. */
export function buildMessageObject(site: Site, message: StoredMessage): Json {
  const author = findAppByUser(site, message.user);
  const isByApp = author !== undefined;
  const text = formatReturnedText(message.text);
  return {
    type: 'message',
    ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
    ...(message.subtype === 'tombstone' ? { hidden: true } : {}),
    // A message with a custom name has no `user`.
    ...(message.username === undefined ? { user: message.user } : {}),
    ...(author ? buildBotPart(author, message) : {}),
    text,
    ts: message.ts,
    ...buildTeamPart(site, message),
    ...message.details,
    ...(message.files
      ? { files: buildFileObjects(site, message.files), upload: isByApp, display_as_bot: false }
      : {}),
    ...buildBlocksPart(message, isByApp, text),
    ...(message.attachments ? { attachments: message.attachments } : {}),
    ...(message.username === undefined ? {} : { username: message.username }),
    ...(message.icons ? { icons: message.icons } : {}),
    ...buildThreadPart(site, message),
    // ChatStopStreamResponse of @slack/web-api has this key. Its values aren't documented.
    ...(message.stream ? { streaming_state: message.stream.isComplete ? 'completed' : 'in_progress' } : {}),
    ...(message.pinned ? buildPinPart(message.channel, message.pinned) : {}),
    ...(message.reactions ? { reactions: buildReactionObjects(message.reactions) } : {}),
    ...(message.edited === true ? { edited: { user: message.user, ts: message.ts } } : {}),
  };
}
