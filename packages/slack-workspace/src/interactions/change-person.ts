import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { storePerson } from '../state/directory.ts';
import { makeId } from '../state/ids.ts';
import type { UserGroup } from '../state/saved-state.ts';
import { buildUserObject } from '../state/user-object.ts';
import { sendEvent } from './payloads.ts';

/** Adds a person, who is in no channel yet, and sends team_join to all apps, unless they belong to another workspace. */
export function addPerson(site: Site, person: Person): void {
  storePerson(site, person);
  if (!person.from) notifyApps(site, person, 'team_join');
}

function notifyApps(site: Site, person: Person, type: 'team_join' | 'user_change'): void {
  forEachApp(site, (app) => {
    const user = buildUserObject(app, person, true);
    sendEvent(app, type, { user, cache_ts: Math.floor(app.now() / 1000) });
  });
}

export function changePerson(site: Site, person: Person, changes: Partial<Omit<Person, 'id'>>): void {
  const changed = { ...person, ...changes };
  storePerson(site, changed);
  notifyApps(site, changed, 'user_change');
}

/** Finds a user group by its id or handle (`team` or `@team`). */
export function findGroup(site: Site, name: string): UserGroup | undefined {
  const handleWithoutAt = name.replace(/^@/, '');
  return site.state.userGroups.find(({ id, handle }) => id === name || handle === handleWithoutAt);
}

export function addGroup(
  site: Site,
  about: Pick<UserGroup, 'handle' | 'name' | 'users' | 'disabled'>,
): UserGroup {
  const madeAt = site.now();
  const group = { ...about, id: makeId('S'), madeAt, changedAt: madeAt };
  site.state.userGroups.push(group);
  site.touch();
  return group;
}

/** Apps get subteam_members_changed if its members change (docs.slack.dev/reference/events/subteam_members_changed). */
export function changeGroup(
  site: Site,
  group: UserGroup,
  changes: Partial<Pick<UserGroup, 'users' | 'disabled'>>,
): void {
  const { users: usersBefore, changedAt: changedBefore } = group;
  Object.assign(group, changes, { changedAt: site.now() });
  site.touch();
  const added = group.users.filter((user) => !usersBefore.includes(user));
  const removed = usersBefore.filter((user) => !group.users.includes(user));
  if (added.length + removed.length === 0) return;
  forEachApp(site, (app) =>
    sendEvent(app, 'subteam_members_changed', {
      subteam_id: group.id,
      team_id: app.state.team.id,
      date_previous_update: Math.floor(changedBefore / 1000),
      date_update: Math.floor(group.changedAt / 1000),
      added_users: added,
      added_users_count: added.length,
      removed_users: removed,
      removed_users_count: removed.length,
    }),
  );
}
