import { addMs } from '../engine/clock.ts';
import { EDITABLE_STATES, type HeldPostRow } from './held-post.ts';
import type { HeldPostContext } from './held-post-context.ts';

/** Computes the key of the project's current service. Undefined if it couldn't be found out, or none is connected. */
export async function findEndpoint(
  { submissions }: Pick<HeldPostContext, 'submissions'>,
  { workspace, project }: Pick<HeldPostRow, 'workspace' | 'project'>,
): Promise<string | undefined> {
  const address = await submissions.context.findAddress(workspace, project);
  return address === '' ? undefined : submissions.context.computeEndpointKey(address);
}

/**
 * Binds posts that were written while their service was unknown, drafts too, so that a service that is connected later
 * doesn't get them unasked. Each scan calls it; it reads nothing if no post waits for that.
 */
export async function bindToService(context: HeldPostContext): Promise<void> {
  const { db, binding, clock, pace } = context;
  if (binding.nextAt === undefined || binding.nextAt > clock.readShared()) return;
  const retryAt = addMs(clock.readShared(), pace.recheckMs);
  binding.nextAt = retryAt;
  const projects = await db
    .selectFrom('held_post')
    .select(['workspace', 'project'])
    .distinct()
    .where('endpoint', '=', '')
    .where('state', 'in', [...EDITABLE_STATES, 'cancelled'])
    .execute();
  let isComplete = true;
  for (const { workspace, project } of projects) {
    const endpoint = await findEndpoint(context, { workspace, project }).catch(() => undefined);
    if (endpoint === undefined) isComplete = false;
    else
      await db
        .updateTable('held_post')
        .set({ endpoint })
        .where('workspace', '=', workspace)
        .where('project', '=', project)
        .where('endpoint', '=', '')
        .execute();
  }
  // A post may have been written meanwhile.
  if (isComplete && binding.nextAt === retryAt) binding.nextAt = undefined;
}
