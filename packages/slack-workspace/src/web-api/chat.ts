import { formatReturnedText } from '../blocks/returned-text.ts';
import { acceptAttachments } from '../interactions/accept-content.ts';
import { buildMessageObject } from '../interactions/message-object.ts';
import { buildUnfurlId, findLinks, findUnfurlDomain } from '../interactions/typed-input.ts';
import { removeMessage, rewriteMessage, updateMessage, writeMessage } from '../interactions/write-message.ts';
import { isRecord, type Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { findVisibleChannel } from '../state/directory.ts';
import { findFile } from '../state/files.ts';
import { buildPermalink, findMessage, isReply, replaceMessage, storeMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import {
  bot,
  type Call,
  type Methods,
  readAuthor,
  readChannel,
  readContent,
  readMessage,
  readMetadata,
  readStepRun,
  readThread,
  readWritableChannel,
} from './call.ts';

/** A message as its author gets it back, with its metadata. */
function messageWithMetadata(call: Call, message: StoredMessage): Json {
  const { metadata } = message;
  return { ...buildMessageObject(call.site, message), ...(metadata ? { metadata } : {}) };
}

/** The warning about a truncated text (docs.slack.dev/changelog/2018-04-truncating-really-long-messages). */
function buildTruncationPart(call: Call): Json {
  if ((call.readText('text') ?? '').length <= SLACK_LIMITS.messageTextLength.value) return {};
  const warning = 'message_truncated';
  const message =
    '[WARN] Your message was truncated but still posted. The `text` field accepts up to 40,000 characters.';
  return { warning, response_metadata: { messages: [message], warnings: [warning] } };
}

/** Reads the `ts` of a message by the app, which must not be ephemeral. `foreignError` refuses other authors. */
function readOwnMessage(call: Call, channel: Channel, foreignError: string): StoredMessage {
  const message = findMessage(call.site, channel.id, call.readRequired('ts'));
  if (!message || message.ephemeralTo !== undefined || message.subtype === 'tombstone')
    throw new Refusal('message_not_found');
  if (message.user !== call.botUser) throw new Refusal(foreignError);
  return message;
}

/** Reads `file_ids`, which replace the message's files (docs.slack.dev/reference/methods/chat.update). */
function readFileIds(call: Call): Pick<StoredMessage, 'files'> {
  const ids = call.readJson('file_ids', 'invalid_arguments');
  if (!Array.isArray(ids)) return {};
  const files = ids.map((id: unknown) => {
    const file = findFile(call.site, String(id), true);
    if (file?.completedAt === undefined) throw new Refusal('file_not_found');
    if (file.deleted === true) throw new Refusal('file_deleted');
    return file.id;
  });
  return { files };
}

/** Also shows a reply in its channel. The same call can't change its content (docs.slack.dev, "chat.update"). */
function broadcastReply(call: Call, message: StoredMessage): StoredMessage {
  if (!isReply(message)) throw new Refusal('cant_broadcast_message');
  const content = ['text', 'blocks', 'attachments', 'markdown_text'];
  if (content.some((name) => call.args[name] !== undefined))
    throw new Refusal('no_dual_broadcast_content_update');
  const broadcast = { ...message, subtype: 'thread_broadcast' };
  replaceMessage(call.site, broadcast);
  return broadcast;
}

/** The message of this answer has no `ts` (@slack/web-api 8.2.0, ChatUpdateResponse). */
function buildUpdateAnswer(call: Call, changed: StoredMessage, text: string): Json {
  const { ts, ...message } = messageWithMetadata(call, changed);
  return { channel: changed.channel, ts, text: formatReturnedText(text), message };
}

const SOURCES = new Set(['composer', 'conversations_history']);

/** Reads the message with the links: by `channel` and `ts`, or by `unfurl_id` and `source`. */
function readLinkedMessage(call: Call): StoredMessage {
  const [channel, ts, id, source] = ['channel', 'ts', 'unfurl_id', 'source'].map((name) =>
    call.readText(name),
  );
  if (id === undefined && source === undefined) {
    if (channel === undefined) throw new Refusal('missing_channel');
    if (ts === undefined) throw new Refusal('missing_ts');
    if (!findVisibleChannel(call.site, channel, call.botUser)) throw new Refusal('cannot_find_channel');
    const message = findMessage(call.site, channel, ts);
    if (!message || message.ephemeralTo !== undefined) throw new Refusal('cannot_find_message');
    return message;
  }
  if (id === undefined) throw new Refusal('missing_unfurl_id');
  if (source === undefined) throw new Refusal('missing_source');
  if (!SOURCES.has(source)) throw new Refusal('invalid_source');
  const [channelOfId = '', seconds, micros] = id.split('.');
  const message = findMessage(call.site, channelOfId, `${seconds}.${micros}`);
  if (!message || buildUnfurlId(message) !== id) throw new Refusal('invalid_unfurl_id');
  return message;
}

function readUnfurls(call: Call): [url: string, preview: Json][] {
  const unfurls = call.readJson('unfurls', 'invalid_unfurls_format');
  if (unfurls === undefined) throw new Refusal('missing_unfurls');
  if (!isRecord(unfurls)) throw new Refusal('invalid_unfurls_format');
  return Object.entries(unfurls).map(([url, preview]) => {
    if (!isRecord(preview)) throw new Refusal('cannot_parse_attachment');
    return [url, preview];
  });
}

/** The invitation to sign in, which only the author of the message sees. Undefined if the app doesn't ask for one. */
function renderSignInText(call: Call): string | undefined {
  const [text, url] = [call.readText('user_auth_message'), call.readText('user_auth_url')];
  const { name } = call.site.manifest;
  if (text !== undefined) return text;
  if (url !== undefined) return `<${url}|Sign in to ${name}> to show previews of these links.`;
  return call.readFlag('user_auth_required') ? `Install ${name} to show previews of these links.` : undefined;
}

export const CHAT_METHODS: Methods = {
  'chat.postMessage': bot('posting', ['chat:write'], (call) => {
    const { site } = call;
    const channel = readWritableChannel(call);
    const message = writeMessage(site, readMessage(call, channel.id));
    return {
      channel: channel.id,
      ts: message.ts,
      message: messageWithMetadata(call, message),
      ...buildTruncationPart(call),
    };
  }),
  'chat.postEphemeral': bot(4, ['chat:write'], (call) => {
    const { site } = call;
    const channel = readWritableChannel(call);
    const person = call.readRequired('user');
    if (!channel.members.includes(person)) throw new Refusal('user_not_in_channel');
    const message = storeMessage(site, {
      channel: channel.id,
      user: site.state.app.botUserId,
      ...readContent(call),
      ...readThread(call),
      ...readAuthor(call),
      ...readStepRun(call),
      ephemeralTo: person,
    });
    return { message_ts: message.ts, ...buildTruncationPart(call) };
  }),
  /** Takes channels by id only (docs.slack.dev/reference/methods/chat.update). */
  'chat.update': bot(3, ['chat:write'], (call) => {
    const channel = readChannel(call);
    if (channel.archived === true) throw new Refusal('is_inactive');
    const message = readOwnMessage(call, channel, 'cant_update_message');
    if (message.stream?.isComplete === false) throw new Refusal('streaming_state_conflict');
    if (call.readFlag('reply_broadcast'))
      return buildUpdateAnswer(call, broadcastReply(call, message), message.text);
    if ((call.readText('text') ?? '').length > SLACK_LIMITS.updatedTextLength.value)
      throw new Refusal('msg_too_long');
    // Text without blocks removes the blocks. Attachments and metadata stay if the call has none (docs.slack.dev,
    // "chat.update").
    const keepsAttachments = call.readJson('attachments', 'invalid_attachments') === undefined;
    const content = {
      ...readContent(call),
      ...(keepsAttachments && message.attachments && { attachments: message.attachments }),
    };
    const newMetadata = readMetadata(call);
    const metadata = newMetadata === undefined ? message.metadata : newMetadata;
    const changed = rewriteMessage(call.site, message, {
      ...content,
      ...readFileIds(call),
      ...(metadata ? { metadata } : {}),
    });
    return buildUpdateAnswer(call, changed, content.text);
  }),
  'chat.delete': bot(3, ['chat:write'], (call) => {
    const channel = readChannel(call);
    const message = readOwnMessage(call, channel, 'cant_delete_message');
    removeMessage(call.site, message);
    return { channel: channel.id, ts: message.ts };
  }),
  'chat.getPermalink': bot('special', [], (call) => {
    const channel = readChannel(call);
    const message = findMessage(call.site, channel.id, call.readRequired('message_ts'));
    if (!message || message.ephemeralTo !== undefined) throw new Refusal('message_not_found');
    return { channel: channel.id, permalink: buildPermalink(call.site, message) };
  }),
  'chat.unfurl': bot(3, ['links:write'], (call) => {
    const { site } = call;
    const message = readLinkedMessage(call);
    const { channel } = message;
    const invitation = renderSignInText(call);
    if (invitation !== undefined) {
      const to = { channel, ephemeralTo: message.user, user: site.state.app.botUserId };
      storeMessage(site, { ...to, text: invitation });
      if (call.args.unfurls === undefined) return undefined;
    }
    const unfurls = readUnfurls(call);
    const urls = unfurls.map(([url]) => url);
    for (const url of urls) {
      if (findUnfurlDomain(site, url) === undefined) throw new Refusal('cannot_unfurl_url');
      if (!findLinks(message.text).includes(url)) throw new Refusal('cannot_unfurl_message');
    }
    const others = (message.attachments ?? []).filter(({ from_url: url }) => !urls.includes(String(url)));
    const { app } = site.state;
    const previews = unfurls.map(([url, preview]) => ({
      ...preview,
      from_url: url,
      original_url: url,
      app_unfurl_url: url,
      is_app_unfurl: true,
      app_id: app.id,
      bot_id: app.botId,
    }));
    const attachments = acceptAttachments(site, [...others, ...previews]);
    updateMessage(site, message, { ...message, attachments });
    return undefined;
  }),
};
