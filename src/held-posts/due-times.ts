import { addMs } from '../engine/clock.ts';
import type { HeldPostRow, State } from './held-post.ts';
import { type HeldPostContext, toSharedClock } from './held-post-context.ts';
import { computeNextReviewAt } from './review/reminders.ts';

/** Computes when a post's next step is due, on the shared clock. Null if it waits for a person. */
export function computeNextAt(
  context: Pick<HeldPostContext, 'now' | 'clock' | 'pace'>,
  state: State,
  { hand_over_at: handOverAt }: Pick<HeldPostRow, 'hand_over_at'>,
): Date | null {
  if (handOverAt === null || (state !== 'held' && state !== 'awaiting-review')) return null;
  const dueAt =
    state === 'held' ? computeNextCheckAt(context, handOverAt) : computeNextReviewAt(context, handOverAt);
  return toSharedClock(context, dueAt > context.now() ? dueAt : context.now());
}

/** Computes the time of the next check whether somebody may still schedule the post, or of the hand-over. */
export function computeNextCheckAt(
  { now, pace }: Pick<HeldPostContext, 'now' | 'pace'>,
  handOverAt: Date,
): Date {
  const checkAt = addMs(now(), pace.authorityCheckMs);
  return checkAt < handOverAt ? checkAt : handOverAt;
}
