import { addMs } from '../../engine/clock.ts';
import type { HeldPostContext } from '../held-post-context.ts';

/** Computes the time of the next reminder of the reviewers, or of the hand-over if all reminders are over. */
export function computeNextReviewAt(
  { now, pace }: Pick<HeldPostContext, 'now' | 'pace'>,
  handOverAt: Date,
): Date {
  const reminders = pace.remindersMs.map((ms) => addMs(handOverAt, -ms));
  return reminders.find((time) => time > now()) ?? handOverAt;
}
