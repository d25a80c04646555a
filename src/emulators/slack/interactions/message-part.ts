import { formatReturnedBlocks } from '../blocks/returned-blocks.ts';
import { formatReturnedText } from '../blocks/returned-text.ts';
import type { Json } from '../json.ts';
import type { Site } from '../site.ts';
import { findAppByUser } from '../state/apps.ts';
import { iconsPart } from '../state/avatar.ts';
import { findChannel, findPerson } from '../state/directory.ts';
import { fileObjects } from '../state/file-object.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { isReply } from '../state/threads.ts';
import { textBlocks, typedParts } from './typed-blocks.ts';

/** Where a message is pinned, and by whom. */
function pinPart(channel: string, pinned: NonNullable<StoredMessage['pinned']>): Json {
  return { pinned_to: [channel], pinned_info: pinnedInfo(channel, pinned) };
}

export function pinnedInfo(channel: string, { by, at }: NonNullable<StoredMessage['pinned']>): Json {
  return { channel, pinned_by: by, pinned_ts: Math.floor(at / 1000) };
}

/** The reactions of a message as Slack lists them. */
function reactionObjects(reactions: NonNullable<StoredMessage['reactions']>): Json[] {
  return reactions.map(({ name, users }) => ({ name, users, count: users.length }));
}

/** Who an app's message says it is from. */
function botProfile(site: Site): Json {
  const { app, team } = site.state;
  return {
    id: app.botId,
    deleted: false,
    name: site.manifest.name,
    updated: 1_700_000_000,
    app_id: app.id,
    user_id: app.botUserId,
    icons: iconsPart(site),
    team_id: team.id,
  };
}

/** Subtypes of messages that somebody wrote. The others are about a channel, and name no app (@slack/types 3.2.0). */
const WRITTEN = new Set<string | undefined>([undefined, 'bot_message', 'file_share', 'thread_broadcast']);

const isWritten = ({ subtype }: StoredMessage) => WRITTEN.has(subtype);

/** The app that wrote a message. One under another name says only the bot (@slack/types 3.2.0, `BotMessageEvent`). */
function authorPart(site: Site, message: StoredMessage): Json {
  const { botId, id } = site.state.app;
  if (!isWritten(message)) return {};
  return message.username === undefined
    ? { bot_id: botId, app_id: id, bot_profile: botProfile(site) }
    : { bot_id: botId };
}

/** Where it stands in a thread: as the first message, or as a reply. */
function threadPart(site: Site, message: StoredMessage): Json {
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
    ...(first && message.subtype === 'thread_broadcast' ? { root: messagePart(site, first) } : {}),
  };
}

/** Messages about the topic or purpose name no team (@slack/types 3.2.0), nor do those under another name. */
const WITHOUT_TEAM = new Set<string | undefined>(['channel_topic', 'channel_purpose']);

/** In a shared channel each message says whose it is (docs.slack.dev, "Slack Connect"). */
function teamPart(site: Site, message: StoredMessage): Json {
  if (WITHOUT_TEAM.has(message.subtype) || message.username !== undefined) return {};
  const team = findPerson(site, message.user)?.from?.id ?? site.state.team.id;
  const shared = findChannel(site, message.channel)?.shared === true;
  return { team, ...(shared ? { user_team: team, source_team: team } : {}) };
}

/** The blocks of a message. Slack makes one of the text if there are none. */
function blocksPart(message: StoredMessage, isByApp: boolean, text: string): Json {
  const said = { ...message, text };
  if (message.blocks) return { blocks: formatReturnedBlocks(message.blocks) };
  if (!isByApp) return message.subtype === undefined ? typedParts(said) : {};
  return isWritten(message) && text !== '' ? textBlocks(said) : {};
}

/** A message as Slack shows it to an app. Its metadata only where that was asked for. */
export function messagePart(site: Site, message: StoredMessage): Json {
  const author = findAppByUser(site, message.user);
  const byApp = author !== undefined;
  const text = formatReturnedText(message.text);
  return {
    type: 'message',
    ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
    ...(message.subtype === 'tombstone' ? { hidden: true } : {}),
    // A message under another name has no user.
    ...(message.username === undefined ? { user: message.user } : {}),
    ...(author ? authorPart(author, message) : {}),
    text,
    ts: message.ts,
    ...teamPart(site, message),
    ...message.details,
    ...(message.files
      ? { files: fileObjects(site, message.files), upload: byApp, display_as_bot: false }
      : {}),
    ...blocksPart(message, byApp, text),
    ...(message.attachments ? { attachments: message.attachments } : {}),
    ...(message.username === undefined ? {} : { username: message.username }),
    ...(message.icons ? { icons: message.icons } : {}),
    ...threadPart(site, message),
    // @slack/web-api's ChatStopStreamResponse has it; its values are not documented.
    ...(message.stream ? { streaming_state: message.stream.isComplete ? 'completed' : 'in_progress' } : {}),
    ...(message.pinned ? pinPart(message.channel, message.pinned) : {}),
    ...(message.reactions ? { reactions: reactionObjects(message.reactions) } : {}),
    ...(message.edited === true ? { edited: { user: message.user, ts: message.ts } } : {}),
  };
}
