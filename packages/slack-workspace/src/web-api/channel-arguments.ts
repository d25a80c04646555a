import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { canSee, findChannel, findChannelByName, findPerson, openDirectMessage } from '../state/directory.ts';
import { hasScope } from '../state/granted-scopes.ts';
import { type Call, readRequired } from './call.ts';

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
