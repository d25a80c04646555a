import { findChat, setChatTitle, setPrompts } from '../interactions/assistant.ts';
import { setStatus } from '../interactions/statuses.ts';
import { getStrings, isRecord } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { ANY, array, type Schema, string } from '../rules/field-rule.ts';
import { checkValue, createArgumentsRefusal } from '../rules/find-problems.ts';
import { findChannel } from '../state/directory.ts';
import { findMessage } from '../state/messages.ts';
import type { Chat, Prompts } from '../state/saved-state.ts';
import { bot, type Call, type Methods, readAuthor, readChannel } from './call.ts';

/** Slack's manifest schema 0.5.0; docs.slack.dev/ai/developing-ai-apps. */
const PROMPTS = array(ANY, 0, 4);
/** docs.slack.dev/reference/methods/assistant.threads.setStatus. */
const LOADING_MESSAGES = array(string(50, 1), 1, 10);

/** Errors of these methods contain a detail (docs.slack.dev/reference/methods/assistant.threads.setTitle). */
class ThreadNotFound extends Refusal {
  constructor() {
    super('invalid_thread_ts', { detail: 'Thread not found' });
  }
}

/** Throws the first problem of an argument. */
function requireFit(schema: Schema, value: unknown, pointer: string): void {
  const [problem] = checkValue(schema, value, pointer);
  if (problem) throw createArgumentsRefusal([problem]);
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
  requireFit(LOADING_MESSAGES, messages, '/loading_messages');
  return getStrings({ messages }, 'messages');
}

function readPrompts(call: Call): Prompts['prompts'] {
  const given = call.readJson('prompts', 'invalid_arguments') ?? call.readRequired('prompts');
  requireFit(PROMPTS, given, '/prompts');
  const prompts: unknown[] = Array.isArray(given) ? given : [];
  return prompts.map((prompt, index) => {
    const { title, message } = isRecord(prompt) ? prompt : {};
    if (typeof title === 'string' && typeof message === 'string') return { title, message };
    const missing = typeof title === 'string' ? 'message' : 'title';
    const problem = { message: `missing required field: ${missing}`, pointer: `/prompts/${index}` };
    throw createArgumentsRefusal([problem]);
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
