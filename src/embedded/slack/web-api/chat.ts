import { withIds } from '../blocks/with-ids.ts';
import { messagePart } from '../interactions/payload-parts.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { acceptedBlocks } from '../rules/refuse.ts';
import { canSee, channelByName, directMessage, personById } from '../state/directory.ts';
import { changeMessage, deleteMessage, findMessage, postMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type Call, type Method, neededArg, nestedArg, textArg } from './call.ts';

/** chat.postMessage cuts the text here (docs.slack.dev, "chat.postMessage"). */
const TEXT = 40_000;

/** The conversation, if the app can see it; a person's id means the direct message with them. */
function channelArg(call: Call): Channel {
  const name = neededArg(call, 'channel');
  const bot = call.site.state.app.botUserId;
  if (personById(call.site, name) && name !== bot) return directMessage(call.site, name, bot);
  const channel = channelByName(call.site, name);
  // A private channel that the app was not invited to is hidden from it.
  if (!channel || !canSee(channel, bot)) throw new Refusal('channel_not_found');
  return channel;
}

function joinedChannelArg(call: Call): Channel {
  const channel = channelArg(call);
  if (!channel.members.includes(call.site.state.app.botUserId)) throw new Refusal('not_in_channel');
  return channel;
}

function contentArgs(call: Call): Pick<StoredMessage, 'text' | 'blocks'> {
  const given = nestedArg(call, 'blocks', 'invalid_blocks_format');
  const blocks = given === undefined ? [] : withIds(acceptedBlocks(given));
  const text = (textArg(call, 'text') ?? '').slice(0, TEXT);
  if (text === '' && blocks.length === 0) throw new Refusal('no_text');
  return blocks.length > 0 ? { text, blocks } : { text };
}

function threadArg(call: Call): { threadTs?: string } {
  const threadTs = textArg(call, 'thread_ts');
  return threadTs === undefined ? {} : { threadTs };
}

export const chatPostMessage: Method = (call) => {
  const { site } = call;
  const channel = joinedChannelArg(call);
  const message = postMessage(site, {
    channel: channel.id,
    user: site.state.app.botUserId,
    ...contentArgs(call),
    ...threadArg(call),
  });
  return { channel: channel.id, ts: message.ts, message: messagePart(site, message) };
};

export const chatPostEphemeral: Method = (call) => {
  const { site } = call;
  const channel = joinedChannelArg(call);
  const person = neededArg(call, 'user');
  if (!channel.members.includes(person)) throw new Refusal('user_not_in_channel');
  const message = postMessage(site, {
    channel: channel.id,
    user: site.state.app.botUserId,
    ...contentArgs(call),
    ...threadArg(call),
    ephemeralTo: person,
  });
  return { message_ts: message.ts };
};

/** An ephemeral message cannot be found again by its ts, as in Slack. */
function ownMessage(call: Call, channel: Channel, otherwise: string): StoredMessage {
  const message = findMessage(call.site, channel.id, neededArg(call, 'ts'));
  if (!message || message.ephemeralTo !== undefined) throw new Refusal('message_not_found');
  if (message.user !== call.site.state.app.botUserId) throw new Refusal(otherwise);
  return message;
}

export const chatUpdate: Method = (call) => {
  const channel = channelArg(call);
  const message = ownMessage(call, channel, 'cant_update_message');
  // Text without blocks takes the old blocks away (docs.slack.dev, "chat.update").
  const content = contentArgs(call);
  changeMessage(call.site, message, content);
  const changed = findMessage(call.site, channel.id, message.ts) ?? message;
  return {
    channel: channel.id,
    ts: message.ts,
    text: content.text,
    message: messagePart(call.site, changed),
  };
};

export const chatDelete: Method = (call) => {
  const channel = channelArg(call);
  const message = ownMessage(call, channel, 'cant_delete_message');
  deleteMessage(call.site, message);
  return { channel: channel.id, ts: message.ts };
};
