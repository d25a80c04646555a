import { z } from 'zod';
import { addIds } from '../blocks/add-ids.ts';
import { acceptBlocks } from '../interactions/accept-content.ts';
import { buildMessageObject } from '../interactions/message-object.ts';
import { updateMessage, writeMessage } from '../interactions/write-message.ts';
import { getRecord, getRecords, getString, type Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { MAX_MESSAGE_BLOCKS } from '../rules/block-rules.ts';
import { createArgumentsRefusal } from '../rules/find-problems.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { findPerson } from '../state/directory.ts';
import { findMessage, replaceMessage } from '../state/messages.ts';
import type { StoredMessage, Stream } from '../state/saved-state.ts';
import {
  bot,
  type Call,
  type Methods,
  readAuthor,
  readChannel,
  readMetadata,
  readThread,
  requireWritable,
} from './call.ts';

/** Messages that an app sends in chunks (docs.slack.dev/reference/methods/chat.startStream, .appendStream, .stopStream). */

const text = z.string();

/** A part of a streamed message (@slack/types 3.2.0, chunk.d.ts). */
const chunkSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('markdown_text'), text }),
  z.object({ type: z.literal('plan_update'), title: text }),
  z.object({ type: z.literal('blocks'), blocks: z.array(z.record(text, z.unknown())) }),
  z.object({
    type: z.literal('task_update'),
    ...{ id: text, title: text, status: z.enum(['pending', 'in_progress', 'complete', 'error']) },
    ...{ details: text.exactOptional(), output: text.exactOptional() },
    sources: z.array(z.looseObject({ url: text, text })).exactOptional(),
  }),
]);
type Chunk = z.infer<typeof chunkSchema>;

function readChunks(call: Call): Chunk[] {
  const markdown = call.readText('markdown_text');
  if ((markdown ?? '').length > SLACK_LIMITS.markdownTextLength.value)
    throw new Refusal('msg_blocks_too_long');
  const chunks = z.array(chunkSchema).safeParse(call.readJson('chunks', 'invalid_chunks') ?? []);
  if (!chunks.success) throw new Refusal('invalid_chunks');
  return [
    ...(markdown === undefined ? [] : [{ type: 'markdown_text' as const, text: markdown }]),
    ...chunks.data.map((chunk) =>
      chunk.type === 'blocks' ? { ...chunk, blocks: acceptBlocks(call.site, chunk.blocks) } : chunk,
    ),
  ];
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
    if (call.readText('thread_ts') === undefined) throw new Refusal('channel_type_not_supported');
    return {};
  }
  if (call.readText('recipient_team_id') === undefined) throw new Refusal('missing_recipient_team_id');
  const recipient = call.readText('recipient_user_id');
  if (recipient === undefined) throw new Refusal('missing_recipient_user_id');
  if (!findPerson(call.site, recipient)) throw new Refusal('user_not_found');
  return { recipient };
}

function readTaskMode(call: Call): Stream['tasks'] {
  const mode = call.readText('task_display_mode') ?? 'timeline';
  if (mode === 'timeline' || mode === 'plan') return mode;
  throw createArgumentsRefusal([{ message: 'must be a valid enum value', pointer: '/task_display_mode' }]);
}

function readStreamChannel(call: Call): Channel {
  const channel = readChannel(call);
  requireWritable(call, channel, false);
  return channel;
}

/** Reads the `ts` of a message by the app that isn't complete yet. */
function readStreamedMessage(call: Call): StoredMessage & { stream: Stream } {
  const channel = readStreamChannel(call);
  const message = findMessage(call.site, channel.id, call.readRequired('ts'));
  if (!message) throw new Refusal('message_not_found');
  if (message.user !== call.botUser) throw new Refusal('message_not_owned_by_app');
  const { stream } = message;
  if (!stream || stream.isComplete) throw new Refusal('message_not_in_streaming_state');
  return { ...message, stream };
}

interface Content {
  text: string;
  blocks: Json[];
}

