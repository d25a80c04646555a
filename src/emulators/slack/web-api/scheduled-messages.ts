import { messagePart } from '../interactions/message-part.ts';
import { scheduleMessage, takeScheduled } from '../interactions/scheduled-messages.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { canSee, findChannel } from '../state/directory.ts';
import type { ScheduledMessage } from '../state/saved-state.ts';
import { type Call, type Method, neededArg, textArg } from './call.ts';
import { channelArg, writableChannelArg } from './channel-arg.ts';
import { messageArgs } from './message-args.ts';
import { paged } from './paged.ts';

/** docs.slack.dev, "chat.scheduleMessage". */
const MAX_AHEAD_MS = 120 * 24 * 60 * 60_000;
const MAX_IN_WINDOW = 30;
const WINDOW_MS = 5 * 60_000;
/** Too late to delete (docs.slack.dev, "chat.deleteScheduledMessage"). */
const LAST_CHANCE_MS = 60_000;

function postAtArg(call: Call): number {
  const given = neededArg(call, 'post_at');
  if (!/^\d+$/.test(given)) throw new Refusal('invalid_time');
  const ahead = Number(given) * 1000 - call.site.now();
  if (ahead <= 0) throw new Refusal('time_in_past');
  if (ahead > MAX_AHEAD_MS) throw new Refusal('time_too_far');
  return Number(given) * 1000;
}

/** Refuses the 31st message within any five minutes of one channel. */
function demandRoom(site: Site, channel: string, postAt: number): void {
  const times = site.state.scheduled
    .filter((entry) => entry.message.channel === channel)
    .map((entry) => entry.postAt)
    .filter((time) => Math.abs(time - postAt) < WINDOW_MS);
  const isFull = [...times, postAt].some(
    (start) => times.filter((time) => time >= start && time < start + WINDOW_MS).length >= MAX_IN_WINDOW,
  );
  if (isFull) throw new Refusal('restricted_too_many');
}

/** A message that isn't sent yet has no `ts`. */
function delayedMessage(site: Site, { message }: ScheduledMessage): Json {
  const { ts: _, ...part } = messagePart(site, { ...message, ts: '' });
  const { metadata } = message;
  return { ...part, type: 'delayed_message', ...(metadata ? { metadata } : {}) };
}

export const chatScheduleMessage: Method = (call) => {
  const { site } = call;
  const channel = writableChannelArg(call);
  const postAt = postAtArg(call);
  const message = messageArgs(call, channel.id);
  demandRoom(site, channel.id, postAt);
  const entry = scheduleMessage(site, postAt, message);
  return {
    scheduled_message_id: entry.id,
    channel: channel.id,
    post_at: postAt / 1000,
    message: delayedMessage(site, entry),
  };
};

function secondsArg(call: Call, name: 'oldest' | 'latest', otherwise: number): number {
  return Number(textArg(call, name) ?? otherwise);
}

export const chatScheduledMessagesList: Method = (call) => {
  const { site } = call;
  const id = textArg(call, 'channel');
  const channel = id === undefined ? undefined : findChannel(site, id);
  const isHidden = !channel || !canSee(site, channel, site.state.app.botUserId);
  if (id !== undefined && isHidden) throw new Refusal('invalid_channel');
  const [oldest, latest] = [secondsArg(call, 'oldest', 0), secondsArg(call, 'latest', Infinity)];
  const found = site.state.scheduled
    .filter(({ message }) => id === undefined || message.channel === id)
    .filter(({ postAt }) => postAt / 1000 >= oldest && postAt / 1000 <= latest)
    .toSorted((one, other) => one.postAt - other.postAt);
  const { page, next } = paged(call, found);
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
};

export const chatDeleteScheduledMessage: Method = (call) => {
  const { site } = call;
  const channel = channelArg(call);
  const id = neededArg(call, 'scheduled_message_id');
  const found = site.state.scheduled.find((entry) => entry.id === id && entry.message.channel === channel.id);
  if (!found || found.postAt - site.now() <= LAST_CHANCE_MS)
    throw new Refusal('invalid_scheduled_message_id');
  takeScheduled(site, id);
  return {};
};
