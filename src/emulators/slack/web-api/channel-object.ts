import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { personById } from '../state/directory.ts';

/** The other workspaces and organisations that a shared channel belongs to. */
export function connectedTeams(site: Site, channel: Channel): string[] {
  const others = channel.members.flatMap((member) => personById(site, member)?.from?.id ?? []);
  return [...new Set([...others, ...(channel.sharedWith ?? [])])];
}

function sharedWith(site: Site, channel: Channel): Json {
  const own = site.state.team.id;
  const connected = connectedTeams(site, channel);
  return {
    shared_team_ids: [own, ...connected],
    connected_team_ids: connected,
    internal_team_ids: [own],
    context_team_id: own,
    conversation_host_id: own,
  };
}

/** A conversation as Slack shows it to an app. */
export function channelObject(site: Site, channel: Channel): Json {
  const bot = site.state.app.botUserId;
  const common = {
    id: channel.id,
    created: 1_700_000_000,
    is_archived: channel.archived === true,
    is_im: channel.kind === 'im',
    is_mpim: false,
    is_org_shared: channel.orgShared === true,
  };
  if (channel.kind === 'im') {
    const other = channel.members.find((member) => member !== bot) ?? bot;
    return {
      ...common,
      user: other,
      is_user_deleted: personById(site, other)?.deactivated === true,
    };
  }
  return {
    ...common,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_private: channel.kind === 'private',
    is_general: channel.name === 'general',
    is_shared: channel.shared === true || channel.orgShared === true,
    is_pending_ext_shared: channel.sharePending === true,
    pending_shared: [],
    is_ext_shared: channel.shared === true,
    ...(channel.shared === true ? sharedWith(site, channel) : {}),
    is_member: channel.members.includes(bot) && channel.archived !== true,
    creator: channel.members[0] ?? bot,
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    previous_names: [],
    num_members: channel.members.length,
  };
}
