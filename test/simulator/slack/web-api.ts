import { areBlocksTooLong, findMessageProblems, findViewProblems } from './check-blocks.ts';
import { getString, isRecord, type Json } from './read-blocks.ts';
import {
  buildMessageObject,
  buildViewObject,
  type Channel,
  type Message,
  type Person,
  Refusal,
  type ResponseTarget,
  type SlackFile,
  type SlackState,
  type Version,
  type View,
  type Workspace,
} from './slack-state.ts';

export interface SlackReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request of the app to Slack. */
export interface SlackCall {
  url: string;
  authorization: string | undefined;
  contentType: string;
  body: string;
}

interface Call {
  state: SlackState;
  workspace: Workspace;
  args: Json;
  scopes: readonly string[];
  token: string;
}

type Content = Pick<Version, 'text' | 'blocks'>;

/** Returns the fields of the answer beside `ok`. Throws a {@link Refusal} for an error. */
type Method = (call: Call) => Json;

const MAX_TEXT_LENGTH = 40_000;
const MAX_UPDATED_TEXT_LENGTH = 4_000;
const OAUTH_CODE_MS = 10 * 60_000;

function refuseArguments(messages: readonly string[]): Refusal {
  return new Refusal('invalid_arguments', { response_metadata: { messages } });
}

