import { findChat, setChatTitle, setPrompts } from '../interactions/assistant.ts';
import { setStatus } from '../interactions/statuses.ts';
import { isRecord } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { findChannel } from '../state/directory.ts';
import { findMessage } from '../state/messages.ts';
import type { Chat, Prompts } from '../state/saved-state.ts';
import { bot, type Call, InvalidArguments, type Methods, readAuthor, readChannel } from './call.ts';

/** Slack's manifest schema 0.5.0; docs.slack.dev/ai/developing-ai-apps. */
const MAX_PROMPTS = 4;
/** docs.slack.dev/reference/methods/assistant.threads.setStatus. */
const MAX_LOADING_MESSAGES = 10;
const MAX_LOADING_MESSAGE_LENGTH = 50;

/** Errors of these methods contain a detail (docs.slack.dev/reference/methods/assistant.threads.setTitle). */
class ThreadNotFound extends Refusal {
  constructor() {
    super('invalid_thread_ts', { detail: 'Thread not found' });
  }
}

/** Refuses the argument, or the item of a list, at this JSON pointer. */
class InvalidItem extends InvalidArguments {
  constructor(pointer: string, problem: string) {
    super(`[ERROR] ${problem} [json-pointer:/${pointer}]`);
  }
}

function readAssistantChannel(call: Call): Channel {
  if (!findChannel(call.site, call.readRequired('channel_id')))
    throw new Refusal('channel_not_found', { detail: 'Invalid channel_id' });
  return readChannel(call, 'channel_id');
}

function readChat(call: Call): Chat {
  const chat = findChat(call.site, readAssistantChannel(call).id, call.readRequired('thread_ts'));
  if (!chat) throw new ThreadNotFound();
  return chat;
}

function readLoadingMessages(call: Call): string[] {
  const messages = call.readJson('loading_messages', 'invalid_arguments');
  if (messages === undefined) return [];
  if (!Array.isArray(messages)) throw new InvalidItem('loading_messages', 'must provide an array');
  if (messages.length === 0) throw new InvalidItem('loading_messages', 'must provide at least 1 items');
  if (messages.length > MAX_LOADING_MESSAGES)
    throw new InvalidItem('loading_messages', `no more than ${MAX_LOADING_MESSAGES} items allowed`);
  return messages.map((message, index) => {
    const pointer = `loading_messages/${index}`;
    if (typeof message !== 'string') throw new InvalidItem(pointer, 'must provide a string');
    if (message === '') throw new InvalidItem(pointer, 'must be more than 0 characters');
    if (message.length <= MAX_LOADING_MESSAGE_LENGTH) return message;
    throw new InvalidItem(pointer, `must be less than ${MAX_LOADING_MESSAGE_LENGTH + 1} characters`);
  });
}

function readPrompts(call: Call): Prompts['prompts'] {
  const prompts = call.readJson('prompts', 'invalid_arguments') ?? call.readRequired('prompts');
  if (!Array.isArray(prompts)) throw new InvalidItem('prompts', 'must provide an array');
  if (prompts.length > MAX_PROMPTS)
    throw new InvalidItem('prompts', `no more than ${MAX_PROMPTS} items allowed`);
  return prompts.map((prompt, index) => {
    const { title, message } = isRecord(prompt) ? prompt : {};
    const pointer = `prompts/${index}`;
    if (typeof title !== 'string') throw new InvalidItem(pointer, 'missing required field: title');
    if (typeof message !== 'string') throw new InvalidItem(pointer, 'missing required field: message');
    return { title, message };
  });
}

export const ASSISTANT_METHODS: Methods = {
  /** Works in every thread, not only in chats with an assistant. An empty status removes the current one. */
  'assistant.threads.setStatus': bot('special', ['chat:write'], (call) => {
    const { site } = call;
    const channel = readAssistantChannel(call);
    const threadTs = call.readRequired('thread_ts');
    const status = call.args.status === '' ? '' : call.readRequired('status');
    if (!findMessage(site, channel.id, threadTs)) throw new ThreadNotFound();
    const { username: name } = readAuthor(call);
    const loadingMessages = readLoadingMessages(call);
    setStatus(site, {
      ...{ channel: channel.id, threadTs, status, loadingMessages },
      ...(name !== undefined && { name }),
    });
  }),
  'assistant.threads.setTitle': bot(4, ['assistant:write'], (call) => {
    const chat = readChat(call);
    setChatTitle(call.site, chat, call.readRequired('title'));
  }),
  /** Only apps that are configured as agents may leave out `thread_ts`. The emulator doesn't have those. */
  'assistant.threads.setSuggestedPrompts': bot(4, ['assistant:write'], (call) => {
    readAssistantChannel(call);
    const prompts = readPrompts(call);
    if (call.readText('thread_ts') === undefined) throw new Refusal('not_agent_app');
    const title = call.readText('title');
    setPrompts(call.site, readChat(call), { prompts, ...(title === undefined ? {} : { title }) });
  }),
};
