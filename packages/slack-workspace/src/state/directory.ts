import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { makeId } from './ids.ts';

/** Guests see only the channels that they are members of. */
export function isGuest({ role }: Person): boolean {
  return role === 'guest' || role === 'single-channel-guest';
}

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

export function listVisibleChannels(site: Site, person: string): Channel[] {
  return site.state.channels.filter((channel) => canSee(site, channel, person));
}

/** Finds the direct message between two people, or creates it. */
export function openDirectMessage(site: Site, one: string, other: string): Channel {
  const found = site.state.channels.find(
    (channel) => channel.kind === 'im' && channel.members.includes(one) && channel.members.includes(other),
  );
  if (found) return found;
  const created: Channel = { id: makeId('D'), name: '', kind: 'im', topic: '', members: [one, other] };
  site.state.channels.push(created);
  site.touch();
  site.audience.sendToEach((person) => ({ type: 'channels', channels: listVisibleChannels(site, person) }));
  return created;
}

/** Whether a conversation is a direct message or a group direct message. */
export function isDirect({ kind }: Channel): boolean {
  return kind === 'im' || kind === 'mpim';
}

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
  const created: Channel = { id: makeId('C'), name, kind: 'mpim', topic: '', members, createdAt: site.now() };
  site.state.channels.push(created);
  site.touch();
  site.audience.sendToEach((person) => ({ type: 'channels', channels: listVisibleChannels(site, person) }));
  return created;
}
