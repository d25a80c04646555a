import { escapeText } from '../blocks/returned-text.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findPerson } from './directory.ts';

/** Finds the ids of the other workspaces and organisations that share a channel. */
export function findConnectedTeams(site: Site, channel: Channel): string[] {
  const others = channel.members.flatMap((member) => findPerson(site, member)?.from?.id ?? []);
  return [...new Set([...others, ...(channel.sharedWith ?? [])])];
}

function buildSharingPart(site: Site, channel: Channel): Json {
  const own = site.state.team.id;
  const connected = findConnectedTeams(site, channel);
  return {
    shared_team_ids: [own, ...connected],
    connected_team_ids: connected,
    internal_team_ids: [own],
    conversation_host_id: own,
  };
}

/** `created`, in seconds since the epoch. The sample channels have no stored time, and get one in the past. */
function getCreatedSeconds({ createdAt = 1_700_000_000_000 }: Channel): number {
  return Math.floor(createdAt / 1000);
}

/** A topic or purpose. Those of the sample channels have no author. */
function buildTopicPart(value: string, change: Channel['topicSet']): Json {
  return {
    value: escapeText(value),
    creator: change?.by ?? '',
    last_set: change ? Math.floor(change.at / 1000) : 0,
  };
}

export function buildChannelRenameObject(channel: Channel): Json {
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

/** A channel with its number of members, as conversations.list and .rename return it, and .info on request. */
export function buildChannelObjectWithCount(site: Site, channel: Channel): Json {
  return { ...buildChannelObject(site, channel), num_members: channel.members.length };
}

/** A conversation in Slack's own shape. */
export function buildChannelObject(site: Site, channel: Channel): Json {
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
    ...(channel.shared === true ? buildSharingPart(site, channel) : {}),
    is_member: channel.members.includes(bot) && channel.archived !== true,
    creator: channel.creator ?? channel.members[0] ?? bot,
    topic: buildTopicPart(channel.topic, channel.topicSet),
    purpose: buildTopicPart(channel.purpose ?? '', channel.purposeSet),
    previous_names: channel.previousNames ?? [],
    parent_conversation: null,
  };
}
