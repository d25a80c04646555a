import { archive, createChannel, renameChannel, setPurpose, setTopic } from '../interactions/channel-life.ts';
import { join } from '../interactions/membership.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { channelObject, channelObjectWithCount } from '../state/channel-object.ts';
import { findChannelByName } from '../state/directory.ts';
import { type Call, flagArg, type Method, neededArg, textArg } from './call.ts';
import { visibleChannel } from './channel-arg.ts';
import { demandWriteIn } from './demand-scope.ts';

/** docs.slack.dev, "conversations.create". */
const MAX_NAME_LENGTH = 80;
/** docs.slack.dev, "conversations.setTopic" and "conversations.setPurpose". */
const MAX_DESCRIPTION_LENGTH = 250;

/** A name that a channel can take: lower case letters of any alphabet, numbers, hyphens and underscores. */
function nameArg(call: Call): string {
  const name = textArg(call, 'name');
  if (name === undefined) throw new Refusal('invalid_name_required');
  if (name.length > MAX_NAME_LENGTH) throw new Refusal('invalid_name_maxlength');
  if (/[^\p{Ll}\p{Lo}\p{M}\p{N}_-]/u.test(name)) throw new Refusal('invalid_name_specials');
  if (/^[_-]+$/.test(name)) throw new Refusal('invalid_name_punctuation');
  if (findChannelByName(call.site, name)?.name === name) throw new Refusal('name_taken');
  return name;
}

export const conversationsCreate: Method = (call) => {
  const kind = flagArg(call, 'is_private') ? 'private' : 'public';
  const name = nameArg(call);
  demandWriteIn(call.site, kind);
  const creator = call.site.state.app.botUserId;
  const channel = createChannel(call.site, { name, kind, creator, members: [] });
  join(call.site, channel, creator);
  return { channel: { ...channelObject(call.site, channel), properties: {} } };
};

/** A channel, not a direct message. The app may change it if it has the scope for its kind. */
export function changeableChannel(call: Call, narrow?: 'invites' | 'topic'): Channel {
  const channel = visibleChannel(call);
  demandWriteIn(call.site, channel.kind, narrow);
  // A group direct message has a topic, and nothing else that can be changed.
  const isFixed = channel.kind === 'im' || (channel.kind === 'mpim' && narrow !== 'topic');
  if (isFixed) throw new Refusal('method_not_supported_for_channel_type');
  return channel;
}

/** Also still open, and with the app in it. */
export function joinedOpenChannel(call: Call, narrow?: 'invites' | 'topic'): Channel {
  const channel = changeableChannel(call, narrow);
  if (channel.archived === true) throw new Refusal('is_archived');
  if (!channel.members.includes(call.site.state.app.botUserId)) throw new Refusal('not_in_channel');
  return channel;
}

export const conversationsArchive: Method = (call) => {
  const channel = changeableChannel(call);
  if (channel.archived === true) throw new Refusal('already_archived');
  if (channel.name === 'general') throw new Refusal('cant_archive_general');
  const { botUserId } = call.site.state.app;
  if (!channel.members.includes(botUserId)) throw new Refusal('not_in_channel');
  archive(call.site, channel, botUserId);
  return {};
};

/** Never with a bot token: the bot left the channel when it was archived (slack-go/slack #1066). */
export const conversationsUnarchive: Method = (call) => {
  const channel = changeableChannel(call);
  throw new Refusal(channel.archived === true ? 'not_in_channel' : 'not_archived');
};

/** Only its creator may rename a channel, and admins, which an app never is (docs.slack.dev, "conversations.rename"). */
export const conversationsRename: Method = (call) => {
  const channel = joinedOpenChannel(call);
  const { botUserId } = call.site.state.app;
  if (channel.creator !== botUserId) throw new Refusal('not_authorized');
  renameChannel(call.site, channel, nameArg(call), botUserId);
  return { channel: channelObjectWithCount(call.site, channel) };
};

/** An empty text takes the old one away. */
function descriptionArg(call: Call, name: 'topic' | 'purpose'): string {
  const text = call.args[name] === '' ? '' : neededArg(call, name);
  if (text.length > MAX_DESCRIPTION_LENGTH) throw new Refusal('too_long');
  return text;
}

export const conversationsSetTopic: Method = (call) => {
  const channel = joinedOpenChannel(call, 'topic');
  setTopic(call.site, channel, descriptionArg(call, 'topic'), call.site.state.app.botUserId);
  // The documented answer has `is_frozen`, unlike that of setPurpose.
  return { channel: { ...channelObject(call.site, channel), is_frozen: false } };
};

export const conversationsSetPurpose: Method = (call) => {
  const channel = joinedOpenChannel(call, 'topic');
  setPurpose(call.site, channel, descriptionArg(call, 'purpose'), call.site.state.app.botUserId);
  return { channel: channelObject(call.site, channel) };
};
