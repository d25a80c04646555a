import type { WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';

interface UserGroups {
  /** Slack's ids of a user group's members; undefined if the lookup failed. `live` skips the cache. Never rejects. */
  membersOf(
    client: WebClient,
    at: { workspace: string; group: string },
    live: boolean,
  ): Promise<readonly string[] | undefined>;
}

/**
 * How long a group's members are cached; somebody who left keeps its roles that long. Actions of owners skip the cache.
 */
const MAX_AGE_MS = 5 * 60_000;
const MAX_GROUPS = 1_000;

export function createUserGroups(clock: () => number, onError: (error: unknown) => void): UserGroups {
  const groups = createLookupCache<readonly string[]>({ maxAgeMs: MAX_AGE_MS, max: MAX_GROUPS, now: clock });
  return {
    async membersOf(client, { workspace, group }, live) {
      try {
        const list = async () => {
          // With an organisation's token the call must name the workspace.
          const { users } = await client.usergroups.users.list({ usergroup: group, team_id: workspace });
          if (!users) throw new Error('usergroups.users.list returned no users');
          return users;
        };
        return await groups.get(`${workspace} ${group}`, list, live);
      } catch (error) {
        onError(error);
        return undefined;
      }
    },
  };
}
