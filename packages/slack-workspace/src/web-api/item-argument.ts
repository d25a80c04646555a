import { Refusal } from '../refusal.ts';
import { findMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type Call, readText } from './call.ts';
import { readChannel } from './channel-arguments.ts';

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
