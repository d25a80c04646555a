import {
  archiveChannel,
  createChannel,
  joinChannel,
  leaveChannel,
  renameChannel,
  setDescription,
} from '../interactions/change-channel.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { buildChannelObject, buildChannelObjectWithCount } from '../state/channel-object.ts';
import { findChannelByName, findPerson, isDirect } from '../state/directory.ts';
import { requireWriteIn } from '../state/grants.ts';
import { listWords } from '../words.ts';
import { bot, type Call, type Methods, readChannel, requireMember } from './call.ts';

/** docs.slack.dev/reference/methods/conversations.create. */
const MAX_NAME_LENGTH = 80;
/** docs.slack.dev/reference/methods/conversations.setTopic and conversations.setPurpose. */
const MAX_DESCRIPTION_LENGTH = 250;

/** Reads a channel name: lower-case letters of any alphabet, numbers, hyphens and underscores. */
function readName(call: Call): string {
  const name = call.readText('name');
  if (name === undefined) throw new Refusal('invalid_name_required');
  if (name.length > MAX_NAME_LENGTH) throw new Refusal('invalid_name_maxlength');
  if (/[^\p{Ll}\p{Lo}\p{M}\p{N}_-]/u.test(name)) throw new Refusal('invalid_name_specials');
  if (/^[_-]+$/.test(name)) throw new Refusal('invalid_name_punctuation');
  if (findChannelByName(call.site, name)?.name === name) throw new Refusal('name_taken');
  return name;
}

/**
 * Reads a channel that the app has the scope to change. Direct messages can't be changed, and group direct messages
 * have a topic only. `subScope`: see {@link requireWriteIn}.
 */
function readChangeableChannel(call: Call, subScope?: 'invites' | 'topic'): Channel {
  const channel = readChannel(call);
  requireWriteIn(call.site, channel.kind, subScope);
  const isFixed = channel.kind === 'im' || (channel.kind === 'mpim' && subScope !== 'topic');
  if (isFixed) throw new Refusal('method_not_supported_for_channel_type');
  return channel;
}

/** Reads a changeable channel that isn't archived and that the app is in. */
function readActiveChannel(call: Call, subScope?: 'invites' | 'topic'): Channel {
  const channel = readChangeableChannel(call, subScope);
  if (channel.archived === true) throw new Refusal('is_archived');
  requireMember(call.site, channel);
  return channel;
}

/** Sets a topic or purpose. An empty text removes the current one. Returns the channel. */
function changeDescription(call: Call, field: 'topic' | 'purpose'): Json {
  const channel = readActiveChannel(call, 'topic');
  const text = call.args[field] === '' ? '' : call.readRequired(field);
  if (text.length > MAX_DESCRIPTION_LENGTH) throw new Refusal('too_long');
  setDescription(call.site, channel, field, text, call.botUser);
  return buildChannelObject(call.site, channel);
}

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
  const users = (call.readText('users') ?? '').split(',').filter((id) => id.trim() !== '');
  if (users.length === 0) throw new Refusal('no_user');
  return users.map((id) => id.trim());
}

// Which of these scopes a call needs depends on the kind of conversation: see requireScopeIn and requireWriteIn.
const MANAGE_SCOPES = listWords('channels:manage channels:write groups:write im:write mpim:write');
const INVITE_SCOPES = listWords(
  'channels:manage channels:write.invites groups:write groups:write.invites im:write mpim:write',
);
const TOPIC_SCOPES = listWords(`
  channels:manage channels:write.topic groups:write groups:write.topic im:write im:write.topic mpim:write
  mpim:write.topic
`);

