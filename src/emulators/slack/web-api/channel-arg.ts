import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { canSee, findChannel, findChannelByName, findPerson, openDirectMessage } from '../state/directory.ts';
import { hasScope } from '../state/granted-scopes.ts';
import { type Call, neededArg } from './call.ts';

/** The conversation with this id, if the app can see it: a private one that it is not in is hidden from it. */
export function visibleChannel(call: Call, argument = 'channel'): Channel {
  const channel = findChannel(call.site, neededArg(call, argument));
  if (!channel || !canSee(call.site, channel, call.site.state.app.botUserId)) {
    throw new Refusal('channel_not_found');
  }
  return channel;
}

/** Where chat.* write to: also by name, and a person's id means the direct message with them. */
export function channelArg(call: Call): Channel {
  const name = neededArg(call, 'channel');
  const bot = call.site.state.app.botUserId;
  const person = findPerson(call.site, name);
  if (person && name !== bot && person.deactivated !== true) return openDirectMessage(call.site, name, bot);
  const channel = findChannelByName(call.site, name);
  if (!channel || !canSee(call.site, channel, bot)) throw new Refusal('channel_not_found');
  return channel;
}

/** One that the app can write into. With the scope chat:write.public, this is every public channel. */
export function writableChannelArg(call: Call): Channel {
  const channel = channelArg(call);
  if (channel.archived === true) throw new Refusal('is_archived');
  const isOpen = channel.kind === 'public' && hasScope(call.site, 'chat:write.public');
  if (!isOpen && !channel.members.includes(call.site.state.app.botUserId))
    throw new Refusal('not_in_channel');
  if (channel.restricted === true) throw new Refusal('restricted_action');
  return channel;
}
