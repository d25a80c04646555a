import { chatOf, setPrompts, setTitle } from '../interactions/assistant.ts';
import { isRecord } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { findChannel } from '../state/directory.ts';
import { findMessage } from '../state/messages.ts';
import type { Chat, Prompts } from '../state/saved-agents.ts';
import { type Call, type Method, neededArg, nestedArg, textArg } from './call.ts';
import { visibleChannel } from './channel-arg.ts';
import { authorArgs } from './message-args.ts';

/** Prompts that can be suggested at once (the manifest's schema 0.5.0; docs.slack.dev/ai/developing-ai-apps). */
const MAX_PROMPTS = 4;
const MAX_LOADING_MESSAGES = 10;
const MAX_LOADING_MESSAGE_LENGTH = 50;

/** Refusals of these methods come with a detail (docs.slack.dev/reference/methods/assistant.threads.setTitle). */
function noThread(): Refusal {
  return new Refusal('invalid_thread_ts', { detail: 'Thread not found' });
}

function refuseArgument(name: string, says: string): Refusal {
  return new Refusal('invalid_arguments', {
    response_metadata: { messages: [`[ERROR] ${says} [json-pointer:/${name}]`] },
  });
}

function channelIdArg(call: Call): Channel {
  if (!findChannel(call.site, neededArg(call, 'channel_id'))) {
    throw new Refusal('channel_not_found', { detail: 'Invalid channel_id' });
  }
  return visibleChannel(call, 'channel_id');
}

function chatArg(call: Call): Chat {
  const chat = chatOf(call.site, channelIdArg(call).id, neededArg(call, 'thread_ts'));
  if (!chat) throw noThread();
  return chat;
}

function loadingMessagesArg(call: Call): string[] {
  const given = nestedArg(call, 'loading_messages', 'invalid_arguments');
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw refuseArgument('loading_messages', 'must provide an array');
  if (given.length === 0) throw refuseArgument('loading_messages', 'must provide at least 1 items');
  if (given.length > MAX_LOADING_MESSAGES) {
    throw refuseArgument('loading_messages', `no more than ${MAX_LOADING_MESSAGES} items allowed`);
  }
  return given.map((entry, index) => {
    const name = `loading_messages/${index}`;
    if (typeof entry !== 'string') throw refuseArgument(name, 'must provide a string');
    if (entry === '') throw refuseArgument(name, 'must be more than 0 characters');
    if (entry.length <= MAX_LOADING_MESSAGE_LENGTH) return entry;
    throw refuseArgument(name, `must be less than ${MAX_LOADING_MESSAGE_LENGTH + 1} characters`);
  });
}

/** In any thread, not only in chats. An empty status removes the last one. */
export const assistantThreadsSetStatus: Method = (call) => {
  const { site } = call;
  const channel = channelIdArg(call);
  const threadTs = neededArg(call, 'thread_ts');
  const status = call.args.status === '' ? '' : neededArg(call, 'status');
  if (!findMessage(site, channel.id, threadTs)) throw noThread();
  const { username: name } = authorArgs(call);
  const loadingMessages = loadingMessagesArg(call);
  const named = name === undefined ? {} : { name };
  site.statuses.set({ channel: channel.id, threadTs, status, loadingMessages, ...named });
  return {};
};

export const assistantThreadsSetTitle: Method = (call) => {
  const chat = chatArg(call);
  setTitle(call.site, chat, neededArg(call, 'title'));
  return {};
};

function promptsArg(call: Call): Prompts['prompts'] {
  const given = nestedArg(call, 'prompts', 'invalid_arguments') ?? neededArg(call, 'prompts');
  if (!Array.isArray(given)) throw refuseArgument('prompts', 'must provide an array');
  if (given.length > MAX_PROMPTS)
    throw refuseArgument('prompts', `no more than ${MAX_PROMPTS} items allowed`);
  return given.map((entry, index) => {
    const { title, message } = isRecord(entry) ? entry : {};
    if (typeof title !== 'string') throw refuseArgument(`prompts/${index}`, 'missing required field: title');
    if (typeof message !== 'string') {
      throw refuseArgument(`prompts/${index}`, 'missing required field: message');
    }
    return { title, message };
  });
}

/** Without a thread, only for an app that is configured as an agent, which has no chats of this kind. */
export const assistantThreadsSetSuggestedPrompts: Method = (call) => {
  channelIdArg(call);
  const prompts = promptsArg(call);
  if (textArg(call, 'thread_ts') === undefined) throw new Refusal('not_agent_app');
  const title = textArg(call, 'title');
  setPrompts(call.site, chatArg(call), { prompts, ...(title === undefined ? {} : { title }) });
  return {};
};
