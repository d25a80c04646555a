import type { Site } from '../site.ts';
import { makeId } from './ids.ts';
import type { UserGroup } from './saved-state.ts';

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
