import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { makeId } from './ids.ts';

/** Guests see only the channels that they are members of. */
export const isGuest = ({ role }: Person): boolean => role === 'guest' || role === 'single-channel-guest';

export function findPerson(site: Site, id: string): Person | undefined {
  return site.state.people.find((person) => person.id === id);
}

/** Finds a person by their id, handle (`ana` or `@ana`), first name or full name. */
export function findPersonByName(site: Site, name: string): Person | undefined {
  const wanted = name.replace(/^@/, '').toLowerCase();
  return site.state.people.find(
    (person) =>
      person.id === name ||
      person.name === wanted ||
      person.realName.toLowerCase() === wanted ||
      person.realName.toLowerCase().split(' ')[0] === wanted,
  );
}

/** Finds a person by their id or handle. Returns the first person, the owner, for unknown and deactivated people. */
export function findPersonOrOwner(site: Site, idOrHandle: string): Person {
  const [owner] = site.state.people;
  const found =
    findPerson(site, idOrHandle) ?? site.state.people.find((person) => person.name === idOrHandle);
  const person = found?.deactivated === true ? owner : (found ?? owner);
  if (!person) throw new Error('This workspace has no people');
  return person;
}

export function findChannel(site: Site, id: string): Channel | undefined {
  return site.state.channels.find((channel) => channel.id === id);
}

/** Finds a channel by its id or name (`general` or `#general`). */
export function findChannelByName(site: Site, name: string): Channel | undefined {
  const wanted = name.replace(/^#/, '');
  return site.state.channels.find(
    (channel) => channel.id === name || (channel.kind !== 'im' && channel.name === wanted),
  );
}

/** Members see a channel. So does everybody else in the workspace if it is public, except guests. */
export function canSee(site: Site, channel: Channel, person: string): boolean {
  if (channel.members.includes(person)) return true;
  const found = findPerson(site, person);
  return channel.kind === 'public' && found !== undefined && !isGuest(found) && !found.from;
}

export function findVisibleChannel(site: Site, id: string, person: string): Channel | undefined {
  const channel = findChannel(site, id);
  return channel && canSee(site, channel, person) ? channel : undefined;
}

export function listVisibleChannels(site: Site, person: string): Channel[] {
  return site.state.channels.filter((channel) => canSee(site, channel, person));
}

/** Finds the direct message between two people, or creates it. */
export function openDirectMessage(site: Site, one: string, other: string): Channel {
  const found = site.state.channels.find(
    (channel) => channel.kind === 'im' && channel.members.includes(one) && channel.members.includes(other),
  );
  if (found) return found;
  return storeChannel(site, { id: makeId('D'), name: '', kind: 'im', topic: '', members: [one, other] });
}

export const isDirect = ({ kind }: Channel): boolean => kind === 'im' || kind === 'mpim';

/** Finds the group direct message of exactly these people, or creates it. */
export function openGroupMessage(site: Site, people: readonly string[]): Channel {
  const members = [...new Set(people)];
  const found = site.state.channels.find(
    (channel) =>
      channel.kind === 'mpim' &&
      channel.members.length === members.length &&
      members.every((id) => channel.members.includes(id)),
  );
  if (found) return found;
  const names = members.map((id) => findPerson(site, id)?.name ?? id);
  const name = `mpdm-${names.join('--')}-1`;
  return addChannel(site, { name, kind: 'mpim', members });
}

function sendChannels(site: Site): void {
  site.touch();
  site.audience.sendToEach((person) => ({
    type: 'changed',
    parts: { channels: listVisibleChannels(site, person) },
  }));
}

export function addChannel(site: Site, about: Omit<Channel, 'id' | 'topic'> & { topic?: string }): Channel {
  return storeChannel(site, { topic: '', createdAt: site.now(), ...about, id: makeId('C') });
}

function storeChannel(site: Site, channel: Channel): Channel {
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
  site.audience.sendToAll({ type: 'changed', parts: { people: site.state.people } });
}

/** Adds a person to a channel. Returns false if they are a member already. */
export function addMember(site: Site, channel: Channel, person: string): boolean {
  if (channel.members.includes(person)) return false;
  channel.members = [...channel.members, person];
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
