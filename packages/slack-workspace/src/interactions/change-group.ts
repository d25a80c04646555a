import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import type { UserGroup } from '../state/saved-state.ts';
import { sendEvent } from './send-event.ts';

/**
 * Changes a user group. If its members change, apps receive subteam_members_changed
 * (docs.slack.dev/reference/events/subteam_members_changed).
 */
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
