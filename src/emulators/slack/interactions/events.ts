import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { openDirectMessage } from '../state/directory.ts';
import { findHome } from '../state/home-tabs.ts';
import { viewObject } from '../state/view-object.ts';
import { chatFor, setPrompts } from './assistant.ts';
import { asMessageText } from './escape.ts';
import { announceLinks } from './links.ts';
import { eventTs, sendEvent } from './send-event.ts';
import { writeMessage } from './write-message.ts';

/** The chat to which a message belongs, as the page opens it. */
interface InChat {
  chat: { channel: string; ts: string };
}

/** Somebody writes into a conversation, or into a thread of it, where Slack runs no commands. */
export function say(
  site: Site,
  person: string,
  channel: Channel,
  typed: string,
  threadTs?: string,
): InChat | undefined {
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
  const chat = chatFor(site, person, channel, threadTs);
  if (chat?.prompts) setPrompts(site, chat, undefined);
  const thread = threadTs ?? chat?.ts;
  const message = writeMessage(site, {
    channel: channel.id,
    user: person,
    text: asMessageText(site, typed),
    ...(thread === undefined ? {} : { threadTs: thread }),
  });
  announceLinks(site, channel, message);
  return chat ? { chat: { channel: chat.channel, ts: chat.ts } } : undefined;
}

/**
 * Somebody opens the app's Home or Messages tab. Slack sends the event each time, and the view only with Home
 * (docs.slack.dev/reference/events/app_home_opened).
 */
export function appOpened(site: Site, person: string, tab: 'home' | 'messages'): void {
  const home = tab === 'home' ? findHome(site, person) : undefined;
  sendEvent(site, 'app_home_opened', {
    type: 'app_home_opened',
    user: person,
    channel: openDirectMessage(site, person, site.state.app.botUserId).id,
    tab,
    event_ts: eventTs(site),
    ...(home ? { view: viewObject(site, home) } : {}),
  });
}