function withText({ text, blocks }: Content, more: string): Content {
  const last = blocks.at(-1);
  const isText = last?.type === 'markdown';
  const block = isText
    ? { ...last, text: `${getString(last, 'text')}${more}` }
    : { type: 'markdown', text: more };
  return { text: text + more, blocks: [...(isText ? blocks.slice(0, -1) : blocks), ...addIds([block])] };
}

/** Appends streamed text to the details or the output of a task. */
function appendText(before: Json | undefined, more: string | undefined): Json | undefined {
  if (more === undefined) return before;
  const [section] = before ? getRecords(before, 'elements') : [];
  const [first] = section ? getRecords(section, 'elements') : [];
  const text = `${(first && getString(first, 'text')) ?? ''}${more}`;
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
  };
}

type TaskUpdate = Chunk & { type: 'task_update' };

function withTaskUpdate(before: Json | undefined, update: TaskUpdate): Json {
  const details = appendText(before && getRecord(before, 'details'), update.details);
  const output = appendText(before && getRecord(before, 'output'), update.output);
  const sources = [...(before ? getRecords(before, 'sources') : []), ...(update.sources ?? [])];
  return {
    type: 'task_card',
    ...(before && 'block_id' in before ? { block_id: before.block_id } : {}),
    task_id: update.id,
    title: update.title,
    status: update.status,
    ...(details ? { details } : {}),
    ...(output ? { output } : {}),
    ...(sources.length > 0 ? { sources } : {}),
  };
}

/** Replaces the task with the same id, or appends the task. */
function withTask(tasks: readonly Json[], update: TaskUpdate): Json[] {
  const index = tasks.findIndex((task) => task.type === 'task_card' && task.task_id === update.id);
  const task = withTaskUpdate(tasks[index], update);
  return index < 0 ? [...tasks, task] : tasks.with(index, task);
}

/** Changes the plan, or appends one. Its title defaults to the title of its first task. */
function withPlan(blocks: readonly Json[], change: (plan: Json) => Json): Json[] {
  const index = blocks.findIndex(({ type }) => type === 'plan');
  const plan = blocks[index] ?? { type: 'plan', title: '', tasks: [] };
  const changed = change(plan);
  const title =
    getString(changed, 'title') || getString(getRecords(changed, 'tasks')[0] ?? {}, 'title') || '';
  const titled = { ...changed, title };
  return index < 0 ? [...blocks, titled] : blocks.with(index, titled);
}

/** Appends a chunk to a message. A plan's title has no effect if the tasks are a timeline. */
function withChunk(content: Content, chunk: Chunk, tasks: Stream['tasks']): Content {
  const { text, blocks } = content;
  switch (chunk.type) {
    case 'markdown_text':
      return withText(content, chunk.text);
    case 'blocks':
      return { text, blocks: [...blocks, ...addIds(chunk.blocks)] };
    case 'task_update': {
      const changed =
        tasks === 'timeline'
          ? withTask(blocks, chunk)
          : withPlan(blocks, (plan) => ({ ...plan, tasks: withTask(getRecords(plan, 'tasks'), chunk) }));
      return { text, blocks: addIds(changed) };
    }
    case 'plan_update':
      if (tasks === 'timeline') return content;
      return { text, blocks: addIds(withPlan(blocks, (plan) => ({ ...plan, title: chunk.title }))) };
  }
}

export const STREAM_METHODS: Methods = {
  'chat.startStream': bot(2, ['chat:write'], (call) => {
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
  }),
  'chat.appendStream': bot(4, ['chat:write'], (call) => {
    const message = readStreamedMessage(call);
    const chunks = readChunks(call);
    if (chunks.length === 0) throw new Refusal('no_text');
    replaceMessage(call.site, { ...message, ...appendChunks(message, chunks, message.stream.tasks) });
    return { channel: message.channel, ts: message.ts };
  }),
  /** Completes the message: everyone sees all of it, and apps get the event message_changed. */
  'chat.stopStream': bot(2, ['chat:write'], (call) => {
    const { site } = call;
    const message = readStreamedMessage(call);
    const json = call.readJson('blocks', 'invalid_blocks_format');
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
  }),
};
