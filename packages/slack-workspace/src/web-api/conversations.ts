import { joinChannel } from '../interactions/change-channel.ts';
import { buildMessageObject } from '../interactions/message-object.ts';
import { listPinnedMessages } from '../interactions/pins-and-reactions.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { buildChannelObject, buildChannelObjectWithCount } from '../state/channel-object.ts';
import {
  findPerson,
  isDirect,
  listVisibleChannels,
  openDirectMessage,
  openGroupMessage,
} from '../state/directory.ts';
import { requireScope, requireScopeIn } from '../state/grants.ts';
import { findMessage, isReply } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { bot, type Call, type Methods, readChannel, requireMember, requireNoBot } from './call.ts';
import { paginate } from './method-rules.ts';

/** The values of `types`. */
const KINDS = new Map<string, Channel['kind']>([
  ['public_channel', 'public'],
  ['private_channel', 'private'],
  ['im', 'im'],
  ['mpim', 'mpim'],
]);

/** Applies `types` and `exclude_archived`. */
function filterChannels(call: Call, channels: readonly Channel[]): readonly Channel[] {
  const types = (call.readText('types') ?? 'public_channel').split(',');
  const kinds = types.map((type) => {
    const kind = KINDS.get(type.trim());
    if (kind === undefined) throw new Refusal('invalid_types');
    requireScopeIn(call.site, kind, 'read');
    return kind;
  });
  const excludesArchived = call.readFlag('exclude_archived');
  return channels.filter(
    ({ kind, archived }) => kinds.includes(kind) && !(excludesArchived && archived === true),
  );
}

/** People of other workspaces must share a channel (docs.slack.dev/reference/methods/conversations.open). */
function requireSharedChannel(site: Site, people: readonly string[]): void {
  const external = people.filter((id) => findPerson(site, id)?.from);
  const isShared = site.state.channels.some(
    (channel) => !isDirect(channel) && external.every((id) => channel.members.includes(id)),
  );
  if (!isShared) throw new Refusal('invalid_user_combination');
}

/** Opens a direct message or, for several people, a group direct message. Ignores duplicates and the app itself. */
function openChannel(call: Call, users: readonly string[]): Channel {
  const bot = call.botUser;
  const people = users.map((id) => {
    const person = findPerson(call.site, id);
    if (!person) throw new Refusal('user_not_found');
    if (person.deactivated === true) throw new Refusal('user_disabled');
    if (users.length === 1) requireNoBot(person);
    return person.id;
  });
  requireSharedChannel(call.site, people);
  const [first, second] = [...new Set(people.filter((id) => id !== bot))];
  const isGroup = second !== undefined;
  requireScope(call.site, [isGroup ? 'mpim:write' : 'im:write']);
  return isGroup
    ? openGroupMessage(call.site, [...people, bot])
    : openDirectMessage(call.site, first ?? bot, bot);
}

/** Messages on a page (docs.slack.dev/reference/methods/conversations.history). */
const DEFAULT_MESSAGES = 100;
const MAX_MESSAGES = 999;
/** Replies on a page, which is also the default (docs.slack.dev/reference/methods/conversations.replies). */
const MAX_REPLIES = 1000;

function readHistoryChannel(call: Call): Channel {
  const channel = readChannel(call);
  requireScopeIn(call.site, channel.kind, 'history');
  requireMember(call.site, channel);
  return channel;
}

function readTs(call: Call, name: 'oldest' | 'latest'): number | undefined {
  const text = call.readText(name);
  if (text === undefined || text === 'now') return undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Refusal(`invalid_ts_${name}`);
  return Number(text);
}

function readLimit(call: Call, defaultLimit: number, maxLimit: number): number {
  const given = Number(call.readText('limit') ?? defaultLimit);
  const limit = Number.isInteger(given) && given > 0 ? Math.min(given, maxLimit) : defaultLimit;
  return Math.min(limit, call.site.rateLimits?.maxMessages ?? Infinity);
}

/** Applies `oldest`, `latest` and `inclusive`. */
function filterByTime(call: Call, messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const [oldest, latest] = [readTs(call, 'oldest'), readTs(call, 'latest')];
  const inclusive = call.readFlag('inclusive');
  return messages.filter((message) => {
    const ts = Number(message.ts);
    if (inclusive && (ts === oldest || ts === latest)) return true;
    return (oldest === undefined || ts > oldest) && (latest === undefined || ts < latest);
  });
}

/** Finds the first message of the page. The cursor has the `ts` of the last message on the page before. */
function findPageStart(call: Call, all: readonly StoredMessage[]): number {
  const cursor = call.readText('cursor');
  if (cursor === undefined) return 0;
  const [, after] = /^next_ts:(\d+\.\d+)$/.exec(Buffer.from(cursor, 'base64').toString()) ?? [];
  const start = all.findIndex((message) => message.ts === after) + 1;
  if (start === 0) throw new Refusal('invalid_cursor');
  return start;
}

/** `parent` is the first message of a thread, which every page contains. */
function buildAnswer(call: Call, all: readonly StoredMessage[], limit: number, parent?: StoredMessage): Json {
  const start = findPageStart(call, all);
  const page = all.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && start + limit < all.length;
  const next_cursor = Buffer.from(`next_ts:${last?.ts}`).toString('base64');
  const includesMetadata = call.readFlag('include_all_metadata');
  return {
    messages: [...(parent ? [parent] : []), ...page].map((message) => ({
      ...buildMessageObject(call.site, message),
      ...(includesMetadata && message.metadata ? { metadata: message.metadata } : {}),
    })),
    has_more: hasMore,
    ...(hasMore ? { response_metadata: { next_cursor } } : {}),
  };
}