/** Undefined for an argument that is missing or empty. */
function readText({ args }: Call, name: string): string | undefined {
  const value = args[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readRequired(call: Call, name: string): string {
  const value = readText(call, name);
  if (value === undefined) throw refuseArguments([`[ERROR] missing required field: ${name}`]);
  return value;
}

function isFlagSet({ args }: Call, name: string): boolean {
  return args[name] === true || args[name] === 'true' || args[name] === '1';
}

/** A list or an object, which is JSON in a form. */
function readJson({ args }: Call, name: string, errorCode: string): unknown {
  const value = args[name];
  if (typeof value !== 'string') return value ?? undefined;
  if (value === '') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    throw new Refusal(errorCode);
  }
}

const SCOPE_NAMES = { public: 'channels', private: 'groups', im: 'im' } as const;

function requireScope({ scopes }: Pick<Call, 'scopes'>, needed: string): void {
  if (!scopes.includes(needed)) throw new Refusal('missing_scope', { needed, provided: scopes.join(',') });
}

/** Finds a conversation that the app can see. It sees private ones only as a member. */
function readChannel(call: Call): Channel {
  const channel = call.workspace.channels.get(readRequired(call, 'channel'));
  if (!channel || (channel.kind === 'private' && !channel.botIsMember))
    throw new Refusal('channel_not_found');
  return channel;
}

/** `channel` may also be a person's id. */
function readWritableChannel(call: Call): Channel {
  const { state, workspace } = call;
  const id = readRequired(call, 'channel');
  const channel = state.isActive(workspace, id) ? state.openDirectMessage(workspace, id) : readChannel(call);
  if (channel.isArchived) throw new Refusal('is_archived');
  if (!channel.botIsMember) throw new Refusal('not_in_channel');
  return channel;
}

const hasFile = (workspace: Workspace) => (id: string) => workspace.files.get(id)?.status === 'complete';

/** Returns the content of a message if Slack accepts it. */
function acceptContent(workspace: Workspace, text: string, given: unknown): Content {
  if (given !== undefined && !Array.isArray(given)) throw new Refusal('invalid_blocks_format');
  const blocks = given ?? [];
  const messages = findMessageProblems(blocks, hasFile(workspace));
  if (messages.length > 0)
    throw new Refusal('invalid_blocks', { errors: messages, response_metadata: { messages } });
  if (areBlocksTooLong(blocks)) throw new Refusal('msg_blocks_too_long');
  if (text === '' && blocks.length === 0) throw new Refusal('no_text');
  return { text: text.slice(0, MAX_TEXT_LENGTH), blocks };
}

function readContent(call: Call): Content {
  const blocks = readJson(call, 'blocks', 'invalid_blocks_format');
  return acceptContent(call.workspace, readText(call, 'text') ?? '', blocks);
}

/** Returns the view if Slack accepts it. */
export function acceptView(workspace: Workspace, view: unknown, type: 'modal' | 'home'): Json {
  const messages = findViewProblems(view, type, hasFile(workspace));
  if (messages.length > 0 || !isRecord(view)) throw refuseArguments(messages);
  return view;
}

/** Null removes the metadata. Undefined: the call has none. */
function readMetadata(call: Call): Json | null | undefined {
  const metadata = readJson(call, 'metadata', 'invalid_metadata_format');
  if (metadata === undefined) return undefined;
  if (!isRecord(metadata)) throw new Refusal('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return null;
  if (getString(metadata, 'event_type') === '' || !isRecord(metadata.event_payload))
    throw new Refusal('invalid_metadata_schema');
  return metadata;
}

function readThread(call: Call): string | undefined {
  const thread = readText(call, 'thread_ts');
  if (thread !== undefined && !/^\d+\.\d+$/.test(thread)) throw new Refusal('invalid_thread_ts');
  return thread;
}

/** The app also gets an event for its own message in a direct message. */
function announceOwnMessage({ state, workspace }: Call, channel: Channel, message: Message): void {
  if (channel.kind !== 'im') return;
  const event = {
    ...buildMessageObject(workspace, message),
    type: 'message',
    channel: channel.id,
    channel_type: 'im',
  };
  const description = 'the app’s own message';
  state.events.push(state.createEvent(workspace, event, { person: workspace.botUser, description }));
}

const postMessage: Method = (call) => {
  const { state, workspace } = call;
  const channel = readWritableChannel(call);
  const metadata = readMetadata(call) ?? undefined;
  const about = { channel: channel.id, user: workspace.botUser, threadTs: readThread(call), metadata };
  const message = state.addMessage(workspace, about, readContent(call));
  announceOwnMessage(call, channel, message);
  return { channel: channel.id, ts: message.ts, message: buildMessageObject(workspace, message) };
};

const postEphemeral: Method = (call) => {
  const { state, workspace } = call;
  const channel = readWritableChannel(call);
  const person = readRequired(call, 'user');
  if (!channel.members.includes(person)) throw new Refusal('user_not_in_channel');
  const about = { channel: channel.id, user: workspace.botUser, threadTs: readThread(call) };
  const message = state.addMessage(workspace, { ...about, ephemeralTo: person }, readContent(call));
  return { message_ts: message.ts };
};

/** Ephemeral messages can't be found. `foreignError` is for messages of others. */
function readOwnMessage(call: Call, channel: Channel, foreignError: string): Message {
  const message = call.state.findMessage(call.workspace, channel.id, readRequired(call, 'ts'));
  if (!message || message.ephemeralTo !== undefined) throw new Refusal('message_not_found');
  if (!message.isByApp) throw new Refusal(foreignError);
  return message;
}

/** A text without blocks removes the blocks. The metadata stays if the call has none. */
const updateMessage: Method = (call) => {
  const { state, workspace } = call;
  const channel = readChannel(call);
  if (channel.isArchived) throw new Refusal('is_inactive');
  const message = readOwnMessage(call, channel, 'cant_update_message');
  const text = readText(call, 'text') ?? '';
  if (text.length > MAX_UPDATED_TEXT_LENGTH) throw new Refusal('msg_too_long');
  const content = readContent(call);
  const metadata = readMetadata(call);
  if (metadata !== undefined) message.metadata = metadata ?? undefined;
  state.changeMessage(workspace, message, content);
  return {
    channel: channel.id,
    ts: message.ts,
    text,
    message: buildMessageObject(workspace, message),
  };
};

const deleteMessage: Method = (call) => {
  const channel = readChannel(call);
  const message = readOwnMessage(call, channel, 'cant_delete_message');
  call.state.deleteMessage(call.workspace, message);
  return { channel: channel.id, ts: message.ts };
};

const getPermalink: Method = (call) => {
  const channel = readChannel(call);
  const message = call.state.findMessage(call.workspace, channel.id, readRequired(call, 'message_ts'));
  if (!message || message.ephemeralTo !== undefined) throw new Refusal('message_not_found');
  const link = `https://${call.workspace.domain}.slack.com/archives/${channel.id}/p${message.ts.replace('.', '')}`;
  return { channel: channel.id, permalink: link };
};

const MAX_PAGE = 1_000;

/** A page of items. A cursor is the index of the first one. */
function paginate<T>(call: Call, items: readonly T[], defaultSize = 100): { page: readonly T[]; next: Json } {
  const start = Number(readText(call, 'cursor') ?? 0);
  if (!Number.isInteger(start) || start < 0 || start > items.length) throw new Refusal('invalid_cursor');
  const limit = Number(readText(call, 'limit') ?? 0);
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_PAGE) throw new Refusal('invalid_limit');
  const end = start + (limit === 0 ? defaultSize : limit);
  const next_cursor = end < items.length ? String(end) : '';
  return { page: items.slice(start, end), next: { response_metadata: { next_cursor } } };
}

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
  const { id, name, kind, members, isArchived } = channel;
  const common = {
    id,
    created: 1_700_000_000,
    is_archived: isArchived,
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
    is_member: channel.botIsMember && !isArchived,
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
    const isExcluded = channel.isArchived && isFlagSet(call, 'exclude_archived');
    return isMember && isVisible && !isExcluded && types.includes(TYPES[channel.kind]);
  });
  const { page, next } = paginate(call, found);
  return {
    channels: page.map((channel) => ({ ...buildChannelObject(call, channel), is_member: undefined })),
    ...next,
  };
};

