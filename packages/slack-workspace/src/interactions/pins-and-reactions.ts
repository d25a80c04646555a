import { isStandardEmoji } from '../emoji/standard-emoji.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { buildPermalink, replaceMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { buildMessageObject, buildPinnedInfoPart } from './message-object.ts';
import { notifyMembers } from './write-message.ts';

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
  notifyMembers(site, message, 'pin_added', (app) => buildPinFields(app, pinned, pin, user));
}

export function removePin(site: Site, message: StoredMessage, user: string): void {
  const { pinned: pin, ...bare } = message;
  if (!pin) throw new Refusal('no_pin');
  replaceMessage(site, bare);
  const has_pins = listPinnedMessages(site, message.channel).length > 0;
  notifyMembers(site, message, 'pin_removed', (app) => ({
    ...buildPinFields(app, bare, pin, user),
    has_pins,
  }));
}

/**
 * Different emoji on one message, and those of one person. Slack documents both errors, `too_many_emoji` and
 * `too_many_reactions`, but no numbers (docs.slack.dev, "reactions.add"). These numbers are ours.
 */
const MAX_EMOJI = 50;
const MAX_EMOJI_OF_PERSON = 23;

/** Throws `invalid_name` for names of no standard or custom emoji (docs.slack.dev, "reactions.add"). */
function requireEmoji(site: Site, name: string): void {
  if (!isStandardEmoji(name) && !Object.hasOwn(site.state.emoji, name)) throw new Refusal('invalid_name');
}

type Reactions = NonNullable<StoredMessage['reactions']>;

function storeReactions(site: Site, message: StoredMessage, reactions: Reactions): void {
  const { reactions: _, ...bare } = message;
  const used = reactions.filter(({ users }) => users.length > 0);
  replaceMessage(site, used.length > 0 ? { ...bare, reactions: used } : bare);
}

function buildReactionFields(
  { channel, ts, user: author }: StoredMessage,
  user: string,
  reaction: string,
): Json {
  return { user, reaction, item: { type: 'message', channel, ts }, item_user: author };
}

export function addReaction(site: Site, message: StoredMessage, user: string, name: string): void {
  requireEmoji(site, name);
  const reactions = message.reactions ?? [];
  const same = reactions.find((reaction) => reaction.name === name);
  if (same?.users.includes(user)) throw new Refusal('already_reacted');
  if (!same && reactions.length >= MAX_EMOJI) throw new Refusal('too_many_emoji');
  if (reactions.filter(({ users }) => users.includes(user)).length >= MAX_EMOJI_OF_PERSON)
    throw new Refusal('too_many_reactions');
  const added = { name, users: [...(same?.users ?? []), user] };
  const changed = same
    ? reactions.map((reaction) => (reaction === same ? added : reaction))
    : [...reactions, added];
  storeReactions(site, message, changed);
  notifyMembers(site, message, 'reaction_added', () => buildReactionFields(message, user, name));
}

export function removeReaction(site: Site, message: StoredMessage, user: string, name: string): void {
  requireEmoji(site, name);
  const reactions = message.reactions ?? [];
  if (!reactions.some((reaction) => reaction.name === name && reaction.users.includes(user)))
    throw new Refusal('no_reaction');
  const changed = reactions.map((reaction) =>
    reaction.name === name ? { name, users: reaction.users.filter((id) => id !== user) } : reaction,
  );
  storeReactions(site, message, changed);
  notifyMembers(site, message, 'reaction_removed', () => buildReactionFields(message, user, name));
}
