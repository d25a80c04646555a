import { apiTest, authTest } from './auth.ts';
import type { Method } from './call.ts';
import { chatDelete, chatPostEphemeral, chatPostMessage, chatUpdate } from './chat.ts';
import {
  conversationsInfo,
  conversationsList,
  conversationsMembers,
  conversationsOpen,
  usersConversations,
} from './conversations.ts';
import { botsInfo, usersInfo, usersList } from './users.ts';
import { viewsOpen, viewsPublish, viewsPush, viewsUpdate } from './views.ts';

export interface MethodEntry {
  run: Method;
  /** Which token it wants; `none` works without one. */
  token: 'bot' | 'app' | 'none';
  /** Any one of these scopes is enough; empty: none is needed. */
  scopes: readonly string[];
}

const bot = (run: Method, ...scopes: string[]): MethodEntry => ({ run, token: 'bot', scopes });
const READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const WRITE = ['channels:manage', 'groups:write', 'im:write', 'mpim:write'];

/** Every method that is there, with what it asks for (docs.slack.dev, "Web API methods"). */
export const METHODS: ReadonlyMap<string, MethodEntry> = new Map([
  ['api.test', { run: apiTest, token: 'none', scopes: [] }],
  ['auth.test', bot(authTest)],
  ['bots.info', bot(botsInfo, 'users:read')],
  ['chat.delete', bot(chatDelete, 'chat:write')],
  ['chat.postEphemeral', bot(chatPostEphemeral, 'chat:write')],
  ['chat.postMessage', bot(chatPostMessage, 'chat:write')],
  ['chat.update', bot(chatUpdate, 'chat:write')],
  ['conversations.info', bot(conversationsInfo, ...READ)],
  ['conversations.list', bot(conversationsList, ...READ)],
  ['conversations.members', bot(conversationsMembers, ...READ)],
  ['conversations.open', bot(conversationsOpen, ...WRITE)],
  ['users.conversations', bot(usersConversations, ...READ)],
  ['users.info', bot(usersInfo, 'users:read')],
  ['users.list', bot(usersList, 'users:read')],
  ['views.open', bot(viewsOpen)],
  ['views.publish', bot(viewsPublish)],
  ['views.push', bot(viewsPush)],
  ['views.update', bot(viewsUpdate)],
]);
