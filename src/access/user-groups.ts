import type { WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';

interface UserGroups {
  /** Slack's ids of a user group's members; undefined if the lookup failed. Never rejects. */
  listMembers(
    client: WebClient,
    group: { workspace: string; group: string },
    skipCache: boolean,
  ): Promise<readonly string[] | undefined>;
}

/**
 * How long a group's members are cached. A person removed from a group keeps the group's roles for up to this time.
 * Actions that need the role Owner skip the cache.
 */
export const GROUP_MAX_AGE_MS = 5 * 60_000;
const MAX_GROUPS = 1_000;

export function createUserGroups(clock: () => number, onError: (error: unknown) => void): UserGroups {
  const cache = createLookupCache<readonly string[]>({
    maxAgeMs: GROUP_MAX_AGE_MS,
    max: MAX_GROUPS,
    now: clock,
  });
  return {
    async listMembers(client, { workspace, group }, skipCache) {
      const fetchMembers = async () => {
        // Slack requires the workspace if the token belongs to an organisation.
        const { users } = await client.usergroups.users.list({ usergroup: group, team_id: workspace });
        if (!users) throw new Error('usergroups.users.list returned no users');
        return users;
      };
      try {
        return await cache.get(`${workspace} ${group}`, fetchMembers, skipCache);
      } catch (error) {
        onError(error);
        return undefined;
      }
    },
  };
}
