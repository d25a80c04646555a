import { escapeText } from '../blocks/returned-text.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findChannelByName } from '../state/directory.ts';
import { findOrStartChat, setPrompts } from './assistant.ts';
import { announceLinks } from './links.ts';
import { writeMessage } from './write-message.ts';

/** The chat that the page opens after sending a message to an assistant. */
interface SentToChat {
  chat: { channel: string; ts: string };
}

/**
 * Sends what a person typed into a conversation or a thread. Shows a notice instead if Slack wouldn't send it, such as
 * a command in a thread.
 */
export function sendTypedMessage(
  site: Site,
  person: string,
  channel: Channel,
  typed: string,
  threadTs?: string,
): SentToChat | undefined {
  const command = threadTs === undefined ? undefined : /^\/\S+/.exec(typed.trim())?.[0];
  if (command !== undefined) {
    const text = `${command} is not supported in threads. Sorry!`;
    site.audience.sendTo([person], { type: 'notice', channel: channel.id, text });
    return undefined;
  }
  if (
    !site.manifest.acceptsMessages &&
    channel.kind === 'im' &&
    channel.members.includes(site.state.app.botUserId)
  ) {
    const text = 'Sending messages to this app has been turned off.';
    site.audience.sendTo([person], { type: 'notice', channel: channel.id, text });
    return undefined;
  }
  const chat = findOrStartChat(site, person, channel, threadTs);
  if (chat?.prompts) setPrompts(site, chat, undefined);
  const thread = threadTs ?? chat?.ts;
  const message = writeMessage(site, {
    channel: channel.id,
    user: person,
    text: formatTypedText(site, typed),
    ...(thread === undefined ? {} : { threadTs: thread }),
  });
  announceLinks(site, channel, message);
  return chat ? { chat: { channel: chat.channel, ts: chat.ts } } : undefined;
}

/** Formats a typed message as Slack stores it: escaped, with links, mentions and channels in angle brackets. */
function formatTypedText(site: Site, typed: string): string {
  return escapeText(typed)
    .replaceAll(/(^|[\s(])(https?:\/\/[^\s<>|]*[^\s<>|.,:;!?)"'])/gi, '$1<$2>')
    .replaceAll(/(^|[\s(])@([\w.-]*\w)/g, (match, before: string, name: string) => {
      const person = site.state.people.find((entry) => entry.name === name.toLowerCase());
      return person ? `${before}<@${person.id}>` : match;
    })
    .replaceAll(/(^|[\s(])#([\w-]+)/g, (match, before: string, name: string) => {
      const channel = findChannelByName(site, name);
      return channel ? `${before}<#${channel.id}|${channel.name}>` : match;
    });
}
