import type { Json } from '../read-blocks.ts';
import { Refusal } from '../refusal.ts';
import { buildMessageObject } from '../slack-objects.ts';
import type { Channel, Message } from '../workspace.ts';
import {
  type Call,
  isFlagSet,
  type Method,
  type Methods,
  paginate,
  readChannel,
  readRequired,
  readText,
  requireScope,
  SCOPE_NAMES,
} from './call.ts';

function readHistory(call: Call, isIncluded: (message: Message) => boolean): Message[] {
  const channel = readChannel(call);
  requireScope(call, `${SCOPE_NAMES[channel.kind]}:history`);
  if (!channel.botIsMember) throw new Refusal('not_in_channel');
  const oldest = readText(call, 'oldest') ?? '0';
  const latest = readText(call, 'latest') ?? String(Number.MAX_SAFE_INTEGER);
  if (Number.isNaN(Number(oldest))) throw new Refusal('invalid_ts_oldest');
  if (Number.isNaN(Number(latest))) throw new Refusal('invalid_ts_latest');
  const isInclusive = isFlagSet(call, 'inclusive');
  return call.workspace.messages.filter((message) => {
    const ts = Number(message.ts);
    const isInTime = ts > Number(oldest) && ts < Number(latest);
    const isAtLimit = isInclusive && (ts === Number(oldest) || ts === Number(latest));
    if (message.channel !== channel.id || message.ephemeralTo !== undefined) return false;
    return (isInTime || isAtLimit) && isIncluded(message);
  });
}

function buildHistory(call: Call, messages: readonly Message[]): Json {
  const { page, next } = paginate(call, messages);
  const withMetadata = isFlagSet(call, 'include_all_metadata');
  return {
    messages: page.map((message) => ({
      ...buildMessageObject(call.workspace, message),
      ...(withMetadata && message.metadata && { metadata: message.metadata }),
    })),
    has_more: page.length < messages.length,
    ...next,
  };
}

const isReply = ({ ts, threadTs }: Message) => threadTs !== undefined && threadTs !== ts;

const replies: Method = (call) => {
  const ts = readRequired(call, 'ts');
  const found = readHistory(call, (message) => message.threadTs === ts && isReply(message));
  const parent = call.state.findMessage(call.workspace, readRequired(call, 'channel'), ts);
  if (!parent || parent.ephemeralTo !== undefined) throw new Refusal('thread_not_found');
  return buildHistory(call, [parent, ...found]);
};

function buildChannelObject({ state, workspace }: Call, channel: Channel): Json {
  const { id, name, kind, members } = channel;
  const common = {
    id,
    created: 1_700_000_000,
    is_archived: false,
    is_im: kind === 'im',
    is_mpim: false,
  };
  const [user = ''] = members;
  if (kind === 'im') return { ...common, user, is_user_deleted: !state.isActive(workspace, user) };
  return {
    ...common,
    name,
    name_normalized: name,
    is_channel: true,
    is_group: false,
    is_private: kind === 'private',
    is_general: name === 'general',
    is_shared: false,
    is_org_shared: false,
    is_ext_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    pending_connected_team_ids: [],
    context_team_id: workspace.id,
    shared_team_ids: [workspace.id],
    is_member: channel.botIsMember,
    creator: user,
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    previous_names: [],
  };
}

const channelInfo: Method = (call) => {
  const channel = readChannel(call);
  requireScope(call, `${SCOPE_NAMES[channel.kind]}:read`);
  return { channel: buildChannelObject(call, channel) };
};

const channelMembers: Method = (call) => {
  const channel = readChannel(call);
  requireScope(call, `${SCOPE_NAMES[channel.kind]}:read`);
  const bots = channel.botIsMember ? [call.workspace.botUser] : [];
  const { page, next } = paginate(call, [...channel.members, ...bots]);
  return { members: page, ...next };
};

const openConversation: Method = (call) => {
  const { state, workspace } = call;
  if (readText(call, 'channel') !== undefined) return { channel: { id: readChannel(call).id } };
  const [id = '', ...others] = readRequired(call, 'users').split(',');
  if (others.length > 0) throw new Refusal('missing_scope', { needed: 'mpim:write' });
  if (!workspace.people.has(id)) throw new Refusal('user_not_found');
  if (!state.isActive(workspace, id)) throw new Refusal('user_disabled');
  const channel = state.openDirectMessage(workspace, id);
  return { channel: isFlagSet(call, 'return_im') ? buildChannelObject(call, channel) : { id: channel.id } };
};

const TYPES = { public: 'public_channel', private: 'private_channel', im: 'im' } as const;

/** Conversations of `user`, which defaults to the app. */
const listConversations: Method = (call) => {
  const types = (readText(call, 'types') ?? TYPES.public).split(',').map((type) => type.trim());
  for (const kind of ['public', 'private', 'im'] as const)
    if (types.includes(TYPES[kind])) requireScope(call, `${SCOPE_NAMES[kind]}:read`);
  const user = readText(call, 'user');
  const found = [...call.workspace.channels.values()].filter((channel) => {
    const isMember = user === undefined ? channel.botIsMember : channel.members.includes(user);
    const isVisible = channel.kind !== 'private' || channel.botIsMember;
    return isMember && isVisible && types.includes(TYPES[channel.kind]);
  });
  const { page, next } = paginate(call, found);
  return {
    channels: page.map((channel) => ({ ...buildChannelObject(call, channel), is_member: undefined })),
    ...next,
  };
};

export const conversationMethods: Methods = {
  'conversations.history': [
    (call) => buildHistory(call, readHistory(call, (message) => !isReply(message)).toReversed()),
  ],
  'conversations.info': [channelInfo],
  'conversations.members': [channelMembers],
  'conversations.open': [openConversation, 'im:write'],
  'conversations.replies': [replies],
  'users.conversations': [listConversations],
};
