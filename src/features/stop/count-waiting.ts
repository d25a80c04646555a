import type { Call } from '../../app/call.ts';
import { countHeldPosts } from '../../held-posts/sql/held-posts.ts';
import { countUnsent } from '../../submissions/project-stop.ts';

/** Counts the posts of a project that would go out without a stop. Leaves out posts whose time has passed. */
export async function countWaitingPosts(
  { context, actor, now }: Pick<Call, 'context' | 'actor' | 'now'>,
  project: string,
): Promise<number> {
  const key = { workspace: actor.workspace, project };
  const counts = await Promise.all([
    countUnsent(context.submissions.context, key),
    countHeldPosts(context.db, { ...key, states: ['awaiting-review', 'held'], from: now() }),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}
