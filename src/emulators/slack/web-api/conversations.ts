import { join } from '../interactions/membership.ts';
import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { channelObject, channelObjectWithCount } from '../state/channel-object.ts';
import {
  findPerson,
  isDirect,
  listVisibleChannels,
  openDirectMessage,
  openGroupMessage,
} from '../state/directory.ts';
import { type Call, flagArg, type Method, neededArg, textArg } from './call.ts';
import { visibleChannel } from './channel-arg.ts';
import { demandScope, demandScopeIn } from './demand-scope.ts';
import { paged } from './paged.ts';

const TYPES = { public: 'public_channel', private: 'private_channel', im: 'im', mpim: 'mpim' };
/** What can be asked for → the scope that it takes. */
const SCOPES = new Map([
  ['public_channel', 'channels:read'],
  ['private_channel', 'groups:read'],
  ['im', 'im:read'],
  ['mpim', 'mpim:read'],
]);

export const conversationsInfo: Method = (call) => {
  const channel = visibleChannel(call);
  demandScopeIn(call.site, channel, 'read');
  const toObject = flagArg(call, 'include_num_members') ? channelObjectWithCount : channelObject;
  const more = channel.kind === 'im' ? {} : { is_frozen: false, properties: {} };
  return { channel: { ...toObject(call.site, channel), ...more } };
};

function ofTypes(call: Call, channels: readonly Channel[]): readonly Channel[] {
  const types = (textArg(call, 'types') ?? 'public_channel').split(',').map((type) => type.trim());
  for (const type of types) {
    const scope = SCOPES.get(type);
    if (scope === undefined) throw new Refusal('invalid_types');
    demandScope(call.site, [scope]);
  }
  const withoutArchived = flagArg(call, 'exclude_archived');
  return channels.filter(
    (channel) => types.includes(TYPES[channel.kind]) && !(withoutArchived && channel.archived === true),
  );
}

export const conversationsList: Method = (call) => {
  const all = ofTypes(call, listVisibleChannels(call.site, call.site.state.app.botUserId));
  const { page, next } = paged(call, all);
  return { channels: page.map((channel) => channelObjectWithCount(call.site, channel)), ...next };
};

/** The conversations that the app (or `user`) is a member of. */
export const usersConversations: Method = (call) => {
  const member = textArg(call, 'user') ?? call.site.state.app.botUserId;
  const visible = listVisibleChannels(call.site, call.site.state.app.botUserId);
  const { page, next } = paged(
    call,
    ofTypes(call, visible).filter((channel) => channel.members.includes(member)),
  );
  // It doesn't say of a channel whether the app is a member (@slack/web-api 8.2.0, UsersConversationsResponse).
  const withoutMembership = ({ is_member: _, ...channel }: Json): Json => channel;
  const channels = page.map((channel) => withoutMembership(channelObject(call.site, channel)));
  return { channels, ...next };
};

export const conversationsMembers: Method = (call) => {
  const channel = visibleChannel(call);
  demandScopeIn(call.site, channel, 'read');
  const { page, next } = paged(call, channel.members);
  return { members: page, ...next };
};

/** Only into public channels: a private one has to invite the app. */
export const conversationsJoin: Method = (call) => {
  const channel = visibleChannel(call);
  if (channel.kind !== 'public') throw new Refusal('method_not_supported_for_channel_type');
  if (channel.archived === true) throw new Refusal('is_archived');
  const joined = join(call.site, channel, call.site.state.app.botUserId);
  const warning = 'already_in_channel';
  return {
    channel: channelObject(call.site, channel),
    ...(joined ? {} : { warning, response_metadata: { warnings: [warning] } }),
  };
};

/** People from elsewhere can be written to if one channel has them all (docs.slack.dev, "conversations.open"). */
function demandSharedChannel(site: Site, people: readonly string[]): void {
  const external = people.filter((id) => findPerson(site, id)?.from);
  const isShared = site.state.channels.some(
    (channel) => !isDirect(channel) && external.every((id) => channel.members.includes(id)),
  );
  if (!isShared) throw new Refusal('invalid_user_combination');
}

/** One person, or several in a group. Nobody stands twice in it, and the app need not be named. */
function openedChannel(call: Call, users: readonly string[]): Channel {
  const bot = call.site.state.app.botUserId;
  const people = users.map((id) => {
    const person = findPerson(call.site, id);
    if (!person) throw new Refusal('user_not_found');
    if (person.deactivated === true) throw new Refusal('user_disabled');
    return person.id;
  });
  demandSharedChannel(call.site, people);
  const [first, second] = [...new Set(people.filter((id) => id !== bot))];
  const isGroup = second !== undefined;
  demandScope(call.site, [isGroup ? 'mpim:write' : 'im:write']);
  return isGroup
    ? openGroupMessage(call.site, [...people, bot])
    : openDirectMessage(call.site, first ?? bot, bot);
}

export const conversationsOpen: Method = (call) => {
  const channelId = textArg(call, 'channel');
  if (channelId !== undefined) return { channel: channelObject(call.site, visibleChannel(call)) };
  const users = neededArg(call, 'users').split(',');
  const known = call.site.state.channels.length;
  const channel = openedChannel(
    call,
    users.map((id) => id.trim()),
  );
  const old = call.site.state.channels.length === known;
  return {
    ...(old ? { no_op: true, already_open: true } : {}),
    channel: flagArg(call, 'return_im') ? channelObject(call.site, channel) : { id: channel.id },
  };
};