// Which of these scopes a call needs depends on the kind of conversation: see requireScopeIn and requireWriteIn.
const READ_SCOPES = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const HISTORY_SCOPES = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];
const OPEN_SCOPES = ['channels:manage', 'groups:write', 'im:write', 'mpim:write'];

// "Must be an integer under 1000". 1,000 itself was documented earlier, and works.
const STRICT = { isStrict: true };

export const CONVERSATION_METHODS: Methods = {
  'conversations.info': bot(3, READ_SCOPES, (call) => {
    const channel = readChannel(call);
    requireScopeIn(call.site, channel.kind, 'read');
    const toObject = call.readFlag('include_num_members') ? buildChannelObjectWithCount : buildChannelObject;
    const channelPart = channel.kind === 'im' ? {} : { is_frozen: false, properties: {} };
    const localePart = call.readFlag('include_locale') ? { locale: 'en-US' } : {};
    return { channel: { ...toObject(call.site, channel), ...channelPart, ...localePart } };
  }),
  'conversations.list': bot(2, READ_SCOPES, (call) => {
    const all = filterChannels(call, listVisibleChannels(call.site, call.botUser));
    const { page, next } = paginate(call, all, STRICT);
    return { channels: page.map((channel) => buildChannelObjectWithCount(call.site, channel)), ...next };
  }),
  /** Lists the conversations that `user` is a member of. Defaults to the app. */
  'users.conversations': bot(3, READ_SCOPES, (call) => {
    const member = call.readText('user') ?? call.botUser;
    const visible = filterChannels(call, listVisibleChannels(call.site, call.botUser));
    const joined = visible.filter((channel) => channel.members.includes(member));
    const { page, next } = paginate(call, joined, STRICT);
    // The channels of this answer have no `is_member` (@slack/web-api 8.2.0, UsersConversationsResponse).
    const omitMembership = ({ is_member: _, ...channel }: Json): Json => channel;
    return {
      channels: page.map((channel) => omitMembership(buildChannelObject(call.site, channel))),
      ...next,
    };
  }),
  'conversations.members': bot(4, READ_SCOPES, (call) => {
    const channel = readChannel(call);
    requireScopeIn(call.site, channel.kind, 'read');
    const { page, next } = paginate(call, channel.members, STRICT);
    return { members: page, ...next };
  }),
  /** An app can only join public channels. To private ones it must be invited. */
  'conversations.join': bot(3, ['channels:join'], (call) => {
    const channel = readChannel(call);
    if (channel.kind !== 'public') throw new Refusal('method_not_supported_for_channel_type');
    if (channel.archived === true) throw new Refusal('is_archived');
    const joined = joinChannel(call.site, channel, call.botUser);
    const warning = 'already_in_channel';
    return {
      channel: buildChannelObject(call.site, channel),
      ...(joined ? {} : { warning, response_metadata: { warnings: [warning] } }),
    };
  }),
  'conversations.open': bot(3, OPEN_SCOPES, (call) => {
    const channelId = call.readText('channel');
    if (channelId !== undefined) return { channel: buildChannelObject(call.site, readChannel(call)) };
    const users = call
      .readRequired('users')
      .split(',')
      .map((id) => id.trim());
    const countBefore = call.site.state.channels.length;
    const channel = openChannel(call, users);
    const wasOpen = call.site.state.channels.length === countBefore;
    return {
      ...(wasOpen ? { no_op: true, already_open: true } : {}),
      channel: call.readFlag('return_im') ? buildChannelObject(call.site, channel) : { id: channel.id },
    };
  }),
  /** Lists messages, newest first, with the replies that are also in the channel. */
  'conversations.history': bot(3, HISTORY_SCOPES, (call) => {
    const channel = readHistoryChannel(call);
    const all = (call.site.state.messages[channel.id] ?? []).filter(
      (message) =>
        message.ephemeralTo === undefined && (!isReply(message) || message.subtype === 'thread_broadcast'),
    );
    const limit = readLimit(call, DEFAULT_MESSAGES, MAX_MESSAGES);
    return {
      ...buildAnswer(call, filterByTime(call, all).toReversed(), limit),
      pin_count: listPinnedMessages(call.site, channel.id).length,
      channel_actions_ts: null,
      channel_actions_count: 0,
    };
  }),
  /** Lists the first message of a thread, then its replies, oldest first. */
  'conversations.replies': bot(3, HISTORY_SCOPES, (call) => {
    const channel = readHistoryChannel(call);
    const parent = findMessage(call.site, channel.id, call.readRequired('ts'));
    if (!parent || parent.ephemeralTo !== undefined) throw new Refusal('thread_not_found');
    const replies = (call.site.state.messages[channel.id] ?? []).filter(
      (message) => message.threadTs === parent.ts && isReply(message),
    );
    const limit = readLimit(call, MAX_REPLIES, MAX_REPLIES);
    return buildAnswer(call, filterByTime(call, replies), limit, parent);
  }),
};
