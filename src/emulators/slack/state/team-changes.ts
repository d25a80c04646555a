import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { isDirect, listVisibleChannels } from './directory.ts';
import { makeId } from './ids.ts';

function sendChannels(site: Site): void {
  site.touch();
  site.audience.sendToEach((person) => ({ type: 'channels', channels: listVisibleChannels(site, person) }));
}

export function addChannel(site: Site, about: Omit<Channel, 'id' | 'topic'> & { topic?: string }): Channel {
  const channel: Channel = { topic: '', createdAt: site.now(), ...about, id: makeId('C') };
  site.state.channels.push(channel);
  sendChannels(site);
  return channel;
}

/** Gives a channel other marks; one that is false is taken away. */
export function changeChannel(
  site: Site,
  channel: Channel,
  changes: Partial<Omit<Channel, 'id' | 'kind'>>,
): void {
  const changed = Object.entries({ ...channel, ...changes, updatedAt: site.now() }).filter(
    ([, value]) => value !== false,
  );
  const before = Object.keys(channel);
  for (const key of before) if (!changed.some(([kept]) => kept === key)) Reflect.deleteProperty(channel, key);
  Object.assign(channel, Object.fromEntries(changed));
  sendChannels(site);
}

/** A channel is gone, and all that was written there. */
export function removeChannel(site: Site, channel: Channel): void {
  site.state.channels = site.state.channels.filter((entry) => entry !== channel);
  delete site.state.messages[channel.id];
  sendChannels(site);
}

/** A new person, or one as they are now. */
export function storePerson(site: Site, person: Person): void {
  const { people } = site.state;
  const known = people.some(({ id }) => id === person.id);
  // The app stands last, as everywhere.
  site.state.people = known
    ? people.map((entry) => (entry.id === person.id ? person : entry))
    : [...people.filter(({ isBot }) => !isBot), person, ...people.filter(({ isBot }) => isBot)];
  site.touch();
  site.audience.sendToAll({ type: 'people', people: site.state.people });
}

/** False where they are in it already. */
export function addMember(site: Site, channel: Channel, person: string): boolean {
  if (channel.members.includes(person)) return false;
  channel.members.push(person);
  sendChannels(site);
  return true;
}

/** False where they are not in it. */
export function removeMember(site: Site, channel: Channel, person: string): boolean {
  if (!channel.members.includes(person)) return false;
  channel.members = channel.members.filter((member) => member !== person);
  sendChannels(site);
  return true;
}

/** They are in no channel any more; in their direct messages they stay named. */
export function removeFromAllChannels(site: Site, person: string): void {
  for (const channel of site.state.channels) {
    if (!isDirect(channel)) channel.members = channel.members.filter((member) => member !== person);
  }
  sendChannels(site);
}
