import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { buildPermalink, replaceMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { buildMessageObject, buildPinnedInfoPart } from './message-object.ts';
import { sendEvent } from './send-event.ts';
import { findChannelOfEvents } from './write-message.ts';

/** Limit of a conversation (Slack's help center, as mattermost/mattermost#2032 quotes it). */
const MAX_PINS = 100;

/** Slack's own messages about a channel can't be pinned (docs.slack.dev, "pins.add"). */
const NOT_PINNABLE_SUBTYPE = /^channel_/;

type Pin = NonNullable<StoredMessage['pinned']>;

/** The pinned messages of a conversation, the newest pin first. */
export function listPinnedMessages(site: Site, channel: string): StoredMessage[] {
  return (site.state.messages[channel] ?? [])
    .filter(({ pinned }) => pinned !== undefined)
    .toSorted((one, other) => (other.pinned?.at ?? 0) - (one.pinned?.at ?? 0));
}

/** A pinned message in the shape of pins.list and the events. */
export function buildPinObject(site: Site, message: StoredMessage, pin: Pin): Json {
  return {
    type: 'message',
    created: Math.floor(pin.at / 1000),
    created_by: pin.by,
    channel: message.channel,
    message: { ...buildMessageObject(site, message), permalink: buildPermalink(site, message) },
  };
}

/** The fields of pin events. `pin` is the added or removed one, and `message` is the message after the change. */
function buildPinFields(site: Site, message: StoredMessage, pin: Pin, user: string): Json {
  return {
    user,
    channel_id: message.channel,
    item: buildPinObject(site, message, pin),
    item_user: message.user,
    pin_count: listPinnedMessages(site, message.channel).length,
    pinned_info: buildPinnedInfoPart(message.channel, pin),
  };
}

export function addPin(site: Site, message: StoredMessage, user: string): void {
  if (message.pinned) throw new Refusal('already_pinned');
  if (NOT_PINNABLE_SUBTYPE.test(message.subtype ?? '')) throw new Refusal('not_pinnable');
  if (listPinnedMessages(site, message.channel).length >= MAX_PINS) throw new Refusal('too_many_pins');
  const pin = { by: user, at: site.now() };
  const pinned = { ...message, pinned: pin };
  replaceMessage(site, pinned);
  forEachApp(site, (app) => {
    const channel = findChannelOfEvents(app, message);
    if (channel) sendEvent(app, 'pin_added', buildPinFields(app, pinned, pin, user), { channel });
  });
}

export function removePin(site: Site, message: StoredMessage, user: string): void {
  const { pinned: pin, ...bare } = message;
  if (!pin) throw new Refusal('no_pin');
  replaceMessage(site, bare);
  const hasPins = listPinnedMessages(site, message.channel).length > 0;
  forEachApp(site, (app) => {
    const channel = findChannelOfEvents(app, message);
    if (!channel) return;
    const fields = { ...buildPinFields(app, bare, pin, user), has_pins: hasPins };
    sendEvent(app, 'pin_removed', fields, { channel });
  });
}
