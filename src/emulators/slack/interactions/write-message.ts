import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findAppByUser, forEachApp } from '../state/apps.ts';
import { findChannel } from '../state/directory.ts';
import { changeMessage, deleteMessage, replaceMessage, storeMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { messagePart } from './message-part.ts';
import { sendMetadataEvent } from './metadata-events.ts';
import { eventTs, sendEvent } from './send-event.ts';

/** Event types that an app subscribes to, for each kind of conversation. */
const MESSAGE_EVENTS = {
  public: 'message.channels',
  private: 'message.groups',
  im: 'message.im',
  mpim: 'message.mpim',
};
const CHANNEL_TYPES = { public: 'channel', private: 'group', im: 'im', mpim: 'mpim' };

/** The app hears of a conversation where it is a member, and never of what one person alone sees. */
export function heard(site: Site, message: StoredMessage): Channel | undefined {
  const channel = findChannel(site, message.channel);
  const member = channel?.members.includes(site.state.app.botUserId);
  return member && message.ephemeralTo === undefined ? channel : undefined;
}

function tellApp(site: Site, channel: Channel, event: Json): void {
  const where = { channel: channel.id, channel_type: CHANNEL_TYPES[channel.kind] };
  sendEvent(site, MESSAGE_EVENTS[channel.kind], { ...event, ...where }, { channel });
}

/** What happened to a message that was there before. */
function hidden(site: Site, subtype: string): Json {
  const ts = eventTs(site);
  return { type: 'message', subtype, hidden: true, ts, event_ts: ts };
}

/** A new message, which people see and apps hear of. */
export function writeMessage(site: Site, message: Omit<StoredMessage, 'ts'>): StoredMessage {
  const posted = storeMessage(site, message);
  const { channel, threadTs, user } = posted;
  if (threadTs !== undefined) findAppByUser(site, user)?.statuses.clear(channel, threadTs);
  forEachApp(site, (app) => notifyOfMessage(app, posted));
  return posted;
}

function notifyOfMessage(app: Site, posted: StoredMessage): void {
  const channel = heard(app, posted);
  if (!channel) return;
  const event = { ...messagePart(app, posted), event_ts: posted.ts };
  tellApp(app, channel, event);
  sendMetadataEvent(app, channel, { after: posted });
  const { botUserId } = app.state.app;
  if (channel.kind !== 'im' && posted.user !== botUserId && posted.text.includes(`<@${botUserId}>`)) {
    sendEvent(app, 'app_mention', { ...event, type: 'app_mention', channel: channel.id }, { channel });
  }
}

function notifyOfChange(app: Site, before: StoredMessage, after: StoredMessage): void {
  const channel = heard(app, before);
  if (!channel) return;
  tellApp(app, channel, {
    ...hidden(app, 'message_changed'),
    message: messagePart(app, after),
    previous_message: messagePart(app, before),
  });
  sendMetadataEvent(app, channel, { before, after });
}

/** Other content for a message. */
export function rewriteMessage(
  site: Site,
  message: StoredMessage,
  content: Parameters<typeof changeMessage>[2],
): StoredMessage {
  const changed = changeMessage(site, message, content);
  forEachApp(site, (app) => notifyOfChange(app, message, changed));
  return changed;
}

/** A change that doesn't mark the message as edited, such as a preview below it. */
export function announceChange(site: Site, message: StoredMessage, changed: StoredMessage): void {
  replaceMessage(site, changed);
  forEachApp(site, (app) => notifyOfChange(app, message, changed));
}

export function removeMessage(site: Site, message: StoredMessage): void {
  deleteMessage(site, message);
  forEachApp(site, (app) => {
    const channel = heard(app, message);
    if (!channel) return;
    tellApp(app, channel, {
      ...hidden(app, 'message_deleted'),
      deleted_ts: message.ts,
      previous_message: messagePart(app, message),
    });
    sendMetadataEvent(app, channel, { before: message });
  });
}
