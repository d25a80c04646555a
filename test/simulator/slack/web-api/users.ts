import type { Json } from '../read-blocks.ts';
import { Refusal } from '../refusal.ts';
import type { Person, Workspace } from '../workspace.ts';
import {
  type Call,
  isFlagSet,
  MAX_PAGE,
  type Method,
  type Methods,
  paginate,
  readRequired,
  readText,
} from './call.ts';

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

export const userMethods: Methods = {
  'usergroups.list': [listGroups, 'usergroups:read'],
  'usergroups.users.list': [listGroupUsers, 'usergroups:read'],
  'users.info': [userInfo, 'users:read'],
  'users.list': [listUsers, 'users:read'],
};
