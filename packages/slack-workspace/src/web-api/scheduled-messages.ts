import { buildMessageObject } from '../interactions/message-object.ts';
import { writeMessage } from '../interactions/write-message.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findChannel, findVisibleChannel } from '../state/directory.ts';
import { makeId } from '../state/ids.ts';
import type { ScheduledMessage, StoredMessage } from '../state/saved-state.ts';
import {
  bot,
  type Call,
  type Methods,
  readChannelOrPerson,
  readMessage,
  readWritableChannel,
} from './call.ts';
import { paginate } from './method-rules.ts';

/** docs.slack.dev/reference/methods/chat.scheduleMessage. */
const MAX_AHEAD_MS = 120 * 24 * 60 * 60_000;
const MAX_IN_WINDOW = 30;
const WINDOW_MS = 5 * 60_000;
/** Later deletions are refused (docs.slack.dev/reference/methods/chat.deleteScheduledMessage). */
const MIN_DELETION_LEAD_MS = 60_000;

/** Returns ms since the epoch. */
function readPostAt(call: Call): number {
  const seconds = call.readRequired('post_at');
  if (!/^\d+$/.test(seconds)) throw new Refusal('invalid_time');
  const postAt = Number(seconds) * 1000;
  const aheadMs = postAt - call.site.now();
  if (aheadMs <= 0) throw new Refusal('time_in_past');
  if (aheadMs > MAX_AHEAD_MS) throw new Refusal('time_too_far');
  return postAt;
}

/** Refuses more than 30 messages within any five minutes in one channel. */
function requireFreeWindow(site: Site, channel: string, postAt: number): void {
  const times = site.state.scheduled
    .filter((entry) => entry.message.channel === channel)
    .map((entry) => entry.postAt)
    .filter((time) => Math.abs(time - postAt) < WINDOW_MS);
  const isFull = [...times, postAt].some(
    (start) => times.filter((time) => time >= start && time < start + WINDOW_MS).length >= MAX_IN_WINDOW,
  );
  if (isFull) throw new Refusal('restricted_too_many');
}

/** The message in the answer. It has no `ts` before it is sent. */
function buildDelayedMessageObject(site: Site, { message }: ScheduledMessage): Json {
  const { ts: _, ...part } = buildMessageObject(site, { ...message, ts: '' });
  const { metadata } = message;
  return { ...part, type: 'delayed_message', ...(metadata ? { metadata } : {}) };
}

/** Removes a message from the list. Returns undefined if it isn't in the list any more. */
function removeScheduled(site: Site, id: string): ScheduledMessage | undefined {
  const found = site.state.scheduled.find((entry) => entry.id === id);
  site.state.scheduled = site.state.scheduled.filter((entry) => entry !== found);
  site.touch();
  return found;
}

/**
 * Sends a due message. Slack never sends one with metadata (docs.slack.dev, "chat.scheduleMessage", bug alert), or to
 * an archived channel, or to one that the app has left.
 */
function sendScheduled(site: Site, id: string): void {
  const due = removeScheduled(site, id);
  if (!due || due.message.metadata) return;
  const channel = findChannel(site, due.message.channel);
  if (!channel || channel.archived === true || !channel.members.includes(site.state.app.botUserId)) return;
  writeMessage(site, due.message);
}

function sendWhenDue(site: Site, { id, postAt }: ScheduledMessage): void {
  site.runAfter(Math.max(0, postAt - site.now()), () => sendScheduled(site, id));
}

/** Schedules the stored messages again after a restart of the workspace. */
export function resumeScheduled(site: Site): void {
  for (const entry of site.state.scheduled) sendWhenDue(site, entry);
}

function scheduleMessage(site: Site, postAt: number, message: Omit<StoredMessage, 'ts'>): ScheduledMessage {
  const entry = { id: makeId('Q'), postAt, madeAt: site.now(), message };
  site.state.scheduled.push(entry);
  site.touch();
  sendWhenDue(site, entry);
  return entry;
}

export const SCHEDULE_METHODS: Methods = {
  'chat.scheduleMessage': bot(3, ['chat:write'], (call) => {
    const { site } = call;
    const channel = readWritableChannel(call);
    const postAt = readPostAt(call);
    const message = readMessage(call, channel.id);
    requireFreeWindow(site, channel.id, postAt);
    const entry = scheduleMessage(site, postAt, message);
    return {
      scheduled_message_id: entry.id,
      channel: channel.id,
      post_at: postAt / 1000,
      message: buildDelayedMessageObject(site, entry),
    };
  }),
  'chat.scheduledMessages.list': bot(3, [], (call) => {
    const { site } = call;
    const id = call.readText('channel');
    if (id !== undefined && !findVisibleChannel(site, id, call.botUser)) throw new Refusal('invalid_channel');
    const oldest = Number(call.readText('oldest') ?? 0);
    const latest = Number(call.readText('latest') ?? Infinity);
    const scheduled = site.state.scheduled
      .filter(({ message }) => id === undefined || message.channel === id)
      .filter(({ postAt }) => postAt / 1000 >= oldest && postAt / 1000 <= latest)
      .toSorted((one, other) => one.postAt - other.postAt);
    const { page, next } = paginate(call, scheduled);
    return {
      scheduled_messages: page.map((entry) => ({
        id: entry.id,
        channel_id: entry.message.channel,
        post_at: entry.postAt / 1000,
        date_created: Math.floor(entry.madeAt / 1000),
        text: entry.message.text,
      })),
      ...next,
    };
  }),
  'chat.deleteScheduledMessage': bot(3, ['chat:write'], (call) => {
    const { site } = call;
    const channel = readChannelOrPerson(call);
    const id = call.readRequired('scheduled_message_id');
    const found = site.state.scheduled.find(
      (entry) => entry.id === id && entry.message.channel === channel.id,
    );
    if (!found || found.postAt - site.now() <= MIN_DELETION_LEAD_MS)
      throw new Refusal('invalid_scheduled_message_id');
    removeScheduled(site, id);
  }),
};
