import { formatReturnedText } from '../blocks/returned-text.ts';
import { messagePart } from '../interactions/message-part.ts';
import { removeMessage, rewriteMessage, writeMessage } from '../interactions/write-message.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { findFile } from '../state/files.ts';
import { findMessage, replaceMessage, storeMessage } from '../state/messages.ts';
import { buildPermalink } from '../state/permalink.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { isReply } from '../state/threads.ts';
import { type Call, flagArg, type Method, neededArg, nestedArg, textArg } from './call.ts';
import { visibleChannel, writableChannelArg } from './channel-arg.ts';
import { authorArgs, contentArgs, messageArgs, runPart, threadArg } from './message-args.ts';
import { metadataArg } from './metadata.ts';

function written(call: Call, message: StoredMessage): Json {
  const { metadata } = message;
  return { ...messagePart(call.site, message), ...(metadata ? { metadata } : {}) };
}

/** The warning of a truncated text (docs.slack.dev/changelog/2018-04-truncating-really-long-messages). */
function truncationPart(call: Call): Json {
  if ((textArg(call, 'text') ?? '').length <= SLACK_LIMITS.messageTextLength.value) return {};
  const warning = 'message_truncated';
  const message =
    '[WARN] Your message was truncated but still posted. The `text` field accepts up to 40,000 characters.';
  return { warning, response_metadata: { messages: [message], warnings: [warning] } };
}

export const chatPostMessage: Method = (call) => {
  const { site } = call;
  const channel = writableChannelArg(call);
  const message = writeMessage(site, messageArgs(call, channel.id));
  return { channel: channel.id, ts: message.ts, message: written(call, message), ...truncationPart(call) };
};

export const chatPostEphemeral: Method = (call) => {
  const { site } = call;
  const channel = writableChannelArg(call);
  const person = neededArg(call, 'user');
  if (!channel.members.includes(person)) throw new Refusal('user_not_in_channel');
  const message = storeMessage(site, {
    channel: channel.id,
    user: site.state.app.botUserId,
    ...contentArgs(call),
    ...threadArg(call),
    ...authorArgs(call),
    ...runPart(call),
    ephemeralTo: person,
  });
  return { message_ts: message.ts, ...truncationPart(call) };
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

/** The files that the message shows from now on; undefined if they stay (docs.slack.dev, "chat.update"). */
function fileIdsArg(call: Call): Pick<StoredMessage, 'files'> {
  const ids = nestedArg(call, 'file_ids', 'invalid_arguments');
  if (!Array.isArray(ids)) return {};
  const files = ids.map((id: unknown) => {
    const file = findFile(call.site, String(id), true);
    if (file?.completedAt === undefined) throw new Refusal('file_not_found');
    if (file.deleted === true) throw new Refusal('file_deleted');
    return file.id;
  });
  return { files };
}

/** Shows a reply in its channel too. The same call can't change what it says (docs.slack.dev, "chat.update"). */
function broadcastReply(call: Call, message: StoredMessage): StoredMessage {
  if (!isReply(message)) throw new Refusal('cant_broadcast_message');
  const content = ['text', 'blocks', 'attachments', 'markdown_text'];
  if (content.some((name) => call.args[name] !== undefined))
    throw new Refusal('no_dual_broadcast_content_update');
  const broadcast = { ...message, subtype: 'thread_broadcast' };
  replaceMessage(call.site, broadcast);
  return broadcast;
}

/** The message in this answer has no `ts` of its own (@slack/web-api 8.2.0, ChatUpdateResponse). */
function updatedAnswer(call: Call, changed: StoredMessage, text: string): Json {
  const { ts, ...message } = written(call, changed);
  return { channel: changed.channel, ts, text, message };
}

/** By its id: neither a name nor a person stands for it (docs.slack.dev/reference/methods/chat.update). */
export const chatUpdate: Method = (call) => {
  const channel = visibleChannel(call);
  if (channel.archived === true) throw new Refusal('is_inactive');
  const message = ownMessage(call, channel, 'cant_update_message');
  if (message.stream?.isComplete === false) throw new Refusal('streaming_state_conflict');
  if (flagArg(call, 'reply_broadcast')) {
    const broadcast = broadcastReply(call, message);
    return updatedAnswer(call, broadcast, formatReturnedText(message.text));
  }
  if ((textArg(call, 'text') ?? '').length > SLACK_LIMITS.updatedTextLength.value)
    throw new Refusal('msg_too_long');
  // Text without blocks takes the old blocks away; attachments and metadata stay unless new ones are given
  // (docs.slack.dev, "chat.update").
  const kept = nestedArg(call, 'attachments', 'invalid_attachments') === undefined && message.attachments;
  const content = { ...contentArgs(call), ...(kept ? { attachments: kept } : {}) };
  const given = metadataArg(call);
  const metadata = given === undefined ? message.metadata : given;
  const files = fileIdsArg(call);
  const changed = rewriteMessage(call.site, message, {
    ...content,
    ...files,
    ...(metadata ? { metadata } : {}),
  });
  return updatedAnswer(call, changed, formatReturnedText(content.text));
};

export const chatDelete: Method = (call) => {
  const channel = visibleChannel(call);
  const message = ownMessage(call, channel, 'cant_delete_message');
  removeMessage(call.site, message);
  return { channel: channel.id, ts: message.ts };
};

/** The address of a message; of a reply, with the thread that it stands in. */
export const chatGetPermalink: Method = (call) => {
  const channel = visibleChannel(call);
  const message = findMessage(call.site, channel.id, neededArg(call, 'message_ts'));
  if (!message || message.ephemeralTo !== undefined) throw new Refusal('message_not_found');
  return { channel: channel.id, permalink: buildPermalink(call.site, message) };
};
