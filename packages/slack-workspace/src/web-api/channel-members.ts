import { joinChannel, leaveChannel } from '../interactions/membership.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { buildChannelObject } from '../state/channel-object.ts';
import { findPerson, isDirect } from '../state/directory.ts';
import { type Call, type Method, readFlag, readText } from './call.ts';
import { readActiveChannel, readChangeableChannel } from './change-channels.ts';

/** Returns Slack's error if this person can't be invited. */
function findInviteError(site: Site, channel: Channel, id: string): string | undefined {
  const person = findPerson(site, id);
  if (!person || person.deactivated === true) return 'user_not_found';
  if (id === site.state.app.botUserId) return 'cant_invite_self';
  if (channel.members.includes(id)) return 'already_in_channel';
  if (person.from && channel.shared !== true) return 'cant_invite';
  const isElsewhere = site.state.channels.some((other) => !isDirect(other) && other.members.includes(id));
  return person.role === 'single-channel-guest' && isElsewhere ? 'ura_max_channels' : undefined;
}

function readUsers(call: Call): string[] {
  const users = (readText(call, 'users') ?? '').split(',').filter((id) => id.trim() !== '');
  if (users.length === 0) throw new Refusal('no_user');
  return users.map((id) => id.trim());
}

/** Invites all people or none. With `force`, it invites those who can be invited. */
export const conversationsInvite: Method = (call) => {
  const { site } = call;
  const channel = readActiveChannel(call, 'invites');
  const users = readUsers(call);
  const errors = users.flatMap((user) => {
    const error = findInviteError(site, channel, user);
    return error === undefined ? [] : [{ user, ok: false, error }];
  });
  const [first] = errors;
  const invited = users.filter((id) => !errors.some(({ user }) => user === id));
  if (first && (invited.length === 0 || !readFlag(call, 'force'))) throw new Refusal(first.error, { errors });
  for (const user of invited) joinChannel(site, channel, user, site.state.app.botUserId);
  return { channel: buildChannelObject(site, channel), ...(first ? { errors } : {}) };
};

export const conversationsKick: Method = (call) => {
  const { site } = call;
  const { botUserId } = site.state.app;
  const channel = readChangeableChannel(call);
  const user = readText(call, 'user') ?? '';
  if (!findPerson(site, user)) throw new Refusal('user_not_found');
  if (user === botUserId) throw new Refusal('cant_kick_self');
  if (channel.name === 'general') throw new Refusal('cant_kick_from_general');
  const areBothIn = channel.members.includes(botUserId) && channel.members.includes(user);
  if (!areBothIn) throw new Refusal('not_in_channel');
  leaveChannel(site, channel, user, botUserId);
  return { errors: {} };
};

/** Without an error code if the app isn't in the channel (docs.slack.dev/reference/methods/conversations.leave). */
export const conversationsLeave: Method = (call) => {
  const { site } = call;
  const { botUserId } = site.state.app;
  const channel = readChangeableChannel(call);
  if (channel.archived === true) throw new Refusal('is_archived');
  if (!channel.members.includes(botUserId)) return { ok: false, not_in_channel: true };
  if (channel.name === 'general') throw new Refusal('cant_leave_general');
  if (channel.kind === 'private' && channel.members.length === 1) throw new Refusal('last_member');
  leaveChannel(site, channel, botUserId);
  return {};
};
