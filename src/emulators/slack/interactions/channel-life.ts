import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { canSee } from '../state/directory.ts';
import { changeChannel, removeChannel } from '../state/team-changes.ts';
import { eventTs, sendEvent } from './send-event.ts';

/** An app hears of public channels, and of private ones that it is in. */
function heard(site: Site, channel: Channel): boolean {
  return canSee(site, channel, site.state.app.botUserId);
}

function about(site: Site, type: string, channel: Channel, more: Json = {}): Json {
  return { type, channel: channel.id, ...more, event_ts: eventTs(site) };
}

/** A channel is closed: it can be read, and nobody writes there. */
export function archive(site: Site, channel: Channel, user: string): void {
  changeChannel(site, channel, { archived: true });
  if (!heard(site, channel)) return;
  if (channel.kind === 'public') {
    sendEvent(site, 'channel_archive', about(site, 'channel_archive', channel, { user }), { channel });
  } else sendEvent(site, 'group_archive', about(site, 'group_archive', channel, { user }), { channel });
}

export function unarchive(site: Site, channel: Channel, user: string): void {
  changeChannel(site, channel, { archived: false });
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
