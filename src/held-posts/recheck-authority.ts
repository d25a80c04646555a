import { sql } from 'kysely';
import { addMs } from '../engine/clock.ts';
import type { Queryable } from '../store/database.ts';
import { repeatAfterDeadlock } from '../store/deadlock.ts';
import type { HeldPostTables } from './held-post.ts';
import type { HeldPostContext } from './held-post-context.ts';
import { END_CLAIM } from './policy-change.ts';

/** The period in which the checks of many posts are spread. */
const CHECK_PERIOD_SECONDS = 60;

/**
 * Checks soon whether somebody may still schedule each waiting post of a workspace, and whether its approvals are enough,
 * because roles or members of user groups have changed. The poll does the same twice a day, for people who leave Slack.
 * `afterMs`: when cached facts are outdated; defaults to 0.
 */
export async function recheckAuthority(
  context: HeldPostContext,
  workspace: string,
  afterMs = 0,
): Promise<void> {
  // A service may have been connected.
  context.binding.nextAt = context.clock.readShared();
  await repeatAfterDeadlock(() => makeChecksDue(context, context.db, { workspace, afterMs }));
  context.verbs.wake();
}

/**
 * Makes the checks of a workspace's or a project's waiting posts due, and updates and asks the reviewers. Call `verbs.wake`
 * afterwards.
 */
export async function makeChecksDue(
  { clock }: Pick<HeldPostContext, 'clock'>,
  db: Queryable<HeldPostTables>,
  { workspace, project, afterMs = 0 }: { workspace: string; project?: string; afterMs?: number },
): Promise<void> {
  // Spread, so that thousands of checks delay no hand-over.
  const soon = sql<Date>`${addMs(clock.readShared(), afterMs)}::timestamptz + random() * make_interval(secs => ${CHECK_PERIOD_SECONDS})`;
  const updatePosts = () =>
    db
      .updateTable('held_post')
      .where('workspace', '=', workspace)
      .$if(project !== undefined, (query) => query.where('project', '=', project ?? ''));
  await updatePosts()
    // An instance that is checking a post has read the facts from before. A hand-over that is due isn't delayed.
    .set({
      next_at: sql<Date>`case when hand_over_at <= ${clock.now()}::timestamptz then ${clock.readShared()}::timestamptz
        else least(next_at, ${soon}) end`,
      ...END_CLAIM,
    })
    .where('state', 'in', ['held', 'awaiting-review'])
    .execute();
  await updatePosts()
    .set({ notify_at: sql<Date>`least(notify_at, ${soon})`, notifying_since: null, notify_attempts: 0 })
    .where('state', '=', 'awaiting-review')
    .execute();
}
