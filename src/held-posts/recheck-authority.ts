import { sql } from 'kysely';
import { repeatAfterDeadlock } from '../store/deadlock.ts';
import type { HeldPostContext } from './held-post-context.ts';

/** The period in which the checks of a workspace's posts are spread. */
const CHECK_PERIOD_SECONDS = 60;

/**
 * Checks soon whether somebody may still schedule each held post of a workspace, because its roles have changed. The poll
 * does the same twice a day, for people who leave Slack or a user group.
 */
export async function recheckAuthority(context: HeldPostContext, workspace: string): Promise<void> {
  const now = context.clock();
  // A service may have been connected.
  context.binding.nextAt = now;
  const makeDue = context.db
    .updateTable('held_post')
    // Spread, so that thousands of checks delay no hand-over.
    .set({
      next_at: sql<Date>`least(next_at, ${now}::timestamptz + random() * make_interval(secs => ${CHECK_PERIOD_SECONDS}))`,
    })
    .where('workspace', '=', workspace)
    .where('state', '=', 'held')
    .where('lease_until', 'is', null);
  await repeatAfterDeadlock(() => makeDue.execute());
  context.verbs.wake();
}
