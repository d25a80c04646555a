import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { addMember, removeMember, setArchived } from '../state/team-changes.ts';
import { eventTs, sendEvent } from './send-event.ts';
import { writeMessage } from './write-message.ts';

/** Letters for the kinds of conversation in membership events. */
const KIND = { public: 'C', private: 'G', im: 'D' };

function membershipEvent(site: Site, type: string, channel: Channel, person: string, inviter?: string) {
  const event = {
    type,
    user: person,
    channel: channel.id,
    channel_type: KIND[channel.kind],
    team: site.state.team.id,
    ...(inviter === undefined ? {} : { inviter }),
    event_ts: eventTs(site),
  };
  sendEvent(site, type, event, channel);
}

/** Somebody comes into a channel, by themselves or invited. False where they are in it already. */
export function join(site: Site, channel: Channel, person: string, inviter?: string): boolean {
  if (!addMember(site, channel, person)) return false;
  writeMessage(site, {
    channel: channel.id,
    user: person,
    subtype: 'channel_join',
    text: `<@${person}> has joined the channel`,
  });
  const botHears = channel.members.includes(site.state.app.botUserId);
  if (botHears) membershipEvent(site, 'member_joined_channel', channel, person, inviter);
  return true;
}

/** Somebody leaves a channel, or is removed from it. False where they are not in it. */
export function leave(site: Site, channel: Channel, person: string): boolean {
  const botHears = channel.members.includes(site.state.app.botUserId);
  if (!removeMember(site, channel, person)) return false;
  writeMessage(site, {
    channel: channel.id,
    user: person,
    subtype: 'channel_leave',
    text: `<@${person}> has left the channel`,
  });
  if (botHears) membershipEvent(site, 'member_left_channel', channel, person);
  return true;
}

/** A channel is closed for good: it can be read, and nobody writes there. */
export function archive(site: Site, channel: Channel, person: string): void {
  setArchived(site, channel, true);
  const event = { type: 'channel_archive', channel: channel.id, user: person, event_ts: eventTs(site) };
  sendEvent(site, 'channel_archive', event, channel);
}
