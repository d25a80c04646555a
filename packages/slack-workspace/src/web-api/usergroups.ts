import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import type { UserGroup } from '../state/saved-state.ts';
import { type Method, readFlag, readRequired } from './call.ts';

/** The app's view of a user group (docs.slack.dev/reference/objects/usergroup-object). */
function buildGroupObject(
  site: Site,
  group: UserGroup,
  { includesCount, includesUsers }: { includesCount: boolean; includesUsers: boolean },
): Json {
  const creator = site.state.people[0]?.id ?? '';
  const updatedSeconds = Math.floor(group.changedAt / 1000);
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
    date_update: updatedSeconds,
    date_delete: group.disabled ? updatedSeconds : 0,
    auto_type: null,
    auto_provision: false,
    enterprise_subteam_id: '',
    created_by: creator,
    updated_by: creator,
    deleted_by: group.disabled ? creator : null,
    prefs: { channels: [], groups: [] },
    ...(includesUsers ? { users: group.users } : {}),
    // In Slack, too, this number is a string.
    ...(includesCount ? { user_count: String(group.users.length) } : {}),
  };
}

/** Lists disabled groups only with `include_disabled`. */
export const usergroupsList: Method = (call) => {
  const includesDisabled = readFlag(call, 'include_disabled');
  const options = {
    includesCount: readFlag(call, 'include_count'),
    includesUsers: readFlag(call, 'include_users'),
  };
  const groups = call.site.state.userGroups.filter(({ disabled }) => includesDisabled || !disabled);
  return { usergroups: groups.map((group) => buildGroupObject(call.site, group, options)) };
};

/** Finds disabled groups only with `include_disabled`. */
export const usergroupsUsersList: Method = (call) => {
  const id = readRequired(call, 'usergroup');
  const group = call.site.state.userGroups.find((entry) => entry.id === id);
  if (!group || (group.disabled && !readFlag(call, 'include_disabled'))) throw new Refusal('no_such_subteam');
  return { users: group.users };
};