const offsetFormats = new Map<string, Intl.DateTimeFormat>();

function getOffsetSeconds(timeZone: string, at: number): number {
  const format =
    offsetFormats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  offsetFormats.set(timeZone, format);
  const [, sign = '+', hours = 0, minutes = 0] =
    /GMT([+-])(\d+):(\d+)/.exec(
      format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '',
    ) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

function buildUserObject(call: Call, person: Person & { isActive: boolean }): Json {
  const { id, name, timeZone, isOwner = false, isAdmin = false, isGuest = false, isActive } = person;
  const email = call.scopes.includes('users:read.email') ? { email: `${id.toLowerCase()}@example.com` } : {};
  const profile = { real_name: name, display_name: name, team: call.workspace.id, ...email };
  const common = { id, team_id: call.workspace.id, name, deleted: !isActive, profile, is_bot: false };
  if (!isActive) return { ...common, is_app_user: false, updated: 1_700_000_000 };
  return {
    ...common,
    real_name: name,
    tz: timeZone,
    tz_label: timeZone,
    tz_offset: getOffsetSeconds(timeZone, call.state.now()),
    is_admin: isAdmin || isOwner,
    is_owner: isOwner,
    is_primary_owner: [...call.workspace.people.values()].find((each) => each.isOwner)?.id === id,
    is_restricted: isGuest,
    is_ultra_restricted: false,
    is_app_user: false,
    updated: 1_700_000_000,
    ...(isFlagSet(call, 'include_locale') && { locale: 'en-US' }),
  };
}

function buildBotUserObject({ id, botUser }: Workspace): Json {
  return {
    id: botUser,
    team_id: id,
    name: 'upnext',
    deleted: false,
    is_bot: true,
    profile: { real_name: 'Upnext' },
  };
}

const userInfo: Method = (call) => {
  const id = readText(call, 'user') ?? '';
  const person = call.workspace.people.get(id);
  if (person) return { user: buildUserObject(call, person) };
  if (id === call.workspace.botUser) return { user: buildBotUserObject(call.workspace) };
  throw new Refusal('user_not_found');
};

const listUsers: Method = (call) => {
  const people = [...call.workspace.people.values()].map((person) => buildUserObject(call, person));
  const { page, next } = paginate(call, [...people, buildBotUserObject(call.workspace)], MAX_PAGE);
  return { members: page, cache_ts: Math.floor(call.state.now() / 1000), ...next };
};

const listGroups: Method = (call) => ({
  usergroups: [...call.workspace.usergroups.values()].map(({ id, handle, users }) => ({
    id,
    team_id: call.workspace.id,
    is_usergroup: true,
    name: handle,
    handle,
    date_delete: 0,
    ...(isFlagSet(call, 'include_users') && { users }),
    ...(isFlagSet(call, 'include_count') && { user_count: String(users.length) }),
  })),
});

const listGroupUsers: Method = (call) => {
  const group = call.workspace.usergroups.get(readRequired(call, 'usergroup'));
  if (!group) throw new Refusal('no_such_subteam');
  return { users: group.users };
};

const getUploadUrl: Method = (call) => {
  const size = Number(readRequired(call, 'length'));
  if (!Number.isInteger(size) || size <= 0) throw new Refusal('invalid_arguments');
  const [id, ticket] = [call.state.createId('F'), call.state.createId('')];
  const file: SlackFile = { id, ticket, name: readRequired(call, 'filename'), size, status: 'announced' };
  call.workspace.files.set(id, file);
  return { upload_url: `https://files.slack.com/upload/v1/${ticket}`, file_id: id };
};

const completeUpload: Method = (call) => {
  const { state, workspace } = call;
  const entries = readJson(call, 'files', 'invalid_arguments');
  if (!Array.isArray(entries) || entries.length === 0)
    throw refuseArguments(['[ERROR] missing required field: files']);
  const files = entries.map((entry: unknown) => {
    const file = workspace.files.get(isRecord(entry) ? getString(entry, 'id') : '');
    if (file?.status !== 'received') throw new Refusal('file_not_found');
    return file;
  });
  const channelId = readText(call, 'channel_id');
  const channel = channelId === undefined ? undefined : workspace.channels.get(channelId);
  if (channelId !== undefined) {
    if (!channel || (channel.kind === 'private' && !channel.botIsMember))
      throw new Refusal('channel_not_found');
    if (channel.isArchived) throw new Refusal('posting_to_channel_denied');
    if (!channel.botIsMember) throw new Refusal('not_in_channel');
  }
  for (const file of files) file.status = 'complete';
  if (channel) {
    const text = [readText(call, 'initial_comment') ?? '', ...files.map(({ name }) => name)]
      .join('\n')
      .trim();
    const about = { channel: channel.id, user: workspace.botUser, threadTs: readText(call, 'thread_ts') };
    state.addMessage(workspace, about, { text, blocks: [] });
  }
  return { files: files.map(({ id, name }) => ({ id, title: name, name })) };
};

const deleteFile: Method = (call) => {
  const file = call.workspace.files.get(readRequired(call, 'file'));
  if (!file || file.status === 'announced' || file.status === 'received') throw new Refusal('file_not_found');
  if (file.status === 'deleted') throw new Refusal('file_deleted');
  file.status = 'deleted';
  return {};
};

const readView = (call: Call, type: 'modal' | 'home') =>
  acceptView(call.workspace, readJson(call, 'view', 'invalid_arguments'), type);

function requireHash(call: Call, view: View | undefined): void {
  const hash = readText(call, 'hash');
  if (hash !== undefined && view && hash !== view.hash) throw new Refusal('hash_conflict');
}

const buildViewAnswer = ({ workspace }: Call, view: View) => ({ view: buildViewObject(workspace, view) });

const openView: Method = (call) => {
  const trigger = readRequired(call, 'trigger_id');
  const content = readView(call, 'modal');
  const { person } = call.state.useTrigger(call.workspace, trigger);
  return buildViewAnswer(call, call.state.openView(call.workspace, person, content));
};

const pushView: Method = (call) => {
  const { state, workspace } = call;
  const trigger = readRequired(call, 'trigger_id');
  const content = readView(call, 'modal');
  const { person, fromView } = state.useTrigger(workspace, trigger);
  if (fromView !== undefined && workspace.homes.get(person)?.id === fromView)
    throw refuseArguments([
      "[ERROR] must match the `type` of the root view whose stack we're pushing onto [json-pointer:/view/type]",
    ]);
  if (!state.getStack(workspace, person).some(({ id }) => id === fromView)) throw new Refusal('not_found');
  return buildViewAnswer(call, state.pushView(workspace, person, content));
};

const updateView: Method = (call) => {
  const { state, workspace } = call;
  const id = readText(call, 'view_id');
  const externalId = readText(call, 'external_id');
  if (externalId === undefined) readRequired(call, 'view_id');
  const views = [...[...workspace.stacks.values()].flat(), ...workspace.homes.values()];
  const view = views.find((each) =>
    id === undefined ? each.content.external_id === externalId : each.id === id,
  );
  const content = readView(call, view?.content.type === 'home' ? 'home' : 'modal');
  if (!view) throw new Refusal('not_found');
  requireHash(call, view);
  return buildViewAnswer(call, state.updateView(workspace, view, content));
};

const publishView: Method = (call) => {
  const { state, workspace } = call;
  const person = readRequired(call, 'user_id');
  const content = readView(call, 'home');
  if (!workspace.people.has(person)) throw new Refusal('invalid_arguments');
  requireHash(call, workspace.homes.get(person));
  return buildViewAnswer(call, state.publishHome(workspace, person, content));
};

function requireClient({ state, args }: Pick<Call, 'state' | 'args'>): void {
  if (!state.client) return;
  if (args.client_id !== state.client.id) throw new Refusal('invalid_client_id');
  if (args.client_secret !== state.client.secret) throw new Refusal('bad_client_secret');
}

/** Exchanges a code for a token. A code works once, within ten minutes. */
function exchangeCode(state: SlackState, args: Json): Json {
  requireClient({ state, args });
  const code = state.codes.get(getString(args, 'code'));
  if (!code || state.now() - code.madeAt > OAUTH_CODE_MS) throw new Refusal('invalid_code');
  if (code.isUsed) throw new Refusal('code_already_used');
  code.isUsed = true;
  return state.install(code.workspace, code.installer, code.scopes);
}

const revokeTokens = (call: Call, endedBy: 'token_revoked' | 'account_inactive') => {
  const { state, workspace, token } = call;
  const granted = state.tokens.get(token);
  if (granted) granted.endedBy = endedBy;
  state.uninstall(workspace);
  state.events.push(...createUninstallEvents(state, workspace));
};

/** Slack doesn't guarantee the order of the two events. */
export function createUninstallEvents(state: SlackState, workspace: Workspace): SlackRequests {
  const about = { person: workspace.botUser, description: 'the app is uninstalled' };
  const tokens = { oauth: [], bot: [workspace.botUser] };
  return [
    state.createEvent(workspace, { type: 'app_uninstalled' }, about),
    state.createEvent(workspace, { type: 'tokens_revoked', tokens }, about),
  ];
}
type SlackRequests = ReturnType<SlackState['createEvent']>[];

/** The methods with the scopes that they need. Other scopes depend on the conversation. */
const METHODS: Readonly<Record<string, readonly [Method, scope?: string]>> = {
  'apps.uninstall': [
    (call) => {
      requireClient(call);
      revokeTokens(call, 'account_inactive');
      return {};
    },
  ],
  'auth.revoke': [
    (call) => {
      if (isFlagSet(call, 'test')) return { revoked: false };
      revokeTokens(call, 'token_revoked');
      return { revoked: true };
    },
  ],
  'auth.test': [
    ({ workspace: { id, name, domain, botUser, botId } }) => ({
      url: `https://${domain}.slack.com/`,
      team: name,
      user: 'upnext',
      team_id: id,
      user_id: botUser,
      bot_id: botId,
      is_enterprise_install: false,
    }),
  ],
  'bots.info': [
    (call) => {
      const { botId, botUser } = call.workspace;
      if ((readText(call, 'bot') ?? botId) !== botId) throw new Refusal('bot_not_found');
      return { bot: { id: botId, deleted: false, name: 'upnext', user_id: botUser } };
    },
    'users:read',
  ],
  'chat.delete': [deleteMessage, 'chat:write'],
  'chat.getPermalink': [getPermalink],
  'chat.postEphemeral': [postEphemeral, 'chat:write'],
  'chat.postMessage': [postMessage, 'chat:write'],
  'chat.update': [updateMessage, 'chat:write'],
  'conversations.history': [
    (call) => buildHistory(call, readHistory(call, (message) => !isReply(message)).toReversed()),
  ],
  'conversations.info': [channelInfo],
  'conversations.members': [channelMembers],
  'conversations.open': [openConversation, 'im:write'],
  'conversations.replies': [replies],
  'emoji.list': [() => ({ emoji: {} }), 'emoji:read'],
  'files.completeUploadExternal': [completeUpload, 'files:write'],
  'files.delete': [deleteFile, 'files:write'],
  'files.getUploadURLExternal': [getUploadUrl, 'files:write'],
  'team.info': [
    (call) => {
      const { id, name, domain } = call.workspace;
      if ((readText(call, 'team') ?? id) !== id) throw new Refusal('team_not_found');
      return { team: { id, name, domain, url: `https://${domain}.slack.com/`, email_domain: '' } };
    },
    'team:read',
  ],
  'usergroups.list': [listGroups, 'usergroups:read'],
  'usergroups.users.list': [listGroupUsers, 'usergroups:read'],
  'users.conversations': [listConversations],
  'users.info': [userInfo, 'users:read'],
  'users.list': [listUsers, 'users:read'],
  'views.open': [openView],
  'views.publish': [publishView],
  'views.push': [pushView],
  'views.update': [updateView],
};

/**
 * Applies a response of the app, through a response_url or as the acknowledgement of a command: sends a message, to the
 * person only unless `response_type` is `in_channel`, or replaces or deletes the message of the interaction.
 */
export function respond(state: SlackState, target: ResponseTarget, response: unknown): void {
  const { workspace, channel, person, ts } = target;
  const body = typeof response === 'string' ? { text: response } : response;
  if (!isRecord(body)) throw new Refusal('invalid_payload');
  const isSet = (name: string) => body[name] === true || body[name] === 'true';
  const original = ts === undefined ? undefined : state.findMessage(workspace, channel.id, ts);
  if (isSet('delete_original')) {
    if (original) state.deleteMessage(workspace, original);
    return;
  }
  const content = acceptContent(workspace, getString(body, 'text'), body.blocks ?? undefined);
  if (isSet('replace_original') && original) {
    state.changeMessage(workspace, original, content);
    return;
  }
  const ephemeralTo = body.response_type === 'in_channel' ? undefined : person;
  const threadTs = getString(body, 'thread_ts') || undefined;
  state.addMessage(
    workspace,
    { channel: channel.id, user: workspace.botUser, ephemeralTo, threadTs },
    content,
  );
}

function parseArguments({ url, contentType, body }: SlackCall): Json {
  const query = Object.fromEntries(new URL(url).searchParams);
  if (!contentType.startsWith('application/json'))
    return { ...query, ...Object.fromEntries(new URLSearchParams(body)) };
  const args = parseJson(body, 'invalid_json');
  if (!isRecord(args)) throw new Refusal('json_not_object');
  return args;
}

function parseJson(text: string, errorCode: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(errorCode);
  }
}

