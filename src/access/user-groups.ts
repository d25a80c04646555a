import type { WebClient } from '@slack/web-api';
import { brieflyKept } from './briefly-kept.ts';

interface UserGroups {
  /** Slack's ids of a group's people; undefined where they could not be looked up. Never rejects. */
  membersOf(
    client: WebClient,
    at: { workspace: string; group: string },
    live: boolean,
  ): Promise<readonly string[] | undefined>;
}

/** Who has left a group may do what it may for so long at most, ms; an owner's actions ask anew. */
const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 1_000;

export function createUserGroups(clock: () => number, failed: (error: unknown) => void): UserGroups {
  const kept = brieflyKept<readonly string[]>({ keepMs: KEPT_MS, most: MOST_KEPT, clock });
  return {
    async membersOf(client, { workspace, group }, live) {
      try {
        return await kept.get({ workspace, id: group }, live, async () => {
          // In an organisation the workspace has to be named.
          const { users } = await client.usergroups.users.list({ usergroup: group, team_id: workspace });
          if (!users) throw new Error('Slack lists nobody');
          return users;
        });
      } catch (error) {
        failed(error);
        return undefined;
      }
    },
  };
}
