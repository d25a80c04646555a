import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { directMessage } from '../state/directory.ts';
import { homeOf } from '../state/homes.ts';
import { makeId } from '../state/ids.ts';
import { postMessage } from '../state/messages.ts';
import { viewObject } from '../state/view-object.ts';
import { asMessageText } from './escape.ts';
import { eventEnvelope, messagePart } from './payload-parts.ts';

/** Event types that an app subscribes to, for each kind of conversation. */
const MESSAGE_EVENTS = { public: 'message.channels', private: 'message.groups', im: 'message.im' };
const CHANNEL_TYPES = { public: 'channel', private: 'group', im: 'im' };

/** Sends an event if the app subscribed to it. Nobody waits for an event to be acknowledged. */
function send(site: Site, subscription: string, event: Json): void {
  if (!site.facts.events.includes(subscription)) return;
  void site.courier.deliver(
    { kind: 'events_api', label: subscription },
    { type: 'events_api', payload: eventEnvelope(site, event, makeId('Ev')), acceptsResponse: false },
  );
}

/** Somebody writes into a conversation. The app hears it where it is a member. */
export function say(site: Site, person: string, channel: Channel, typed: string, threadTs?: string): void {
  const text = asMessageText(site, typed);
  const message = postMessage(site, {
    channel: channel.id,
    user: person,
    text,
    ...(threadTs === undefined ? {} : { threadTs }),
  });
  const bot = site.state.app.botUserId;
  const event = { ...messagePart(site, message), channel: channel.id, event_ts: message.ts };
  if (!channel.members.includes(bot)) return;
  send(site, MESSAGE_EVENTS[channel.kind], { ...event, channel_type: CHANNEL_TYPES[channel.kind] });
  if (channel.kind !== 'im' && text.includes(`<@${bot}>`)) {
    send(site, 'app_mention', { ...event, type: 'app_mention' });
  }
}

/** Somebody opens the app's Home tab. */
export function homeOpened(site: Site, person: string): void {
  const home = homeOf(site, person);
  send(site, 'app_home_opened', {
    type: 'app_home_opened',
    user: person,
    channel: directMessage(site, person, site.state.app.botUserId).id,
    tab: 'home',
    event_ts: (site.now() / 1000).toFixed(6),
    ...(home ? { view: viewObject(site, home) } : {}),
  });
}
