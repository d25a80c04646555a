import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { canSee, findChannel, findChannelByName, findPerson, openDirectMessage } from '../state/directory.ts';
import { hasScope } from '../state/grants.ts';
import { findMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type Call, readRequired, readText } from './call.ts';

/** Reads a conversation's id. Private conversations without the app are hidden from it. */
export function readChannel(call: Call, argument = 'channel'): Channel {
  const channel = findChannel(call.site, readRequired(call, argument));
  if (!channel || !canSee(call.site, channel, call.site.state.app.botUserId)) {
    throw new Refusal('channel_not_found');
  }
  return channel;
}

/** Reads a conversation's id or name, or the id of a person for the direct message with them. */
export function readChannelOrPerson(call: Call): Channel {
  const idOrName = readRequired(call, 'channel');
  const bot = call.site.state.app.botUserId;
  const person = findPerson(call.site, idOrName);
  if (person && person.id !== bot && person.deactivated !== true) {
    return openDirectMessage(call.site, person.id, bot);
  }
  const channel = findChannelByName(call.site, idOrName);
  if (!channel || !canSee(call.site, channel, bot)) throw new Refusal('channel_not_found');
  return channel;
}

/** Reads a conversation that the app can write to. With the scope chat:write.public, it can write to public channels. */
export function readWritableChannel(call: Call): Channel {
  const channel = readChannelOrPerson(call);
  if (channel.archived === true) throw new Refusal('is_archived');
  const isOpen = channel.kind === 'public' && hasScope(call.site, 'chat:write.public');
  if (!isOpen && !channel.members.includes(call.site.state.app.botUserId))
    throw new Refusal('not_in_channel');
  if (channel.restricted === true) throw new Refusal('restricted_action');
  return channel;
}

/**
 * Reads the `channel` and `timestamp` of a message for reactions.* and pins.*, which Slack calls an item. The app has to
 * be in its channel (HubSpot/slack-client #356: a reaction fails with not_in_channel).
 */
export function readItem(call: Call): StoredMessage {
  const ts = readText(call, 'timestamp');
  if (readText(call, 'channel') === undefined || ts === undefined) throw new Refusal('no_item_specified');
  const channel = readChannel(call);
  if (!/^\d+\.\d+$/.test(ts)) throw new Refusal('bad_timestamp');
  if (!channel.members.includes(call.site.state.app.botUserId)) throw new Refusal('not_in_channel');
  const message = findMessage(call.site, channel.id, ts);
  if (!message || message.ephemeralTo !== undefined || message.subtype === 'tombstone') {
    throw new Refusal('message_not_found');
  }
  return message;
}

/** Reads an item, and refuses archived channels. */
export function readUnarchivedItem(call: Call): StoredMessage {
  const message = readItem(call);
  if (readChannel(call).archived === true) throw new Refusal('is_archived');
  return message;
}
