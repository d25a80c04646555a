import { withIds } from '../blocks/with-ids.ts';
import { acceptBlocks } from '../interactions/accept.ts';
import { messagePart } from '../interactions/message-part.ts';
import { removeMessage, rewriteMessage, writeMessage } from '../interactions/write-message.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { findMessage, postMessage } from '../state/messages.ts';
import { permalinkOf } from '../state/permalink.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type Call, flagArg, type Method, neededArg, nestedArg, textArg } from './call.ts';
import { channelArg, joinedChannelArg, visibleChannel } from './channel-arg.ts';
import { metadataArg } from './metadata.ts';

function contentArgs(call: Call): Pick<StoredMessage, 'text' | 'blocks'> {
  const given = nestedArg(call, 'blocks', 'invalid_blocks_format');
  const blocks = given === undefined ? [] : withIds(acceptBlocks(call.site, given));
  const text = (textArg(call, 'text') ?? '').slice(0, SLACK_LIMITS.messageText.is);
  if (text === '' && blocks.length === 0) throw new Refusal('no_text');
  return blocks.length > 0 ? { text, blocks } : { text };
}

/** One that names no message makes a thread that nobody finds, as in Slack (python-slack-sdk #840). */
function threadArg(call: Call): { threadTs?: string } {
  const threadTs = textArg(call, 'thread_ts');
  if (threadTs === undefined) return {};
  if (/^\d+\.\d+$/.test(threadTs)) return { threadTs };
  throw new Refusal('invalid_thread_ts', {
    response_metadata: { messages: [`[ERROR] ${threadTs} is not a valid thread_ts`] },
  });
}

function written(call: Call, message: StoredMessage): Json {
  const { metadata } = message;
  return { ...messagePart(call.site, message), ...(metadata ? { metadata } : {}) };
}

export const chatPostMessage: Method = (call) => {
  const { site } = call;
  const channel = joinedChannelArg(call);
  const thread = threadArg(call);
  const metadata = metadataArg(call);
  const broadcast = thread.threadTs !== undefined && flagArg(call, 'reply_broadcast');
  const message = writeMessage(site, {
    channel: channel.id,
    user: site.state.app.botUserId,
    ...contentArgs(call),
    ...thread,
    ...(metadata ? { metadata } : {}),
    ...(broadcast ? { subtype: 'thread_broadcast' } : {}),
  });
  return { channel: channel.id, ts: message.ts, message: written(call, message) };
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
  if (!message || message.ephemeralTo !== undefined || message.subtype === 'tombstone') {
    throw new Refusal('message_not_found');
  }
  if (message.user !== call.site.state.app.botUserId) throw new Refusal(otherwise);
  return message;
}

export const chatUpdate: Method = (call) => {
  const channel = channelArg(call);
  if (channel.archived === true) throw new Refusal('is_inactive');
  const message = ownMessage(call, channel, 'cant_update_message');
  if ((textArg(call, 'text') ?? '').length > SLACK_LIMITS.updatedText.is) throw new Refusal('msg_too_long');
  // Text without blocks takes the old blocks away; metadata stays unless new one is given (docs.slack.dev, "chat.update").
  const content = contentArgs(call);
  const given = metadataArg(call);
  const metadata = given === undefined ? message.metadata : given;
  const changed = rewriteMessage(call.site, message, { ...content, ...(metadata ? { metadata } : {}) });
  return { channel: channel.id, ts: message.ts, text: content.text, message: written(call, changed) };
};

export const chatDelete: Method = (call) => {
  const channel = channelArg(call);
  const message = ownMessage(call, channel, 'cant_delete_message');
  removeMessage(call.site, message);
  return { channel: channel.id, ts: message.ts };
};

/** The address of a message; of a reply, with the thread that it stands in. */
export const chatGetPermalink: Method = (call) => {
  const channel = visibleChannel(call);
  const message = findMessage(call.site, channel.id, neededArg(call, 'message_ts'));
  if (!message || message.ephemeralTo !== undefined) throw new Refusal('message_not_found');
  return { channel: channel.id, permalink: permalinkOf(call.site, message) };
};
