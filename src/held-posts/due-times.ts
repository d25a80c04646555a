import { addMs } from '../engine/clock.ts';
import type { HeldPostRow, State } from './held-post.ts';
import type { HeldPostContext } from './held-post-context.ts';

/** Computes when a post's next step is due, on the shared clock. Null if it waits for a person. */
export function computeNextAt(
  context: Pick<HeldPostContext, 'clock' | 'pace'>,
  state: State,
  { hand_over_at: handOverAt }: Pick<HeldPostRow, 'hand_over_at'>,
): Date | null {
  if (handOverAt === null || (state !== 'held' && state !== 'awaiting-review')) return null;
  const dueAt =
    state === 'held' ? computeNextCheckAt(context, handOverAt) : computeNextReviewAt(context, handOverAt);
  return context.clock.toShared(dueAt > context.clock.now() ? dueAt : context.clock.now());
}

/** The columns of a post that Upnext sends for review, because it needs approvals that it doesn't have. */
export function buildReviewColumns(
  context: Pick<HeldPostContext, 'clock' | 'pace'>,
  row: Pick<HeldPostRow, 'hand_over_at'>,
) {
  const next_at = computeNextAt(context, 'awaiting-review', row) ?? context.clock.readShared();
  return { in_review: true, approver: null, checks: 0, next_at };
}

/** Computes the time of the next check whether somebody may still schedule the post, or of the hand-over. */
export function computeNextCheckAt(
  { clock, pace }: Pick<HeldPostContext, 'clock' | 'pace'>,
  handOverAt: Date,
): Date {
  const checkAt = addMs(clock.now(), pace.authorityCheckMs);
  return checkAt < handOverAt ? checkAt : handOverAt;
}

/** Computes the time of the next reminder of the reviewers, or of the hand-over if all reminders are over. */
export function computeNextReviewAt(
  { clock, pace }: Pick<HeldPostContext, 'clock' | 'pace'>,
  handOverAt: Date,
): Date {
  const reminders = pace.remindersMs.map((ms) => addMs(handOverAt, -ms));
  return reminders.find((time) => time > clock.now()) ?? handOverAt;
}

/** Computes how long the reviewers of a post of a series aren't asked yet, ms. 0 for a post that isn't reviewed. */
export function computeReviewDelayMs(
  { clock, pace }: Pick<HeldPostContext, 'clock' | 'pace'>,
  { in_review: inReview, hand_over_at: handOverAt }: Pick<HeldPostRow, 'in_review' | 'hand_over_at'>,
): number {
  if (!inReview || handOverAt === null) return 0;
  return Math.max(0, handOverAt.getTime() - pace.seriesReviewMs - clock.now().getTime());
}
