import { messagePart } from '../interactions/message-part.ts';
import { pinnedMessages } from '../interactions/pins.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { findMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { isReply } from '../state/threads.ts';
import { type Call, flagArg, type Method, neededArg, textArg } from './call.ts';
import { visibleChannel } from './channel-arg.ts';
import { demandScopeIn } from './demand-scope.ts';

/** Messages at once, unless the app says otherwise, and at most (docs.slack.dev, "conversations.history"). */
const USUAL = 100;
const MOST = 999;
/** The same of conversations.replies. */
const USUAL_REPLIES = 1000;

function readableChannel(call: Call): Channel {
  const channel = visibleChannel(call);
  demandScopeIn(call.site, channel, 'history');
  if (!channel.members.includes(call.site.state.app.botUserId)) throw new Refusal('not_in_channel');
  return channel;
}

function momentArg(call: Call, name: 'oldest' | 'latest'): number | undefined {
  const text = textArg(call, name);
  if (text === undefined || text === 'now') return undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Refusal(`invalid_ts_${name}`);
  return Number(text);
}

function limitArg(call: Call, usual: number, most: number): number {
  const asked = Number(textArg(call, 'limit') ?? usual);
  const limit = Number.isInteger(asked) && asked > 0 ? Math.min(asked, most) : usual;
  return Math.min(limit, call.site.rateLimits?.maxMessages ?? Infinity);
}

/** Where the next page begins: after the message with this ts. */
function cursorArg(call: Call): string | undefined {
  const cursor = textArg(call, 'cursor');
  if (cursor === undefined) return undefined;
  const [, after] = /^next_ts:(\d+\.\d+)$/.exec(Buffer.from(cursor, 'base64').toString()) ?? [];
  if (after === undefined) throw new Refusal('invalid_cursor');
  return after;
}

/** Those in the time that was asked for; without `inclusive`, neither end of it. */
function inTime(call: Call, messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const [oldest, latest] = [momentArg(call, 'oldest'), momentArg(call, 'latest')];
  const inclusive = flagArg(call, 'inclusive');
  return messages.filter((message) => {
    const at = Number(message.ts);
    if (inclusive && (at === oldest || at === latest)) return true;
    return (oldest === undefined || at > oldest) && (latest === undefined || at < latest);
  });
}

function toPage(call: Call, all: readonly StoredMessage[], limit: number) {
  const after = cursorArg(call);
  const start = after === undefined ? 0 : all.findIndex((message) => message.ts === after) + 1;
  if (after !== undefined && start === 0) throw new Refusal('invalid_cursor');
  const page = all.slice(start, start + limit);
  const last = page.at(-1);
  const more = last !== undefined && start + limit < all.length;
  const next = more ? Buffer.from(`next_ts:${last.ts}`).toString('base64') : '';
  return { page, rest: { has_more: more, ...(more ? { response_metadata: { next_cursor: next } } : {}) } };
}

function asAnswer(call: Call, all: readonly StoredMessage[], limit: number, first: StoredMessage[]): Json {
  const { page, rest } = toPage(call, all, limit);
  const metadata = flagArg(call, 'include_all_metadata');
  return {
    messages: [...first, ...page].map((message) => ({
      ...messagePart(call.site, message),
      ...(metadata && message.metadata ? { metadata: message.metadata } : {}),
    })),
    ...rest,
  };
}

/** Newest first; replies only where they were sent to the channel too. */
export const conversationsHistory: Method = (call) => {
  const channel = readableChannel(call);
  const all = (call.site.state.messages[channel.id] ?? []).filter(
    (message) =>
      message.ephemeralTo === undefined && (!isReply(message) || message.subtype === 'thread_broadcast'),
  );
  const answer = asAnswer(call, inTime(call, all).toReversed(), limitArg(call, USUAL, MOST), []);
  return {
    ...answer,
    pin_count: pinnedMessages(call.site, channel.id).length,
    channel_actions_ts: null,
    channel_actions_count: 0,
  };
};

/** The first message of a thread, on every page, then its replies, oldest first. */
export const conversationsReplies: Method = (call) => {
  const channel = readableChannel(call);
  const first = findMessage(call.site, channel.id, neededArg(call, 'ts'));
  if (!first || first.ephemeralTo !== undefined) throw new Refusal('thread_not_found');
  const replies = (call.site.state.messages[channel.id] ?? []).filter(
    (message) => message.threadTs === first.ts && isReply(message),
  );
  return asAnswer(call, inTime(call, replies), limitArg(call, USUAL_REPLIES, USUAL_REPLIES), [first]);
};
