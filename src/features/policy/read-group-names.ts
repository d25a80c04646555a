import type { Call } from '../../app/call.ts';
import type { ProjectPolicy } from '../../preferences/project-policy.ts';

/** Shown for a user group whose handle couldn't be read. */
const UNKNOWN_GROUP = 'A user group';

/** Reads the handles of a policy's user groups from Slack, by id. */
export async function readGroupNames(
  { client, actor, log, reference }: Call,
  { reviewSteps }: ProjectPolicy,
): Promise<ReadonlyMap<string, string>> {
  const ids = reviewSteps.flatMap(({ approvers }) =>
    approvers.flatMap((approver) => (approver.kind === 'group' ? [approver.id] : [])),
  );
  const names = new Map(ids.map((id) => [id, UNKNOWN_GROUP]));
  if (ids.length === 0) return names;
  try {
    const { usergroups = [] } = await client.usergroups.list({ team_id: actor.workspace });
    for (const { id, handle } of usergroups)
      if (id !== undefined && handle !== undefined && names.has(id)) names.set(id, `@${handle}`);
  } catch (error) {
    log.info({ reference, err: error }, 'could not read the user groups');
  }
  return names;
}
