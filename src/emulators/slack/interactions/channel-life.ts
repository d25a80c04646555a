import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { channelObject, channelRenameObject } from '../state/channel-object.ts';
import { canSee } from '../state/directory.ts';
import { escapeText } from '../state/escape-text.ts';
import { addChannel, changeChannel, removeChannel } from '../state/team-changes.ts';
import { eventTs, sendEvent } from './send-event.ts';
import { writeMessage } from './write-message.ts';

/** An app hears of public channels, and of private ones that it is in. */
function heard(site: Site, channel: Channel): boolean {
  return canSee(site, channel, site.state.app.botUserId);
}

function about(site: Site, type: string, channel: Channel, more: Json = {}): Json {
  return { type, channel: channel.id, ...more, event_ts: eventTs(site) };
}

/** Notifies the apps that hear of a channel, by the event for its kind. */
function notifyApps(site: Site, channel: Channel, change: string, more: Json = {}): void {
  const type = `${channel.kind === 'public' ? 'channel' : 'group'}_${change}`;
  forEachApp(site, (app) => {
    if (heard(app, channel)) sendEvent(app, type, about(app, type, channel, more), { channel });
  });
}

/** The fields that only a conversation of the Web API has, beside those of channel_created. */
const FOR_METHODS = ['is_member', 'parent_conversation'];

/** A new channel. Apps hear of public ones. */
export function createChannel(site: Site, facts: Parameters<typeof addChannel>[1]): Channel {
  const channel = addChannel(site, facts);
  if (channel.kind === 'private') return channel;
  forEachApp(site, (app) => {
    const shown = Object.entries(channelObject(app, channel)).filter(([key]) => !FOR_METHODS.includes(key));
    const created = { ...Object.fromEntries(shown), internal_team_ids: [site.state.team.id], is_moved: 0 };
    const event = { ...about(app, 'channel_created', channel), channel: created };
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
  notifyApps(site, channel, 'rename', { channel: channelRenameObject(channel) });
}

export function setTopic(site: Site, channel: Channel, topic: string, user: string): void {
  changeChannel(site, channel, { topic, topicSet: { by: user, at: site.now() } });
  const said = topic === '' ? 'cleared the channel topic' : `set the channel topic: ${escapeText(topic)}`;
  const details = { topic: escapeText(topic) };
  const text = `<@${user}> ${said}`;
  writeMessage(site, { channel: channel.id, user, subtype: 'channel_topic', text, details });
}

export function setPurpose(site: Site, channel: Channel, purpose: string, user: string): void {
  changeChannel(site, channel, { purpose, purposeSet: { by: user, at: site.now() } });
  const said =
    purpose === '' ? 'cleared the channel purpose' : `set the channel purpose: ${escapeText(purpose)}`;
  const details = { purpose: escapeText(purpose) };
  const text = `<@${user}> ${said}`;
  writeMessage(site, { channel: channel.id, user, subtype: 'channel_purpose', text, details });
}

/** A channel is closed: it can be read, and nobody writes there. */
export function archive(site: Site, channel: Channel, user: string): void {
  writeMessage(site, {
    channel: channel.id,
    user,
    subtype: 'channel_archive',
    text: 'archived the channel',
  });
  changeChannel(site, channel, { archived: true });
  notifyApps(site, channel, 'archive', { user, is_moved: 0 });
}

export function unarchive(site: Site, channel: Channel, user: string): void {
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

/** It is gone, and all that was written there. */
export function deleteChannel(site: Site, channel: Channel, user: string): void {
  removeChannel(site, channel);
  const date = channel.kind === 'private' ? { date_deleted: Math.floor(site.now() / 1000) } : {};
  notifyApps(site, channel, 'deleted', { actor_id: user, ...date });
}

/** People of this workspace or organisation (`T…`, `E…`) are let into a channel: it is shared from now on. */
export function share(site: Site, channel: Channel, team: string): void {
  const sharedWith = [...new Set([...(channel.sharedWith ?? []), team])];
  changeChannel(site, channel, { shared: true, sharePending: false, sharedWith });
  const event = about(site, 'channel_shared', channel, { connected_team_id: team });
  forEachApp(site, (app) => {
    if (heard(app, channel)) sendEvent(app, 'channel_shared', event, { channel });
  });
}

/** They leave it again, with all their people; it stays shared as long as others are in it. */
export function unshare(site: Site, channel: Channel, team: string): void {
  const foreign = (id: string) => site.state.people.find((person) => person.id === id)?.from?.id;
  const members = channel.members.filter((id) => foreign(id) !== team);
  const sharedWith = (channel.sharedWith ?? []).filter((id) => id !== team);
  const shared = sharedWith.length > 0 || members.some((id) => foreign(id) !== undefined);
  changeChannel(site, channel, { shared, sharedWith, members });
  const event = about(site, 'channel_unshared', channel, {
    previously_connected_team_id: team,
    is_ext_shared: shared,
  });
  forEachApp(site, (app) => {
    if (heard(app, channel)) sendEvent(app, 'channel_unshared', event, { channel });
  });
}
