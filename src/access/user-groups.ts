import type { WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';

interface UserGroups {
  /** Slack's ids of a group's people; undefined where they could not be looked up. Never rejects. */
  membersOf(
    client: WebClient,
    at: { workspace: string; group: string },
    live: boolean,
  ): Promise<readonly string[] | undefined>;
}

/** Who has left a group may do what it may for so long at most, ms; an owner's actions ask anew. */
const MAX_AGE_MS = 5 * 60_000;
const MAX_GROUPS = 1_000;

export function createUserGroups(clock: () => number, failed: (error: unknown) => void): UserGroups {
  const groups = createLookupCache<readonly string[]>({ maxAgeMs: MAX_AGE_MS, max: MAX_GROUPS, now: clock });
  return {
    async membersOf(client, { workspace, group }, live) {
      try {
        const list = async () => {
          // In an organisation the workspace has to be named.
          const { users } = await client.usergroups.users.list({ usergroup: group, team_id: workspace });
          if (!users) throw new Error('Slack lists nobody');
          return users;
        };
        return await groups.get(`${workspace} ${group}`, list, live);
      } catch (error) {
        failed(error);
        return undefined;
      }
    },
  };
}
