import { addMs } from '../../engine/clock.ts';
import type { HeldPostContext } from '../held-post-context.ts';

/** Computes the time of the next reminder of the reviewers, or of the hand-over if all reminders are over. */
export function computeNextReviewAt(
  { clock, pace }: Pick<HeldPostContext, 'clock' | 'pace'>,
  handOverAt: Date,
): Date {
  const reminders = pace.remindersMs.map((ms) => addMs(handOverAt, -ms));
  return reminders.find((time) => time > clock.now()) ?? handOverAt;
}
