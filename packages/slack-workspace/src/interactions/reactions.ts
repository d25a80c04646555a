import { isStandardEmoji } from '../emoji/standard-emoji.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { replaceMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { sendEvent } from './send-event.ts';
import { findChannelOfEvents } from './write-message.ts';

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
  replaceMessage(site, reactions.length > 0 ? { ...bare, reactions } : bare);
}

function sendReactionEvent(
  site: Site,
  type: 'reaction_added' | 'reaction_removed',
  { message, user, name }: { message: StoredMessage; user: string; name: string },
): void {
  const channel = findChannelOfEvents(site, message);
  if (!channel) return;
  const event = {
    user,
    reaction: name,
    item: { type: 'message', channel: message.channel, ts: message.ts },
    item_user: message.user,
  };
  sendEvent(site, type, event, { channel });
}

/** Adds a reaction. Throws the errors of reactions.add. */
export function addReaction(site: Site, message: StoredMessage, user: string, name: string): void {
  requireEmoji(site, name);
  const reactions = message.reactions ?? [];
  const same = reactions.find((reaction) => reaction.name === name);
  if (same?.users.includes(user)) throw new Refusal('already_reacted');
  if (!same && reactions.length >= MAX_EMOJI) throw new Refusal('too_many_emoji');
  if (reactions.filter(({ users }) => users.includes(user)).length >= MAX_EMOJI_OF_PERSON) {
    throw new Refusal('too_many_reactions');
  }
  const added = { name, users: [...(same?.users ?? []), user] };
  const changed = same
    ? reactions.map((reaction) => (reaction === same ? added : reaction))
    : [...reactions, added];
  storeReactions(site, message, changed);
  forEachApp(site, (app) => sendReactionEvent(app, 'reaction_added', { message, user, name }));
}

/** Removes a reaction of this person. Throws the errors of reactions.remove. */
export function removeReaction(site: Site, message: StoredMessage, user: string, name: string): void {
  requireEmoji(site, name);
  const reactions = message.reactions ?? [];
  if (!reactions.some((reaction) => reaction.name === name && reaction.users.includes(user))) {
    throw new Refusal('no_reaction');
  }
  const changed = reactions.map((reaction) =>
    reaction.name === name ? { name, users: reaction.users.filter((id) => id !== user) } : reaction,
  );
  storeReactions(
    site,
    message,
    changed.filter(({ users }) => users.length > 0),
  );
  forEachApp(site, (app) => sendReactionEvent(app, 'reaction_removed', { message, user, name }));
}
