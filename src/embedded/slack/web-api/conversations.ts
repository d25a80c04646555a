import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { canSee, channelById, channelsOf, directMessage, personById } from '../state/directory.ts';
import { type Call, type Method, neededArg, paged, textArg } from './call.ts';

const TYPES = { public: 'public_channel', private: 'private_channel', im: 'im' };

function channelObject(site: Site, channel: Channel): Json {
  const bot = site.state.app.botUserId;
  const common = {
    id: channel.id,
    created: 1_700_000_000,
    is_archived: false,
    is_im: channel.kind === 'im',
    is_mpim: false,
    is_org_shared: false,
  };
  if (channel.kind === 'im') {
    return {
      ...common,
      user: channel.members.find((member) => member !== bot) ?? bot,
      is_user_deleted: false,
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
    is_shared: false,
    is_ext_shared: false,
    is_member: channel.members.includes(bot),
    creator: channel.members[0] ?? bot,
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    previous_names: [],
    num_members: channel.members.length,
  };
}

function visibleChannel(call: Call): Channel {
  const channel = channelById(call.site, neededArg(call, 'channel'));
  if (!channel || !canSee(channel, call.site.state.app.botUserId)) throw new Refusal('channel_not_found');
  return channel;
}

export const conversationsInfo: Method = (call) => ({
  channel: channelObject(call.site, visibleChannel(call)),
});

function ofTypes(call: Call, channels: readonly Channel[]): readonly Channel[] {
  const types = (textArg(call, 'types') ?? 'public_channel').split(',').map((type) => type.trim());
  return channels.filter((channel) => types.includes(TYPES[channel.kind]));
}

export const conversationsList: Method = (call) => {
  const all = ofTypes(call, channelsOf(call.site, call.site.state.app.botUserId));
  const { page, next } = paged(call, all);
  return { channels: page.map((channel) => channelObject(call.site, channel)), ...next };
};

/** The conversations that the app (or `user`) is a member of. */
export const usersConversations: Method = (call) => {
  const member = textArg(call, 'user') ?? call.site.state.app.botUserId;
  const visible = channelsOf(call.site, call.site.state.app.botUserId);
  const { page, next } = paged(
    call,
    ofTypes(call, visible).filter((channel) => channel.members.includes(member)),
  );
  return { channels: page.map((channel) => channelObject(call.site, channel)), ...next };
};

export const conversationsMembers: Method = (call) => {
  const { page, next } = paged(call, visibleChannel(call).members);
  return { members: page, ...next };
};

export const conversationsOpen: Method = (call) => {
  const channelId = textArg(call, 'channel');
  if (channelId !== undefined) return { channel: channelObject(call.site, visibleChannel(call)) };
  const users = neededArg(call, 'users').split(',');
  const [user] = users;
  if (user === undefined || users.length > 1) throw new Refusal('not_supported_locally');
  if (!personById(call.site, user)) throw new Refusal('user_not_found');
  const known = call.site.state.channels.length;
  const channel = directMessage(call.site, user, call.site.state.app.botUserId);
  const old = call.site.state.channels.length === known;
  const full = call.args.return_im === 'true' || call.args.return_im === true;
  return {
    ...(old ? { no_op: true, already_open: true } : {}),
    channel: full ? channelObject(call.site, channel) : { id: channel.id },
  };
};