function runMethod(state: SlackState, method: string, call: SlackCall): { answer: Json; scopes: string[] } {
  const args = parseArguments(call);
  if (method === 'oauth.v2.access') return { answer: exchangeCode(state, args), scopes: [] };
  const entry = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (!entry) {
    state.unknownMethods.add(method);
    throw new Refusal('unknown_method');
  }
  const token = /^Bearer (.+)$/.exec(call.authorization ?? '')?.[1] ?? getString(args, 'token');
  if (token === '') throw new Refusal('not_authed');
  const granted = state.tokens.get(token);
  if (!granted) throw new Refusal('invalid_auth');
  if (granted.endedBy !== undefined) throw new Refusal(granted.endedBy);
  const { scopes } = granted;
  const [run, scope] = entry;
  if (scope !== undefined) requireScope({ scopes }, scope);
  const workspace = state.requireWorkspace(granted.workspace);
  return { answer: run({ state, workspace, args, scopes, token }), scopes };
}

function buildReply(status: number, body: Json, headers: Record<string, string> = {}): SlackReply {
  const contentType = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers: { ...contentType, ...headers }, body: JSON.stringify(body) };
}

/** Runs a request, and turns a {@link Refusal} into Slack's answer. */
function catchRefusal(run: () => SlackReply, statusOf: (code: string) => number): SlackReply {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return buildReply(statusOf(error.code), { ok: false, error: error.code, ...error.details });
  }
}

