import { acceptBlocks } from '../interactions/accept-content.ts';
import { buildMessageObject } from '../interactions/message-object.ts';
import { type Chunk, readChunk, withChunk } from '../interactions/streamed-content.ts';
import { updateMessage, writeMessage } from '../interactions/write-message.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { MAX_MESSAGE_BLOCKS } from '../rules/view-rules.ts';
import { findPerson } from '../state/directory.ts';
import { findMessage, replaceMessage } from '../state/messages.ts';
import type { Stream } from '../state/saved-agents.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type Call, InvalidArguments, type Method, readJson, readRequired, readText } from './call.ts';
import { readChannel } from './channel-arguments.ts';
import { readAuthor, readThread } from './message-arguments.ts';
import { readMetadata } from './metadata-argument.ts';

/** Messages that an app sends in chunks (docs.slack.dev/reference/methods/chat.startStream, .appendStream, .stopStream). */

function readMarkdown(call: Call): Chunk[] {
  const text = readText(call, 'markdown_text');
  if (text === undefined) return [];
  if (text.length > SLACK_LIMITS.markdownTextLength.value) throw new Refusal('msg_blocks_too_long');
  return [{ type: 'markdown_text', text }];
}

function readChunks(call: Call): Chunk[] {
  const json = readJson(call, 'chunks', 'invalid_chunks') ?? [];
  if (!Array.isArray(json)) throw new Refusal('invalid_chunks');
  const chunks = json.map((entry) => {
    const chunk = readChunk(entry);
    if (!chunk) throw new Refusal('invalid_chunks');
    return chunk.type === 'blocks' ? { ...chunk, blocks: acceptBlocks(call.site, chunk.blocks) } : chunk;
  });
  return [...readMarkdown(call), ...chunks];
}

/** Returns the content of the message with further chunks. */
function appendChunks(message: Omit<StoredMessage, 'ts'>, chunks: readonly Chunk[], tasks: Stream['tasks']) {
  let content = { text: message.text, blocks: message.blocks ?? [] };
  for (const chunk of chunks) content = withChunk(content, chunk, tasks);
  if (content.blocks.length > MAX_MESSAGE_BLOCKS) throw new Refusal('msg_blocks_too_many');
  return { text: content.text, ...(content.blocks.length > 0 ? { blocks: content.blocks } : {}) };
}

/**
 * Reads the recipient, who is required outside direct messages. Other people see the first chunks, and the rest once the
 * message is complete (agentconnect-md/agentconnect #1494). In direct messages, a stream has to be a reply.
 */
function readRecipient(call: Call, channel: Channel): Pick<Stream, 'recipient'> {
  if (channel.kind === 'im') {
    if (readText(call, 'thread_ts') === undefined) throw new Refusal('channel_type_not_supported');
    return {};
  }
  if (readText(call, 'recipient_team_id') === undefined) throw new Refusal('missing_recipient_team_id');
  const recipient = readText(call, 'recipient_user_id');
  if (recipient === undefined) throw new Refusal('missing_recipient_user_id');
  if (!findPerson(call.site, recipient)) throw new Refusal('user_not_found');
  return { recipient };
}

function readTaskMode(call: Call): Stream['tasks'] {
  const mode = readText(call, 'task_display_mode') ?? 'timeline';
  if (mode === 'timeline' || mode === 'plan') return mode;
  throw new InvalidArguments('[ERROR] must be a valid enum value [json-pointer:/task_display_mode]');
}

function readStreamChannel(call: Call): Channel {
  const channel = readChannel(call);
  if (channel.archived === true) throw new Refusal('is_archived');
  if (!channel.members.includes(call.site.state.app.botUserId)) throw new Refusal('not_in_channel');
  if (channel.restricted === true) throw new Refusal('restricted_action');
  return channel;
}

export const chatStartStream: Method = (call) => {
  const { site } = call;
  const channel = readStreamChannel(call);
  const recipient = readRecipient(call, channel);
  const tasks = readTaskMode(call);
  const user = site.state.app.botUserId;
  const empty = { channel: channel.id, user, text: '', ...readThread(call), ...readAuthor(call) };
  const first = appendChunks(empty, readChunks(call), tasks);
  const stream: Stream = { isComplete: false, tasks, ...recipient, first };
  const { ts } = writeMessage(site, { ...empty, ...first, stream });
  return { channel: channel.id, ts };
};

/** Reads the `ts` of a message by the app that isn't complete yet. */
function readStreamedMessage(call: Call): StoredMessage & { stream: Stream } {
  const channel = readStreamChannel(call);
  const message = findMessage(call.site, channel.id, readRequired(call, 'ts'));
  if (!message) throw new Refusal('message_not_found');
  if (message.user !== call.site.state.app.botUserId) throw new Refusal('message_not_owned_by_app');
  const { stream } = message;
  if (!stream || stream.isComplete) throw new Refusal('message_not_in_streaming_state');
  return { ...message, stream };
}

export const chatAppendStream: Method = (call) => {
  const message = readStreamedMessage(call);
  const chunks = readChunks(call);
  if (chunks.length === 0) throw new Refusal('no_text');
  replaceMessage(call.site, { ...message, ...appendChunks(message, chunks, message.stream.tasks) });
  return { channel: message.channel, ts: message.ts };
};

/** Completes the message: everyone sees all of it, and apps get the event message_changed. */
export const chatStopStream: Method = (call) => {
  const { site } = call;
  const message = readStreamedMessage(call);
  const json = readJson(call, 'blocks', 'invalid_blocks_format');
  const last: Chunk[] = json === undefined ? [] : [{ type: 'blocks', blocks: acceptBlocks(site, json) }];
  const metadata = readMetadata(call);
  const complete = {
    ...message,
    ...appendChunks(message, [...readChunks(call), ...last], message.stream.tasks),
    stream: { ...message.stream, isComplete: true },
    ...(metadata ? { metadata } : {}),
  };
  updateMessage(site, message, complete);
  return { channel: message.channel, ts: message.ts, message: buildMessageObject(site, complete) };
};
