import { addMs } from '../../engine/clock.ts';
import type { HeldPostRow } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { addEvent, type HeldPostEventRow } from '../sql/events.ts';
import { evaluateReview } from './evaluate-review.ts';
import { type LoadedReview, loadReview } from './load-review.ts';
import { computeNextReviewAt } from './reminders.ts';

/**
 * The step of a post that waits for its review. It is held if its approvals are enough by now, because the policy, or the
 * role of a reviewer, has changed. At the time of its hand-over it isn't sent, and everybody concerned is notified.
 * `checks` is the number of due reminders, so the notification of the state knows that it is one.
 */
export async function remindReviewers(context: HeldPostContext, row: HeldPostRow): Promise<void> {
  const { clock, pace, verbs } = context;
  const { hand_over_at: handOverAt } = row;
  const review = await loadReview(context, row);
  const result = evaluateReview(review);
  if (result.kind === 'approved') return schedule(context, row, result.approver);
  if (handOverAt !== null && handOverAt > clock.now()) {
    const next_at = context.clock.toShared(computeNextReviewAt(context, handOverAt));
    const checks = pace.remindersMs.filter((ms) => addMs(handOverAt, -ms) <= clock.now()).length;
    const isReminder = checks > row.checks;
    return void (isReminder
      ? await verbs.settle(row, 'awaiting-review', { next_at, checks })
      : await verbs.wait(row, { next_at, checks }));
  }
  if (result.kind === 'unknown' && row.publish_at && row.publish_at > clock.now()) {
    const next_at = addMs(context.clock.readShared(), pace.recheckMs);
    return void (await verbs.wait(row, { next_at }));
  }
  const deadline = findDeadline(row, review);
  if (deadline !== undefined && deadline > clock.now()) {
    const next_at = context.clock.toShared(deadline);
    return void (await verbs.wait(row, { next_at }));
  }
  await verbs.settle(row, 'needs-person', { reason: 'not-approved' });
}

/** Schedules a post whose approvals are enough without a new one, and tells its author. */
async function schedule(context: HeldPostContext, row: HeldPostRow, approver: string): Promise<void> {
  const change = { approver, next_at: context.clock.readShared() };
  await context.db.transaction().execute(async (transaction) => {
    const held = await context.verbs.settle(row, 'held', change, { transaction });
    if (held) await addEvent(transaction, held, { kind: 'scheduled', actor: '', at: context.clock.now() });
  });
}

/** A post that was sent for review within the lead has time until it would go out. */
function findDeadline(
  { hand_over_at: handOverAt, publish_at: publishAt }: HeldPostRow,
  { events }: LoadedReview,
) {
  const lastSent = events.findLast(isRequest);
  const isWithinLead = lastSent && handOverAt && lastSent.at >= handOverAt;
  return (isWithinLead ? publishAt : handOverAt) ?? undefined;
}

function isRequest({ kind }: Pick<HeldPostEventRow, 'kind'>): boolean {
  return ['created', 'sent-for-review', 'edited', 'moved', 'scheduled', 'restored', 'taken-over'].includes(
    kind,
  );
}
