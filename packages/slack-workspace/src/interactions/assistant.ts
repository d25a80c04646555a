import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findOrganisation } from '../state/apps.ts';
import { findChannel, findVisibleChannel, openDirectMessage } from '../state/directory.ts';
import { findMessage } from '../state/messages.ts';
import type { Chat, Prompts } from '../state/saved-state.ts';
import { sendEvent } from './payloads.ts';
import { updateMessage, writeMessage } from './write-message.ts';

/** Outside a channel, the context only has a flag (recorded by devafterdark/project-lumos, pkg/slack/event). */
function buildContextPart(site: Site, { context }: Chat): object {
  if (context === undefined) return { force_search: false };
  const enterprise_id = findOrganisation(site)?.id ?? null;
  return { channel_id: context, team_id: site.state.team.id, enterprise_id };
}

function sendChatEvent(
  site: Site,
  type: 'assistant_thread_started' | 'assistant_thread_context_changed',
  chat: Chat,
): void {
  const assistant_thread = {
    user_id: chat.person,
    context: buildContextPart(site, chat),
    channel_id: chat.channel,
    thread_ts: chat.ts,
  };
  const channel = findChannel(site, chat.channel);
  sendEvent(site, type, { assistant_thread }, channel ? { channel } : {});
}

export function findChat(site: Site, channel: string, ts: string): Chat | undefined {
  return site.state.chats.find((chat) => chat.channel === channel && chat.ts === ts);
}

export function listChats(site: Site, person: string): Chat[] {
  return site.state.chats.filter((chat) => chat.person === person);
}

function sendChats(site: Site, person: string): void {
  site.touch();
  site.audience.sendTo([person], { type: 'changed', parts: { chats: listChats(site, person) } });
}

/** The channel as the context of a chat: any that the person sees, except the chat's own. */
function findContext(
  site: Site,
  person: string,
  chatChannel: string,
  id: string | undefined,
): { context?: string } {
  const isContext = id !== undefined && id !== chatChannel && findVisibleChannel(site, id, person);
  return isContext ? { context: id } : {};
}

/**
 * Opens a new chat. Its first message is by the person, with the subtype assistant_app_thread (recorded in bolt-python,
 * tests/scenario_tests/test_events_assistant.py).
 */
export function startChat(site: Site, person: string, context?: string): Chat {
  if (!site.manifest.isAssistant) throw new Refusal('not_agent_app');
  const channel = openDirectMessage(site, person, site.state.app.botUserId);
  const first = { channel: channel.id, user: person, text: 'New chat', subtype: 'assistant_app_thread' };
  const { ts } = writeMessage(site, first);
  const { suggestedPrompts } = site.manifest;
  const chat: Chat = {
    channel: channel.id,
    ts,
    person,
    ...findContext(site, person, channel.id, context),
    ...(suggestedPrompts.length > 0 ? { prompts: { prompts: suggestedPrompts } } : {}),
  };
  site.state.chats.push(chat);
  sendChats(site, person);
  sendChatEvent(site, 'assistant_thread_started', chat);
  return chat;
}

export function changeChatContext(site: Site, person: string, ts: string, context: string): void {
  const chat = listChats(site, person).find((one) => one.ts === ts);
  if (!chat) throw new Refusal('thread_not_found');
  const { context: before } = chat;
  delete chat.context;
  Object.assign(chat, findContext(site, person, chat.channel, context));
  if (chat.context === before) return;
  sendChats(site, person);
  sendChatEvent(site, 'assistant_thread_context_changed', chat);
}

/** Replaces the suggested prompts of a chat. Undefined removes them. */
export function setPrompts(site: Site, chat: Chat, given: Prompts | undefined): void {
  delete chat.prompts;
  if (given) chat.prompts = given;
  sendChats(site, chat.person);
}

/** Changes the title of a chat, which its first message contains too. */
export function setChatTitle(site: Site, chat: Chat, title: string): void {
  chat.title = title;
  sendChats(site, chat.person);
  const first = findMessage(site, chat.channel, chat.ts);
  const details = { assistant_app_thread: { title, title_blocks: [], artifacts: [] } };
  if (first) updateMessage(site, first, { ...first, details });
}

/** Finds the chat of a message to an assistant. A message outside of a chat starts a new one. */
export function findOrStartChat(
  site: Site,
  person: string,
  channel: Channel,
  threadTs: string | undefined,
): Chat | undefined {
  const isWithApp = channel.kind === 'im' && channel.members.includes(site.state.app.botUserId);
  if (!site.manifest.isAssistant || !isWithApp) return undefined;
  return threadTs === undefined ? startChat(site, person) : findChat(site, channel.id, threadTs);
}
