import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { canSee, findChannel, openDirectMessage } from '../state/directory.ts';
import { findMessage } from '../state/messages.ts';
import { findOrganisation } from '../state/organisations.ts';
import type { Chat, Prompts } from '../state/saved-agents.ts';
import { eventTs, sendEvent } from './send-event.ts';
import { announceChange, writeMessage } from './write-message.ts';

/**
 * Where the person is while they chat. Outside a channel there is only a flag (as recorded by
 * devafterdark/project-lumos, pkg/slack/event).
 */
function contextPart(site: Site, { context }: Chat): object {
  if (context === undefined) return { force_search: false };
  const enterprise_id = findOrganisation(site)?.id ?? null;
  return { channel_id: context, team_id: site.state.team.id, enterprise_id };
}

function sendChatEvent(
  site: Site,
  type: 'assistant_thread_started' | 'assistant_thread_context_changed',
  chat: Chat,
): void {
  const event = {
    type,
    assistant_thread: {
      user_id: chat.person,
      context: contextPart(site, chat),
      channel_id: chat.channel,
      thread_ts: chat.ts,
    },
    event_ts: eventTs(site),
  };
  const channel = findChannel(site, chat.channel);
  sendEvent(site, type, event, channel ? { channel } : {});
}

export function chatOf(site: Site, channel: string, ts: string): Chat | undefined {
  return site.state.chats.find((chat) => chat.channel === channel && chat.ts === ts);
}

export function chatsOf(site: Site, person: string): Chat[] {
  return site.state.chats.filter((chat) => chat.person === person);
}

function tellChats(site: Site, person: string): void {
  site.touch();
  site.audience.sendTo([person], { type: 'chats', chats: chatsOf(site, person) });
}

/** The channel, if it is one that the app can be told about: any that the person sees, but not the chat's own. */
function contextIn(
  site: Site,
  person: string,
  chatChannel: string,
  id: string | undefined,
): { context?: string } {
  const channel = id === undefined ? undefined : findChannel(site, id);
  if (!channel || channel.id === chatChannel || !canSee(site, channel, person)) return {};
  return { context: channel.id };
}

/**
 * A person opens a new chat. Its first message is of the subtype assistant_app_thread, by the person (as recorded in
 * bolt-python, tests/scenario_tests/test_events_assistant.py).
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
    ...contextIn(site, person, channel.id, context),
    ...(suggestedPrompts.length > 0 ? { prompts: { prompts: suggestedPrompts } } : {}),
  };
  site.state.chats.push(chat);
  tellChats(site, person);
  sendChatEvent(site, 'assistant_thread_started', chat);
  return chat;
}

/** The person goes to another channel while the chat is open. */
export function changeContext(site: Site, person: string, ts: string, context: string): void {
  const chat = chatsOf(site, person).find((one) => one.ts === ts);
  if (!chat) throw new Refusal('thread_not_found');
  const { context: before } = chat;
  delete chat.context;
  Object.assign(chat, contextIn(site, person, chat.channel, context));
  if (chat.context === before) return;
  tellChats(site, person);
  sendChatEvent(site, 'assistant_thread_context_changed', chat);
}

/** Suggestions are gone once the person has written something. */
export function setPrompts(site: Site, chat: Chat, given: Prompts | undefined): void {
  delete chat.prompts;
  if (given) chat.prompts = given;
  tellChats(site, chat.person);
}

/** The title of a chat, on its first message. */
export function setTitle(site: Site, chat: Chat, title: string): void {
  chat.title = title;
  tellChats(site, chat.person);
  const first = findMessage(site, chat.channel, chat.ts);
  const details = { assistant_app_thread: { title, title_blocks: [], artifacts: [] } };
  if (first) announceChange(site, first, { ...first, details });
}

/** With an assistant, whatever people write to the app belongs to a chat: outside of one, a new chat begins. */
export function chatFor(
  site: Site,
  person: string,
  channel: Channel,
  threadTs: string | undefined,
): Chat | undefined {
  const isWithApp = channel.kind === 'im' && channel.members.includes(site.state.app.botUserId);
  if (!site.manifest.isAssistant || !isWithApp) return undefined;
  return threadTs === undefined ? startChat(site, person) : chatOf(site, channel.id, threadTs);
}
