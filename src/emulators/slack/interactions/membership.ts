import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { addMember, removeMember } from '../state/team-changes.ts';
import { eventTs, sendEvent } from './send-event.ts';
import { writeMessage } from './write-message.ts';

/** Letters for the kinds of conversation in membership events. */
const KIND = { public: 'C', private: 'G', im: 'D', mpim: 'G' };

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
  sendEvent(site, type, event, { channel });
}

/** Somebody comes into a channel, by themselves or invited. False where they are in it already. */
export function join(site: Site, channel: Channel, person: string, inviter?: string): boolean {
  if (!addMember(site, channel, person)) return false;
  writeMessage(site, {
    channel: channel.id,
    user: person,
    subtype: 'channel_join',
    text: `<@${person}> has joined the channel`,
    ...(inviter === undefined ? {} : { details: { inviter } }),
  });
  forEachApp(site, (app) => {
    const botHears = channel.members.includes(app.state.app.botUserId);
    if (botHears) membershipEvent(app, 'member_joined_channel', channel, person, inviter);
  });
  return true;
}

/** The app itself is out of a channel, by the person who removed it. */
function leftEvent(site: Site, channel: Channel, actor: string): void {
  const about = { channel: channel.id, actor_id: actor, event_ts: eventTs(site) };
  if (channel.kind === 'public')
    sendEvent(site, 'channel_left', { type: 'channel_left', ...about }, { channel });
  else sendEvent(site, 'group_left', { type: 'group_left', ...about }, { channel });
}

/** Somebody leaves a channel, or is removed from it by `actor`. False where they are not in it. */
export function leave(site: Site, channel: Channel, person: string, actor = person): boolean {
  const listeners = site.apps.filter(({ state }) => channel.members.includes(state.app.botUserId));
  if (!removeMember(site, channel, person)) return false;
  writeMessage(site, {
    channel: channel.id,
    user: person,
    subtype: 'channel_leave',
    text: `<@${person}> has left the channel`,
  });
  for (const app of listeners) {
    membershipEvent(app, 'member_left_channel', channel, person);
    if (person === app.state.app.botUserId) leftEvent(app, channel, actor);
  }
  return true;
}
