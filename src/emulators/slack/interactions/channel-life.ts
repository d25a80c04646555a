import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { channelObject, renamedChannel } from '../state/channel-object.ts';
import { canSee } from '../state/directory.ts';
import { escaped } from '../state/escape.ts';
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

/** The fields that only a conversation of the Web API has, beside those of channel_created. */
const FOR_METHODS = ['is_member', 'num_members'];

/** A new channel. Apps hear of public ones. */
export function createChannel(site: Site, facts: Parameters<typeof addChannel>[1]): Channel {
  const channel = addChannel(site, facts);
  if (channel.kind === 'private') return channel;
  const shown = Object.entries(channelObject(site, channel)).filter(([key]) => !FOR_METHODS.includes(key));
  const event = { ...about(site, 'channel_created', channel), channel: Object.fromEntries(shown) };
  sendEvent(site, 'channel_created', event, { channel });
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
  if (!heard(site, channel)) return;
  const event = { ...about(site, 'channel_rename', channel), channel: renamedChannel(channel) };
  if (channel.kind === 'public') {
    sendEvent(site, 'channel_rename', event, { channel });
  } else sendEvent(site, 'group_rename', { ...event, type: 'group_rename' }, { channel });
}

export function setTopic(site: Site, channel: Channel, topic: string, user: string): void {
  changeChannel(site, channel, { topic, topicSet: { by: user, at: site.now() } });
  const said = topic === '' ? 'cleared the channel topic' : `set the channel topic: ${escaped(topic)}`;
  const details = { topic: escaped(topic) };
  const text = `<@${user}> ${said}`;
  writeMessage(site, { channel: channel.id, user, subtype: 'channel_topic', text, details });
}

export function setPurpose(site: Site, channel: Channel, purpose: string, user: string): void {
  changeChannel(site, channel, { purpose, purposeSet: { by: user, at: site.now() } });
  const said =
    purpose === '' ? 'cleared the channel purpose' : `set the channel purpose: ${escaped(purpose)}`;
  const details = { purpose: escaped(purpose) };
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
  if (!heard(site, channel)) return;
  if (channel.kind === 'public') {
    sendEvent(site, 'channel_archive', about(site, 'channel_archive', channel, { user }), { channel });
  } else sendEvent(site, 'group_archive', about(site, 'group_archive', channel, { user }), { channel });
}

export function unarchive(site: Site, channel: Channel, user: string): void {
  changeChannel(site, channel, { archived: false });
  writeMessage(site, {
    channel: channel.id,
    user,
    subtype: 'channel_unarchive',
    text: 'un-archived the channel',
  });
  if (!heard(site, channel)) return;
  if (channel.kind === 'public') {
    sendEvent(site, 'channel_unarchive', about(site, 'channel_unarchive', channel, { user }), { channel });
  } else sendEvent(site, 'group_unarchive', about(site, 'group_unarchive', channel, { user }), { channel });
}

/** It is gone, and all that was written there. */
export function deleteChannel(site: Site, channel: Channel): void {
  const told = heard(site, channel);
  removeChannel(site, channel);
  if (!told) return;
  if (channel.kind === 'public') {
    sendEvent(site, 'channel_deleted', about(site, 'channel_deleted', channel), { channel });
  } else sendEvent(site, 'group_deleted', about(site, 'group_deleted', channel), { channel });
}

/** People of this workspace or organisation (`T…`, `E…`) are let into a channel: it is shared from now on. */
export function share(site: Site, channel: Channel, team: string): void {
  const sharedWith = [...new Set([...(channel.sharedWith ?? []), team])];
  changeChannel(site, channel, { shared: true, sharePending: false, sharedWith });
  const event = about(site, 'channel_shared', channel, { connected_team_id: team });
  if (heard(site, channel)) sendEvent(site, 'channel_shared', event, { channel });
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
  if (heard(site, channel)) sendEvent(site, 'channel_unshared', event, { channel });
}
