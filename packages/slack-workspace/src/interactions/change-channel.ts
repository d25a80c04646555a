import { escapeText } from '../blocks/returned-text.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { buildChannelObject, buildChannelRenameObject } from '../state/channel-object.ts';
import {
  addChannel,
  addMember,
  canSee,
  changeChannel,
  removeChannel,
  removeMember,
} from '../state/directory.ts';
import { sendEvent } from './payloads.ts';
import { writeMessage } from './write-message.ts';

/** Sends an event about a channel to the apps that see it: public ones, and private ones that they are in. */
function notifyApps(site: Site, channel: Channel, type: string, more: Json): void {
  forEachApp(site, (app) => {
    if (canSee(app, channel, app.state.app.botUserId))
      sendEvent(app, type, { channel: channel.id, ...more }, { channel });
  });
}

/** Sends the event of a change, which depends on the kind of channel: `channel_rename` or `group_rename`. */
function notifyOfChange(site: Site, channel: Channel, change: string, more: Json): void {
  notifyApps(site, channel, `${channel.kind === 'public' ? 'channel' : 'group'}_${change}`, more);
}

/** Writes Slack's own message about a change. `details` are the fields of its subtype. */
function writeNotice(
  site: Site,
  { id: channel }: Channel,
  user: string,
  subtype: string,
  text: string,
  details?: Json,
): void {
  writeMessage(site, { channel, user, subtype, text, ...(details && { details }) });
}

/** The fields of a conversation in the Web API that channel_created doesn't have. */
const WEB_API_FIELDS = ['is_member', 'parent_conversation'];

/** Adds a channel. Apps get an event about public ones. */
export function createChannel(site: Site, about: Parameters<typeof addChannel>[1]): Channel {
  const channel = addChannel(site, about);
  if (channel.kind === 'private') return channel;
  forEachApp(site, (app) => {
    const shown = Object.entries(buildChannelObject(app, channel)).filter(
      ([key]) => !WEB_API_FIELDS.includes(key),
    );
    const created = { ...Object.fromEntries(shown), internal_team_ids: [site.state.team.id], is_moved: 0 };
    sendEvent(app, 'channel_created', { channel: created }, { channel });
  });
  return channel;
}

/** The texts are those of docs.slack.dev, "channel_name", "channel_topic" and "channel_purpose". */
export function renameChannel(site: Site, channel: Channel, name: string, user: string): void {
  const before = channel.name;
  changeChannel(site, channel, { name, previousNames: [before, ...(channel.previousNames ?? [])] });
  const text = `<@${user}> has renamed the channel from "${before}" to "${name}"`;
  writeNotice(site, channel, user, 'channel_name', text, { name, old_name: before });
  notifyOfChange(site, channel, 'rename', { channel: buildChannelRenameObject(channel) });
}

export function setDescription(
  site: Site,
  channel: Channel,
  field: 'topic' | 'purpose',
  given: string,
  user: string,
): void {
  changeChannel(site, channel, { [field]: given, [`${field}Set`]: { by: user, at: site.now() } });
  const value = escapeText(given);
  const change = value === '' ? `cleared the channel ${field}` : `set the channel ${field}: ${value}`;
  const text = `<@${user}> ${change}`;
  writeNotice(site, channel, user, `channel_${field}`, text, { [field]: value });
}

export function archiveChannel(site: Site, channel: Channel, user: string): void {
  writeNotice(site, channel, user, 'channel_archive', 'archived the channel');
  changeChannel(site, channel, { archived: true });
  notifyOfChange(site, channel, 'archive', { user, is_moved: 0 });
}

export function unarchiveChannel(site: Site, channel: Channel, user: string): void {
  changeChannel(site, channel, { archived: false });
  writeNotice(site, channel, user, 'channel_unarchive', 'un-archived the channel');
  // @slack/types 3.2.0, `GroupUnarchiveEvent`.
  notifyOfChange(site, channel, 'unarchive', channel.kind === 'private' ? { actor_id: user } : { user });
}

export function deleteChannel(site: Site, channel: Channel, user: string): void {
  removeChannel(site, channel);
  const date = channel.kind === 'private' ? { date_deleted: Math.floor(site.now() / 1000) } : {};
  notifyOfChange(site, channel, 'deleted', { actor_id: user, ...date });
}

/** Shares a channel with another workspace or organisation (`T…`, `E…`). */
export function shareChannel(site: Site, channel: Channel, team: string): void {
  const sharedWith = [...new Set([...(channel.sharedWith ?? []), team])];
  changeChannel(site, channel, { shared: true, sharePending: false, sharedWith });
  notifyApps(site, channel, 'channel_shared', { connected_team_id: team });
}

/** Removes a workspace and its people from a channel, which stays shared as long as others are in it. */
export function unshareChannel(site: Site, channel: Channel, team: string): void {
  const findHomeTeam = (id: string) => site.state.people.find((person) => person.id === id)?.from?.id;
  const members = channel.members.filter((id) => findHomeTeam(id) !== team);
  const sharedWith = (channel.sharedWith ?? []).filter((id) => id !== team);
  const shared = sharedWith.length > 0 || members.some((id) => findHomeTeam(id) !== undefined);
  changeChannel(site, channel, { shared, sharedWith, members });
  const about = { previously_connected_team_id: team, is_ext_shared: shared };
  notifyApps(site, channel, 'channel_unshared', about);
}

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
  const details = inviter === undefined ? undefined : { inviter };
  writeNotice(site, channel, person, 'channel_join', `<@${person}> has joined the channel`, details);
  forEachApp(site, (app) => {
    const isMember = channel.members.includes(app.state.app.botUserId);
    if (isMember) sendMembershipEvent(app, 'member_joined_channel', channel, person, inviter);
  });
  return true;
}

function sendChannelLeft(site: Site, channel: Channel, actor: string): void {
  const type = channel.kind === 'public' ? 'channel_left' : 'group_left';
  sendEvent(site, type, { channel: channel.id, actor_id: actor }, { channel });
}

/** Removes a person from a channel. `actor` defaults to themselves. Returns false if they aren't in it. */
export function leaveChannel(site: Site, channel: Channel, person: string, actor = person): boolean {
  const memberApps = site.apps.filter(({ state }) => channel.members.includes(state.app.botUserId));
  if (!removeMember(site, channel, person)) return false;
  writeNotice(site, channel, person, 'channel_leave', `<@${person}> has left the channel`);
  for (const app of memberApps) {
    sendMembershipEvent(app, 'member_left_channel', channel, person);
    if (person === app.state.app.botUserId) sendChannelLeft(app, channel, actor);
  }
  return true;
}
