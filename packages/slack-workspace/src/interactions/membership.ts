import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { addMember, removeMember } from '../state/team-changes.ts';
import { sendEvent } from './send-event.ts';
import { writeMessage } from './write-message.ts';

/** `channel_type` in membership events. */
const KIND_LETTERS = { public: 'C', private: 'G', im: 'D', mpim: 'G' };

function sendMembershipEvent(site: Site, type: string, channel: Channel, person: string, inviter?: string) {
  const event = {
    user: person,
    channel: channel.id,
    channel_type: KIND_LETTERS[channel.kind],
    team: site.state.team.id,
    ...(inviter === undefined ? {} : { inviter }),
  };
  sendEvent(site, type, event, { channel });
}

/** Adds a person to a channel. Without an inviter, they join by themselves. Returns false if they are in it already. */
export function joinChannel(site: Site, channel: Channel, person: string, inviter?: string): boolean {
  if (!addMember(site, channel, person)) return false;
  writeMessage(site, {
    channel: channel.id,
    user: person,
    subtype: 'channel_join',
    text: `<@${person}> has joined the channel`,
    ...(inviter === undefined ? {} : { details: { inviter } }),
  });
  forEachApp(site, (app) => {
    const isMember = channel.members.includes(app.state.app.botUserId);
    if (isMember) sendMembershipEvent(app, 'member_joined_channel', channel, person, inviter);
  });
  return true;
}

/** Notifies the app that it left a channel, or that `actor` removed it. */
function sendChannelLeft(site: Site, channel: Channel, actor: string): void {
  const type = channel.kind === 'public' ? 'channel_left' : 'group_left';
  sendEvent(site, type, { channel: channel.id, actor_id: actor }, { channel });
}

/** Removes a person from a channel. `actor` defaults to themselves. Returns false if they aren't in it. */
export function leaveChannel(site: Site, channel: Channel, person: string, actor = person): boolean {
  const memberApps = site.apps.filter(({ state }) => channel.members.includes(state.app.botUserId));
  if (!removeMember(site, channel, person)) return false;
  writeMessage(site, {
    channel: channel.id,
    user: person,
    subtype: 'channel_leave',
    text: `<@${person}> has left the channel`,
  });
  for (const app of memberApps) {
    sendMembershipEvent(app, 'member_left_channel', channel, person);
    if (person === app.state.app.botUserId) sendChannelLeft(app, channel, actor);
  }
  return true;
}