/** Errors of a response_url's address, with status 404. Other errors have status 400. */
const ADDRESS_ERRORS = ['invalid_url', 'used_url', 'expired_url'];
const TEXT_HEADERS = { 'content-type': 'text/plain' };

function receiveUpload(state: SlackState, ticket: string): SlackReply {
  const files = [...state.workspaces.values()].flatMap((workspace) => [...workspace.files.values()]);
  const file = files.find((each) => each.ticket === ticket && each.status === 'announced');
  if (!file) return { status: 404, headers: TEXT_HEADERS, body: 'Not found' };
  file.status = 'received';
  return { status: 200, headers: TEXT_HEADERS, body: `OK - ${file.size}` };
}

/** Answers a request of the app: to the Web API, to a response_url, or an upload. */
export function answerCall(state: SlackState, call: SlackCall): SlackReply {
  const { hostname, pathname, origin } = new URL(call.url);
  if (pathname.startsWith('/upload/')) return receiveUpload(state, pathname.split('/').at(-1) ?? '');
  if (hostname === 'hooks.slack.com')
    return catchRefusal(
      () => {
        respond(state, state.useResponseUrl(origin + pathname), parseJson(call.body, 'invalid_payload'));
        return { status: 200, headers: TEXT_HEADERS, body: 'ok' };
      },
      (code) => (ADDRESS_ERRORS.includes(code) ? 404 : 400),
    );
  const method = pathname.replace(/^\/api\//, '');
  return catchRefusal(
    () => {
      const { answer, scopes } = runMethod(state, method, call);
      return buildReply(200, { ok: true, ...answer }, { 'x-oauth-scopes': scopes.join(',') });
    },
    () => 200,
  );
}
