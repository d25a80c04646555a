import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { channelsOf } from './directory.ts';
import { makeId } from './ids.ts';

function tellChannels(site: Site): void {
  site.touch();
  site.audience.tellEach((person) => ({ type: 'channels', channels: channelsOf(site, person) }));
}

export function addChannel(site: Site, about: Omit<Channel, 'id' | 'topic'> & { topic?: string }): Channel {
  const channel: Channel = { topic: '', ...about, id: makeId('C') };
  site.state.channels.push(channel);
  tellChannels(site);
  return channel;
}

export function setArchived(site: Site, channel: Channel, archived: boolean): void {
  if (archived) channel.archived = true;
  else delete channel.archived;
  tellChannels(site);
}

/** Only owners and admins write there from now on. */
export function restrict(site: Site, channel: Channel): void {
  channel.restricted = true;
  tellChannels(site);
}

/** The app's token is good for nothing from now on. */
export function endApp(site: Site, how: 'token_revoked' | 'account_inactive'): void {
  site.state.app.ended = how;
  site.touch();
}

/** False where they are in it already. */
export function addMember(site: Site, channel: Channel, person: string): boolean {
  if (channel.members.includes(person)) return false;
  channel.members.push(person);
  tellChannels(site);
  return true;
}

/** False where they are not in it. */
export function removeMember(site: Site, channel: Channel, person: string): boolean {
  if (!channel.members.includes(person)) return false;
  channel.members = channel.members.filter((member) => member !== person);
  tellChannels(site);
  return true;
}

/** Ends an account: they are in no channel any more, and stay named in what they wrote. */
export function deactivatePerson(site: Site, person: Person): void {
  person.deactivated = true;
  for (const channel of site.state.channels) {
    if (channel.kind !== 'im') channel.members = channel.members.filter((member) => member !== person.id);
  }
  site.audience.tellAll({ type: 'people', people: site.state.people });
  tellChannels(site);
}
