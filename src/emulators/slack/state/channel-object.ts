import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findPerson } from './directory.ts';
import { escapeText } from './escape-text.ts';

/** The other workspaces and organisations that a shared channel belongs to. */
export function findConnectedTeams(site: Site, channel: Channel): string[] {
  const others = channel.members.flatMap((member) => findPerson(site, member)?.from?.id ?? []);
  return [...new Set([...others, ...(channel.sharedWith ?? [])])];
}

function sharingPart(site: Site, channel: Channel): Json {
  const own = site.state.team.id;
  const connected = findConnectedTeams(site, channel);
  return {
    shared_team_ids: [own, ...connected],
    connected_team_ids: connected,
    internal_team_ids: [own],
    context_team_id: own,
    conversation_host_id: own,
  };
}

/** Seconds since the epoch. The channels of the first day are older than the workspace's clock. */
function getCreatedSeconds({ createdAt = 1_700_000_000_000 }: Channel): number {
  return Math.floor(createdAt / 1000);
}

/** A topic or purpose: its text with who wrote it, and when. Nobody wrote those of the first day. */
function topicPart(value: string, set: Channel['topicSet']): Json {
  return { value: escapeText(value), creator: set?.by ?? '', last_set: set ? Math.floor(set.at / 1000) : 0 };
}

/** What channel_rename says of a channel. */
export function channelRenameObject(channel: Channel): Json {
  const { id, name } = channel;
  return {
    id,
    is_channel: true,
    is_mpim: false,
    name,
    name_normalized: name,
    created: getCreatedSeconds(channel),
  };
}

/** The number of members, which conversations.list and .rename show always, and .info if it's asked for. */
export function channelObjectWithCount(site: Site, channel: Channel): Json {
  return { ...channelObject(site, channel), num_members: channel.members.length };
}

/** A conversation as Slack shows it to an app. */
export function channelObject(site: Site, channel: Channel): Json {
  const bot = site.state.app.botUserId;
  const common = {
    id: channel.id,
    created: getCreatedSeconds(channel),
    is_archived: channel.archived === true,
    is_im: channel.kind === 'im',
    is_mpim: channel.kind === 'mpim',
    is_org_shared: channel.orgShared === true,
  };
  if (channel.kind === 'im') {
    const other = channel.members.find((member) => member !== bot) ?? bot;
    return {
      ...common,
      user: other,
      is_user_deleted: findPerson(site, other)?.deactivated === true,
    };
  }
  return {
    ...common,
    name: channel.name,
    name_normalized: channel.name,
    // Only private channels from before March 2021 are groups (docs.slack.dev, "Conversation object").
    is_channel: true,
    is_group: false,
    is_private: channel.kind !== 'public',
    is_general: channel.name === 'general',
    is_shared: channel.shared === true || channel.orgShared === true,
    is_pending_ext_shared: channel.sharePending === true,
    pending_shared: [],
    pending_connected_team_ids: [],
    unlinked: 0,
    updated: channel.updatedAt ?? getCreatedSeconds(channel) * 1000,
    context_team_id: site.state.team.id,
    shared_team_ids: [site.state.team.id],
    is_ext_shared: channel.shared === true,
    ...(channel.shared === true ? sharingPart(site, channel) : {}),
    is_member: channel.members.includes(bot) && channel.archived !== true,
    creator: channel.creator ?? channel.members[0] ?? bot,
    topic: topicPart(channel.topic, channel.topicSet),
    purpose: topicPart(channel.purpose ?? '', channel.purposeSet),
    previous_names: channel.previousNames ?? [],
    parent_conversation: null,
  };
}
