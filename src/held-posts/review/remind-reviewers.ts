import { type HeldPostContext, toSharedClock } from '../held-post-context.ts';
import type { HeldPostRow } from '../sql/held-posts.ts';
import { computeNextReviewAt } from './reminders.ts';

/**
 * The step of a post that waits for its review. At the time of its hand-over it isn't sent, and everybody concerned is
 * notified. `checks` counts the reminders, so the notification of the state knows that it is one.
 */
export async function remindReviewers(context: HeldPostContext, row: HeldPostRow): Promise<void> {
  const { hand_over_at: handOverAt } = row;
  if (handOverAt === null || handOverAt <= context.now())
    return void (await context.delivery.transition(row, 'needs-person', { reason: 'not-approved' }));
  const next_at = toSharedClock(context, computeNextReviewAt(context, handOverAt));
  await context.delivery.transition(row, 'awaiting-review', { next_at, checks: row.checks + 1 });
}
