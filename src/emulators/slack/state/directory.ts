import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { makeId } from './ids.ts';

/** They see only the channels that they were let into. */
export function isGuest({ role }: Person): boolean {
  return role === 'guest' || role === 'single-channel-guest';
}

export function findPerson(site: Site, id: string): Person | undefined {
  return site.state.people.find((person) => person.id === id);
}

/** By id, `@name`, `name`, the first or the full name. */
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

/** By id or handle; whoever is not known, not named or deactivated is the first person: the owner. */
export function findPersonOrOwner(site: Site, named: string): Person {
  const [owner] = site.state.people;
  const found = findPerson(site, named) ?? site.state.people.find((person) => person.name === named);
  const known = found?.deactivated === true ? owner : (found ?? owner);
  if (!known) throw new Error('This workspace has no people');
  return known;
}

export function findChannel(site: Site, id: string): Channel | undefined {
  return site.state.channels.find((channel) => channel.id === id);
}

/** By id, `#name` or `name`. */
export function findChannelByName(site: Site, name: string): Channel | undefined {
  const wanted = name.replace(/^#/, '');
  return site.state.channels.find(
    (channel) => channel.id === name || (channel.kind !== 'im' && channel.name === wanted),
  );
}

/** Guests, and people from elsewhere, see only where they are members; so do others in what is private. */
export function canSee(site: Site, channel: Channel, person: string): boolean {
  if (channel.members.includes(person)) return true;
  const who = findPerson(site, person);
  return channel.kind === 'public' && who !== undefined && !isGuest(who) && !who.from;
}

export function listVisibleChannels(site: Site, person: string): Channel[] {
  return site.state.channels.filter((channel) => canSee(site, channel, person));
}

/** The direct message between two, made where there is none yet. */
export function openDirectMessage(site: Site, one: string, other: string): Channel {
  const found = site.state.channels.find(
    (channel) => channel.kind === 'im' && channel.members.includes(one) && channel.members.includes(other),
  );
  if (found) return found;
  const made: Channel = { id: makeId('D'), name: '', kind: 'im', topic: '', members: [one, other] };
  site.state.channels.push(made);
  site.touch();
  site.audience.sendToEach((person) => ({ type: 'channels', channels: listVisibleChannels(site, person) }));
  return made;
}

/** A direct message between two or more people. */
export function isDirect({ kind }: Channel): boolean {
  return kind === 'im' || kind === 'mpim';
}

/** The group direct message of exactly these people, made where there is none yet. */
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
  const made: Channel = { id: makeId('C'), name, kind: 'mpim', topic: '', members, createdAt: site.now() };
  site.state.channels.push(made);
  site.touch();
  site.audience.sendToEach((person) => ({ type: 'channels', channels: listVisibleChannels(site, person) }));
  return made;
}
