import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { buildChannelObject, buildChannelRenameObject } from '../state/channel-object.ts';
import { canSee } from '../state/directory.ts';
import { escapeText } from '../state/escape-text.ts';
import { addChannel, changeChannel, removeChannel } from '../state/team-changes.ts';
import { makeEventTs, sendEvent } from './send-event.ts';
import { writeMessage } from './write-message.ts';

/** Whether an app gets events about a channel: about public ones, and private ones that it is in. */
function receivesEvents(site: Site, channel: Channel): boolean {
  return canSee(site, channel, site.state.app.botUserId);
}

function buildEvent(site: Site, type: string, channel: Channel, more: Json = {}): Json {
  return { type, channel: channel.id, ...more, event_ts: makeEventTs(site) };
}

/** Sends apps the event for a change, which depends on the kind of channel: `channel_rename` or `group_rename`. */
function notifyApps(site: Site, channel: Channel, change: string, more: Json = {}): void {
  const type = `${channel.kind === 'public' ? 'channel' : 'group'}_${change}`;
  forEachApp(site, (app) => {
    if (receivesEvents(app, channel)) sendEvent(app, type, buildEvent(app, type, channel, more), { channel });
  });
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
    const event = { ...buildEvent(app, 'channel_created', channel), channel: created };
    sendEvent(app, 'channel_created', event, { channel });
  });
  return channel;
}

/** The texts are those of docs.slack.dev, "channel_name", "channel_topic" and "channel_purpose". */
export function renameChannel(site: Site, channel: Channel, name: string, user: string): void {
  const before = channel.name;
  changeChannel(site, channel, { name, previousNames: [before, ...(channel.previousNames ?? [])] });
  const text = `<@${user}> has renamed the channel from "${before}" to "${name}"`;
  writeMessage(site, {
    channel: channel.id,
    user,
    subtype: 'channel_name',
    text,
    details: { name, old_name: before },
  });
  notifyApps(site, channel, 'rename', { channel: buildChannelRenameObject(channel) });
}

export function setTopic(site: Site, channel: Channel, topic: string, user: string): void {
  changeChannel(site, channel, { topic, topicSet: { by: user, at: site.now() } });
  const change = topic === '' ? 'cleared the channel topic' : `set the channel topic: ${escapeText(topic)}`;
  const details = { topic: escapeText(topic) };
  const text = `<@${user}> ${change}`;
  writeMessage(site, { channel: channel.id, user, subtype: 'channel_topic', text, details });
}

export function setPurpose(site: Site, channel: Channel, purpose: string, user: string): void {
  changeChannel(site, channel, { purpose, purposeSet: { by: user, at: site.now() } });
  const change =
    purpose === '' ? 'cleared the channel purpose' : `set the channel purpose: ${escapeText(purpose)}`;
  const details = { purpose: escapeText(purpose) };
  const text = `<@${user}> ${change}`;
  writeMessage(site, { channel: channel.id, user, subtype: 'channel_purpose', text, details });
}

/** Archives a channel: people can still read it, but nobody can write there. */
export function archiveChannel(site: Site, channel: Channel, user: string): void {
  writeMessage(site, {
    channel: channel.id,
    user,
    subtype: 'channel_archive',
    text: 'archived the channel',
  });
  changeChannel(site, channel, { archived: true });
  notifyApps(site, channel, 'archive', { user, is_moved: 0 });
}

export function unarchiveChannel(site: Site, channel: Channel, user: string): void {
  changeChannel(site, channel, { archived: false });
  writeMessage(site, {
    channel: channel.id,
    user,
    subtype: 'channel_unarchive',
    text: 'un-archived the channel',
  });
  // @slack/types 3.2.0, `GroupUnarchiveEvent`.
  notifyApps(site, channel, 'unarchive', channel.kind === 'private' ? { actor_id: user } : { user });
}

/** Deletes a channel with its messages. */
export function deleteChannel(site: Site, channel: Channel, user: string): void {
  removeChannel(site, channel);
  const date = channel.kind === 'private' ? { date_deleted: Math.floor(site.now() / 1000) } : {};
  notifyApps(site, channel, 'deleted', { actor_id: user, ...date });
}

/** Shares a channel with another workspace or organisation (`T…`, `E…`). */
export function shareChannel(site: Site, channel: Channel, team: string): void {
  const sharedWith = [...new Set([...(channel.sharedWith ?? []), team])];
  changeChannel(site, channel, { shared: true, sharePending: false, sharedWith });
  const event = buildEvent(site, 'channel_shared', channel, { connected_team_id: team });
  forEachApp(site, (app) => {
    if (receivesEvents(app, channel)) sendEvent(app, 'channel_shared', event, { channel });
  });
}

/**
 * Removes a workspace or organisation and its people from a channel, which stays shared as long as others are in it.
 */
export function unshareChannel(site: Site, channel: Channel, team: string): void {
  const findHomeTeam = (id: string) => site.state.people.find((person) => person.id === id)?.from?.id;
  const members = channel.members.filter((id) => findHomeTeam(id) !== team);
  const sharedWith = (channel.sharedWith ?? []).filter((id) => id !== team);
  const shared = sharedWith.length > 0 || members.some((id) => findHomeTeam(id) !== undefined);
  changeChannel(site, channel, { shared, sharedWith, members });
  const event = buildEvent(site, 'channel_unshared', channel, {
    previously_connected_team_id: team,
    is_ext_shared: shared,
  });
  forEachApp(site, (app) => {
    if (receivesEvents(app, channel)) sendEvent(app, 'channel_unshared', event, { channel });
  });
}
