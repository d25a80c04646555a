import type { WebClient } from '@slack/web-api';
import type { Actor } from './actor.ts';
import type { Log } from './log.ts';
import { getSlackErrorCode } from './slack-errors.ts';

/**
 * Slack's ids of a user group's members, or why they couldn't be read. `not-permitted`: the workspace declined the
 * scope. `not-checked`: the request failed.
 */
export type GroupMembers = readonly string[] | 'deleted' | 'not-permitted' | 'not-checked';

/** Fetches the members of a user group from Slack. Never rejects. */
export async function fetchGroupMembers(
  { client, actor, log, reference }: { client: WebClient; actor: Actor; log: Log; reference: string },
  group: string,
): Promise<GroupMembers> {
  try {
    // Slack requires the workspace if the token belongs to an organisation.
    const { users } = await client.usergroups.users.list({ usergroup: group, team_id: actor.workspace });
    return users ?? 'not-checked';
  } catch (error) {
    const code = getSlackErrorCode(error);
    if (code === 'no_such_subteam') return 'deleted';
    if (code === 'missing_scope') return 'not-permitted';
    log.info({ reference, err: error }, 'could not read the members of a user group');
    return 'not-checked';
  }
}
