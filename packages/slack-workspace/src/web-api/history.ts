import { buildMessageObject } from '../interactions/message-object.ts';
import { listPinnedMessages } from '../interactions/pins.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { findMessage, isReply } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type Call, type Method, readFlag, readRequired, readText } from './call.ts';
import { readChannel } from './channel-arguments.ts';
import { requireScopeIn } from './require-scope.ts';

/** Messages on a page (docs.slack.dev/reference/methods/conversations.history). */
const DEFAULT_MESSAGES = 100;
const MAX_MESSAGES = 999;
/** Replies on a page, which is also the default (docs.slack.dev/reference/methods/conversations.replies). */
const MAX_REPLIES = 1000;

function readHistoryChannel(call: Call): Channel {
  const channel = readChannel(call);
  requireScopeIn(call.site, channel, 'history');
  if (!channel.members.includes(call.site.state.app.botUserId)) throw new Refusal('not_in_channel');
  return channel;
}

function readTs(call: Call, name: 'oldest' | 'latest'): number | undefined {
  const text = readText(call, name);
  if (text === undefined || text === 'now') return undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Refusal(`invalid_ts_${name}`);
  return Number(text);
}

function readLimit(call: Call, defaultLimit: number, maxLimit: number): number {
  const given = Number(readText(call, 'limit') ?? defaultLimit);
  const limit = Number.isInteger(given) && given > 0 ? Math.min(given, maxLimit) : defaultLimit;
  return Math.min(limit, call.site.rateLimits?.maxMessages ?? Infinity);
}

/** Reads the `ts` of the last message on the page before. */
function readCursor(call: Call): string | undefined {
  const cursor = readText(call, 'cursor');
  if (cursor === undefined) return undefined;
  const [, after] = /^next_ts:(\d+\.\d+)$/.exec(Buffer.from(cursor, 'base64').toString()) ?? [];
  if (after === undefined) throw new Refusal('invalid_cursor');
  return after;
}

/** Applies `oldest`, `latest` and `inclusive`. */
function filterByTime(call: Call, messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const [oldest, latest] = [readTs(call, 'oldest'), readTs(call, 'latest')];
  const inclusive = readFlag(call, 'inclusive');
  return messages.filter((message) => {
    const ts = Number(message.ts);
    if (inclusive && (ts === oldest || ts === latest)) return true;
    return (oldest === undefined || ts > oldest) && (latest === undefined || ts < latest);
  });
}

function selectPage(call: Call, all: readonly StoredMessage[], limit: number) {
  const after = readCursor(call);
  const start = after === undefined ? 0 : all.findIndex((message) => message.ts === after) + 1;
  if (after !== undefined && start === 0) throw new Refusal('invalid_cursor');
  const page = all.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && start + limit < all.length;
  const next = hasMore ? Buffer.from(`next_ts:${last.ts}`).toString('base64') : '';
  return {
    page,
    cursorPart: { has_more: hasMore, ...(hasMore ? { response_metadata: { next_cursor: next } } : {}) },
  };
}

/** `parent` is the first message of a thread, which every page contains. */
function buildAnswer(call: Call, all: readonly StoredMessage[], limit: number, parent?: StoredMessage): Json {
  const { page, cursorPart } = selectPage(call, all, limit);
  const includesMetadata = readFlag(call, 'include_all_metadata');
  return {
    messages: [...(parent ? [parent] : []), ...page].map((message) => ({
      ...buildMessageObject(call.site, message),
      ...(includesMetadata && message.metadata ? { metadata: message.metadata } : {}),
    })),
    ...cursorPart,
  };
}

/** Lists messages, newest first, with the replies that are also in the channel. */
export const conversationsHistory: Method = (call) => {
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
};

/** Lists the first message of a thread, then its replies, oldest first. */
export const conversationsReplies: Method = (call) => {
  const channel = readHistoryChannel(call);
  const parent = findMessage(call.site, channel.id, readRequired(call, 'ts'));
  if (!parent || parent.ephemeralTo !== undefined) throw new Refusal('thread_not_found');
  const replies = (call.site.state.messages[channel.id] ?? []).filter(
    (message) => message.threadTs === parent.ts && isReply(message),
  );
  const limit = readLimit(call, MAX_REPLIES, MAX_REPLIES);
  return buildAnswer(call, filterByTime(call, replies), limit, parent);
};
