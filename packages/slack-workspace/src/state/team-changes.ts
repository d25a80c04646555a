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

/** Changes fields of a channel. Removes flags that become false, because channels store only true flags. */
export function changeChannel(
  site: Site,
  channel: Channel,
  changes: Partial<Omit<Channel, 'id' | 'kind'>>,
): void {
  const values = { ...channel, ...changes, updatedAt: site.now() };
  for (const [key, value] of Object.entries(values)) {
    if (value === false) Reflect.deleteProperty(channel, key);
    else Object.assign(channel, { [key]: value });
  }
  sendChannels(site);
}

/** Deletes a channel with its messages. */
export function removeChannel(site: Site, channel: Channel): void {
  site.state.channels = site.state.channels.filter((entry) => entry !== channel);
  delete site.state.messages[channel.id];
  sendChannels(site);
}

/** Adds a person, or replaces the one with the same id. */
export function storePerson(site: Site, person: Person): void {
  const { people } = site.state;
  const isKnown = people.some(({ id }) => id === person.id);
  // Bot users come last.
  site.state.people = isKnown
    ? people.map((entry) => (entry.id === person.id ? person : entry))
    : [...people.filter(({ isBot }) => !isBot), person, ...people.filter(({ isBot }) => isBot)];
  site.touch();
  site.audience.sendToAll({ type: 'people', people: site.state.people });
}

/** Adds a person to a channel. Returns false if they are a member already. */
export function addMember(site: Site, channel: Channel, person: string): boolean {
  if (channel.members.includes(person)) return false;
  channel.members.push(person);
  sendChannels(site);
  return true;
}

/** Removes a person from a channel. Returns false if they aren't a member. */
export function removeMember(site: Site, channel: Channel, person: string): boolean {
  if (!channel.members.includes(person)) return false;
  channel.members = channel.members.filter((member) => member !== person);
  sendChannels(site);
  return true;
}

/** Removes a person from all channels. Direct messages keep their members. */
export function removeFromAllChannels(site: Site, person: string): void {
  for (const channel of site.state.channels) {
    if (!isDirect(channel)) channel.members = channel.members.filter((member) => member !== person);
  }
  sendChannels(site);
}
