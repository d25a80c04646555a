import {
  archiveChannel,
  createChannel,
  renameChannel,
  setPurpose,
  setTopic,
} from '../interactions/change-channel.ts';
import { joinChannel } from '../interactions/membership.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { buildChannelObject, buildChannelObjectWithCount } from '../state/channel-object.ts';
import { findChannelByName } from '../state/directory.ts';
import { type Call, type Method, readFlag, readRequired, readText } from './call.ts';
import { readChannel } from './channel-arguments.ts';
import { requireWriteIn } from './require-scope.ts';

/** docs.slack.dev/reference/methods/conversations.create. */
const MAX_NAME_LENGTH = 80;
/** docs.slack.dev/reference/methods/conversations.setTopic and conversations.setPurpose. */
const MAX_DESCRIPTION_LENGTH = 250;

/** Reads a channel name: lower-case letters of any alphabet, numbers, hyphens and underscores. */
function readName(call: Call): string {
  const name = readText(call, 'name');
  if (name === undefined) throw new Refusal('invalid_name_required');
  if (name.length > MAX_NAME_LENGTH) throw new Refusal('invalid_name_maxlength');
  if (/[^\p{Ll}\p{Lo}\p{M}\p{N}_-]/u.test(name)) throw new Refusal('invalid_name_specials');
  if (/^[_-]+$/.test(name)) throw new Refusal('invalid_name_punctuation');
  if (findChannelByName(call.site, name)?.name === name) throw new Refusal('name_taken');
  return name;
}

export const conversationsCreate: Method = (call) => {
  const kind = readFlag(call, 'is_private') ? 'private' : 'public';
  const name = readName(call);
  requireWriteIn(call.site, kind);
  const creator = call.site.state.app.botUserId;
  const channel = createChannel(call.site, { name, kind, creator, members: [] });
  joinChannel(call.site, channel, creator);
  return { channel: { ...buildChannelObject(call.site, channel), properties: {} } };
};

/**
 * Reads a channel that the app has the scope to change. Direct messages can't be changed, and group direct messages
 * have a topic only. `subScope`: see {@link requireWriteIn}.
 */
export function readChangeableChannel(call: Call, subScope?: 'invites' | 'topic'): Channel {
  const channel = readChannel(call);
  requireWriteIn(call.site, channel.kind, subScope);
  const isFixed = channel.kind === 'im' || (channel.kind === 'mpim' && subScope !== 'topic');
  if (isFixed) throw new Refusal('method_not_supported_for_channel_type');
  return channel;
}

/** Reads a changeable channel that isn't archived and that the app is in. */
export function readActiveChannel(call: Call, subScope?: 'invites' | 'topic'): Channel {
  const channel = readChangeableChannel(call, subScope);
  if (channel.archived === true) throw new Refusal('is_archived');
  if (!channel.members.includes(call.site.state.app.botUserId)) throw new Refusal('not_in_channel');
  return channel;
}

export const conversationsArchive: Method = (call) => {
  const channel = readChangeableChannel(call);
  if (channel.archived === true) throw new Refusal('already_archived');
  if (channel.name === 'general') throw new Refusal('cant_archive_general');
  const { botUserId } = call.site.state.app;
  if (!channel.members.includes(botUserId)) throw new Refusal('not_in_channel');
  archiveChannel(call.site, channel, botUserId);
  return {};
};

/** Always fails with a bot token: the bot left the channel when it was archived (slack-go/slack #1066). */
export const conversationsUnarchive: Method = (call) => {
  const channel = readChangeableChannel(call);
  throw new Refusal(channel.archived === true ? 'not_in_channel' : 'not_archived');
};

/** Only admins and its creator may rename a channel (docs.slack.dev/reference/methods/conversations.rename). */
export const conversationsRename: Method = (call) => {
  const channel = readActiveChannel(call);
  const { botUserId } = call.site.state.app;
  if (channel.creator !== botUserId) throw new Refusal('not_authorized');
  renameChannel(call.site, channel, readName(call), botUserId);
  return { channel: buildChannelObjectWithCount(call.site, channel) };
};

/** Reads a topic or purpose. An empty text removes the current one. */
function readDescription(call: Call, name: 'topic' | 'purpose'): string {
  const text = call.args[name] === '' ? '' : readRequired(call, name);
  if (text.length > MAX_DESCRIPTION_LENGTH) throw new Refusal('too_long');
  return text;
}

export const conversationsSetTopic: Method = (call) => {
  const channel = readActiveChannel(call, 'topic');
  setTopic(call.site, channel, readDescription(call, 'topic'), call.site.state.app.botUserId);
  // Slack's reference shows `is_frozen` in this answer, but not in that of conversations.setPurpose.
  return { channel: { ...buildChannelObject(call.site, channel), is_frozen: false } };
};

export const conversationsSetPurpose: Method = (call) => {
  const channel = readActiveChannel(call, 'topic');
  setPurpose(call.site, channel, readDescription(call, 'purpose'), call.site.state.app.botUserId);
  return { channel: buildChannelObject(call.site, channel) };
};
