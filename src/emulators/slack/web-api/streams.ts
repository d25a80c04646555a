import { acceptBlocks } from '../interactions/accept.ts';
import { messagePart } from '../interactions/message-part.ts';
import { type Chunk, readChunk, withChunk } from '../interactions/stream-content.ts';
import { announceChange, writeMessage } from '../interactions/write-message.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { MAX_MESSAGE_BLOCKS } from '../rules/view-rules.ts';
import { findPerson } from '../state/directory.ts';
import { findMessage, replaceMessage } from '../state/messages.ts';
import type { Stream } from '../state/saved-agents.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type Call, type Method, neededArg, nestedArg, textArg } from './call.ts';
import { visibleChannel } from './channel-arg.ts';
import { authorArgs, threadArg } from './message-args.ts';
import { metadataArg } from './metadata.ts';

/** Messages that an app writes bit by bit (docs.slack.dev/reference/methods/chat.startStream, .appendStream, .stopStream). */

function markdownArg(call: Call): Chunk[] {
  const text = textArg(call, 'markdown_text');
  if (text === undefined) return [];
  if (text.length > SLACK_LIMITS.markdownTextLength.value) throw new Refusal('msg_blocks_too_long');
  return [{ type: 'markdown_text', text }];
}

function chunkArgs(call: Call): Chunk[] {
  const given = nestedArg(call, 'chunks', 'invalid_chunks') ?? [];
  if (!Array.isArray(given)) throw new Refusal('invalid_chunks');
  const chunks = given.map((entry) => {
    const chunk = readChunk(entry);
    if (!chunk) throw new Refusal('invalid_chunks');
    return chunk.type === 'blocks' ? { ...chunk, blocks: acceptBlocks(call.site, chunk.blocks) } : chunk;
  });
  return [...markdownArg(call), ...chunks];
}

/** The message with more chunks. */
function grown(message: Omit<StoredMessage, 'ts'>, chunks: readonly Chunk[], tasks: Stream['tasks']) {
  let content = { text: message.text, blocks: message.blocks ?? [] };
  for (const chunk of chunks) content = withChunk(content, chunk, tasks);
  if (content.blocks.length > MAX_MESSAGE_BLOCKS) throw new Refusal('msg_blocks_too_many');
  return { text: content.text, ...(content.blocks.length > 0 ? { blocks: content.blocks } : {}) };
}

/**
 * Outside direct messages, a stream is for one person: the others see its beginning, and all of it once it is complete
 * (agentconnect-md/agentconnect #1494). A new message that is no reply is possible in channels only.
 */
function recipientArgs(call: Call, channel: Channel): Pick<Stream, 'recipient'> {
  if (channel.kind === 'im') {
    if (textArg(call, 'thread_ts') === undefined) throw new Refusal('channel_type_not_supported');
    return {};
  }
  if (textArg(call, 'recipient_team_id') === undefined) throw new Refusal('missing_recipient_team_id');
  const recipient = textArg(call, 'recipient_user_id');
  if (recipient === undefined) throw new Refusal('missing_recipient_user_id');
  if (!findPerson(call.site, recipient)) throw new Refusal('user_not_found');
  return { recipient };
}

function tasksArg(call: Call): Stream['tasks'] {
  const mode = textArg(call, 'task_display_mode') ?? 'timeline';
  if (mode === 'timeline' || mode === 'plan') return mode;
  throw new Refusal('invalid_arguments', {
    response_metadata: { messages: ['[ERROR] must be a valid enum value [json-pointer:/task_display_mode]'] },
  });
}

function streamChannel(call: Call): Channel {
  const channel = visibleChannel(call);
  if (channel.archived === true) throw new Refusal('is_archived');
  if (!channel.members.includes(call.site.state.app.botUserId)) throw new Refusal('not_in_channel');
  if (channel.restricted === true) throw new Refusal('restricted_action');
  return channel;
}

export const chatStartStream: Method = (call) => {
  const { site } = call;
  const channel = streamChannel(call);
  const recipient = recipientArgs(call, channel);
  const tasks = tasksArg(call);
  const user = site.state.app.botUserId;
  const empty = { channel: channel.id, user, text: '', ...threadArg(call), ...authorArgs(call) };
  const first = grown(empty, chunkArgs(call), tasks);
  const stream: Stream = { isComplete: false, tasks, ...recipient, first };
  const { ts } = writeMessage(site, { ...empty, ...first, stream });
  return { channel: channel.id, ts };
};

/** A message of the app that is not complete yet. */
function streamedMessage(call: Call): StoredMessage & { stream: Stream } {
  const channel = streamChannel(call);
  const message = findMessage(call.site, channel.id, neededArg(call, 'ts'));
  if (!message) throw new Refusal('message_not_found');
  if (message.user !== call.site.state.app.botUserId) throw new Refusal('message_not_owned_by_app');
  const { stream } = message;
  if (!stream || stream.isComplete) throw new Refusal('message_not_in_streaming_state');
  return { ...message, stream };
}

export const chatAppendStream: Method = (call) => {
  const message = streamedMessage(call);
  const chunks = chunkArgs(call);
  if (chunks.length === 0) throw new Refusal('no_text');
  replaceMessage(call.site, { ...message, ...grown(message, chunks, message.stream.tasks) });
  return { channel: message.channel, ts: message.ts };
};

/** The message is complete: everybody sees all of it, and apps hear that it changed. */
export const chatStopStream: Method = (call) => {
  const { site } = call;
  const message = streamedMessage(call);
  const given = nestedArg(call, 'blocks', 'invalid_blocks_format');
  const last: Chunk[] = given === undefined ? [] : [{ type: 'blocks', blocks: acceptBlocks(site, given) }];
  const metadata = metadataArg(call);
  const complete = {
    ...message,
    ...grown(message, [...chunkArgs(call), ...last], message.stream.tasks),
    stream: { ...message.stream, isComplete: true },
    ...(metadata ? { metadata } : {}),
  };
  announceChange(site, message, complete);
  return { channel: message.channel, ts: message.ts, message: messagePart(site, complete) };
};
