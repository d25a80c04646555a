import { Refusal } from '../refusal.ts';
import { findMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type Call, textArg } from './call.ts';
import { visibleChannel } from './channel-arg.ts';

/**
 * The message that `channel` and `timestamp` name, for reactions.* and pins.*. The app has to be in its channel
 * (HubSpot/slack-client #356, where a reaction fails with not_in_channel).
 */
export function messageArg(call: Call): StoredMessage {
  const ts = textArg(call, 'timestamp');
  if (textArg(call, 'channel') === undefined || ts === undefined) throw new Refusal('no_item_specified');
  const channel = visibleChannel(call);
  if (!/^\d+\.\d+$/.test(ts)) throw new Refusal('bad_timestamp');
  if (!channel.members.includes(call.site.state.app.botUserId)) throw new Refusal('not_in_channel');
  const message = findMessage(call.site, channel.id, ts);
  if (!message || message.ephemeralTo !== undefined || message.subtype === 'tombstone') {
    throw new Refusal('message_not_found');
  }
  return message;
}

/** The same in a channel where people still write. */
export function openMessageArg(call: Call): StoredMessage {
  const message = messageArg(call);
  if (visibleChannel(call).archived === true) throw new Refusal('is_archived');
  return message;
}
