import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import type { UserGroup } from '../state/saved-state.ts';
import { flagArg, type Method, neededArg } from './call.ts';

/** A user group as Slack shows it to an app (docs.slack.dev, "User group object"). */
function groupObject(site: Site, group: UserGroup, more: { count: boolean; users: boolean }): Json {
  const creator = site.state.people[0]?.id ?? '';
  const changed = Math.floor(group.changedAt / 1000);
  return {
    id: group.id,
    team_id: site.state.team.id,
    is_usergroup: true,
    is_subteam: true,
    name: group.name,
    description: '',
    handle: group.handle,
    is_external: false,
    date_create: Math.floor(group.madeAt / 1000),
    date_update: changed,
    date_delete: group.disabled ? changed : 0,
    auto_type: null,
    auto_provision: false,
    enterprise_subteam_id: '',
    created_by: creator,
    updated_by: creator,
    deleted_by: group.disabled ? creator : null,
    prefs: { channels: [], groups: [] },
    ...(more.users ? { users: group.users } : {}),
    // A number in a string, as Slack writes it.
    ...(more.count ? { user_count: String(group.users.length) } : {}),
  };
}

/** A disabled group is listed only where that was asked for. */
export const usergroupsList: Method = (call) => {
  const all = flagArg(call, 'include_disabled');
  const more = { count: flagArg(call, 'include_count'), users: flagArg(call, 'include_users') };
  const groups = call.site.state.userGroups.filter(({ disabled }) => all || !disabled);
  return { usergroups: groups.map((group) => groupObject(call.site, group, more)) };
};

/** Without `include_disabled` a disabled group is not there. */
export const usergroupsUsersList: Method = (call) => {
  const id = neededArg(call, 'usergroup');
  const group = call.site.state.userGroups.find((entry) => entry.id === id);
  if (!group || (group.disabled && !flagArg(call, 'include_disabled'))) throw new Refusal('no_such_subteam');
  return { users: group.users };
};