export const CHANNEL_METHODS: Methods = {
  'conversations.create': bot(2, MANAGE_SCOPES, (call) => {
    const kind = call.readFlag('is_private') ? 'private' : 'public';
    const name = readName(call);
    requireWriteIn(call.site, kind);
    const creator = call.botUser;
    const channel = createChannel(call.site, { name, kind, creator, members: [] });
    joinChannel(call.site, channel, creator);
    return { channel: { ...buildChannelObject(call.site, channel), properties: {} } };
  }),
  'conversations.archive': bot(2, MANAGE_SCOPES, (call) => {
    const channel = readChangeableChannel(call);
    if (channel.archived === true) throw new Refusal('already_archived');
    if (channel.name === 'general') throw new Refusal('cant_archive_general');
    requireMember(call.site, channel);
    archiveChannel(call.site, channel, call.botUser);
  }),
  /** Always fails with a bot token: the bot left the channel when it was archived (slack-go/slack #1066). */
  'conversations.unarchive': bot(2, MANAGE_SCOPES, (call) => {
    const channel = readChangeableChannel(call);
    throw new Refusal(channel.archived === true ? 'not_in_channel' : 'not_archived');
  }),
  /** Only admins and its creator may rename a channel (docs.slack.dev/reference/methods/conversations.rename). */
  'conversations.rename': bot(2, MANAGE_SCOPES, (call) => {
    const channel = readActiveChannel(call);
    if (channel.creator !== call.botUser) throw new Refusal('not_authorized');
    renameChannel(call.site, channel, readName(call), call.botUser);
    return { channel: buildChannelObjectWithCount(call.site, channel) };
  }),
  // Slack's reference shows `is_frozen` in this answer, but not in that of conversations.setPurpose.
  'conversations.setTopic': bot(2, TOPIC_SCOPES, (call) => ({
    channel: { ...changeDescription(call, 'topic'), is_frozen: false },
  })),
  'conversations.setPurpose': bot(2, TOPIC_SCOPES, (call) => ({
    channel: changeDescription(call, 'purpose'),
  })),
  /** Invites all people or none. With `force`, it invites those who can be invited. */
  'conversations.invite': bot(3, INVITE_SCOPES, (call) => {
    const { site } = call;
    const channel = readActiveChannel(call, 'invites');
    const users = readUsers(call);
    const errors = users.flatMap((user) => {
      const error = findInviteError(site, channel, user);
      return error === undefined ? [] : [{ user, ok: false, error }];
    });
    const [first] = errors;
    const invited = users.filter((id) => !errors.some(({ user }) => user === id));
    if (first && (invited.length === 0 || !call.readFlag('force')))
      throw new Refusal(first.error, { errors });
    for (const user of invited) joinChannel(site, channel, user, site.state.app.botUserId);
    return { channel: buildChannelObject(site, channel), ...(first ? { errors } : {}) };
  }),
  'conversations.kick': bot(3, ['channels:manage', 'groups:write'], (call) => {
    const { site } = call;
    const channel = readChangeableChannel(call);
    const user = call.readText('user') ?? '';
    if (!findPerson(site, user)) throw new Refusal('user_not_found');
    if (user === call.botUser) throw new Refusal('cant_kick_self');
    if (channel.name === 'general') throw new Refusal('cant_kick_from_general');
    const areBothIn = channel.members.includes(call.botUser) && channel.members.includes(user);
    if (!areBothIn) throw new Refusal('not_in_channel');
    leaveChannel(site, channel, user, call.botUser);
    return { errors: {} };
  }),
  /** Without an error code if the app isn't in the channel (docs.slack.dev/reference/methods/conversations.leave). */
  'conversations.leave': bot(3, MANAGE_SCOPES, (call) => {
    const { site } = call;
    const channel = readChangeableChannel(call);
    if (channel.archived === true) throw new Refusal('is_archived');
    if (!channel.members.includes(call.botUser)) return { ok: false, not_in_channel: true };
    if (channel.name === 'general') throw new Refusal('cant_leave_general');
    if (channel.kind === 'private' && channel.members.length === 1) throw new Refusal('last_member');
    leaveChannel(site, channel, call.botUser);
    return undefined;
  }),
};
