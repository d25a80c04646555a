import { addMs } from '../engine/clock.ts';
import { discardSubmission } from '../submissions/deliveries.ts';
import { findLatestReplacement } from '../submissions/press.ts';
import { findSubmission } from '../submissions/sql/submissions.ts';
import {
  readSubmissionRemote,
  STATES_WAITING_FOR_PERSON,
  type SubmissionRow,
} from '../submissions/submission.ts';
import { EDITABLE_STATES, type HeldPostRow, type StateReason } from './held-post.ts';
import type { HeldPostContext } from './held-post-context.ts';
import { addEvent } from './sql/events.ts';
import { findHeldPost } from './sql/held-posts.ts';

/**
 * Takes over the outcome of a handed-over post's submission. Resolves with true if the submission's author needs no
 * notification of their own, because the held post's messages say it. An unknown outcome stays the submission's.
 */
export async function takeOutcome(context: HeldPostContext, submission: SubmissionRow): Promise<boolean> {
  const row = await findHeldPost(context.db, { id: submission.origin, workspace: submission.workspace });
  if (!row || row.submission !== submission.id) return false;
  if (row.state === 'handed-over') return applyOutcome(context, row, submission);
  return row.state === 'delivered' || row.state === 'needs-person';
}

/** Looks at the submission of a handed-over post. The poll repeats this until there is an outcome. */
export async function checkOutcome(context: HeldPostContext, row: HeldPostRow): Promise<void> {
  const { workspace, submission: id } = row;
  const submission = id === null ? undefined : await findSubmission(context.db, { id, workspace });
  const current = submission && (await findLatestReplacement(context.submissions.context, submission));
  if (current && (await applyOutcome(context, row, current))) return;
  // Most outcomes come with the submission's notification. Only the checks find one that its author discarded or replaced.
  const { outcomeCheckMs, maxOutcomeCheckMs } = context.pace;
  const next_at = addMs(context.clock(), Math.min(outcomeCheckMs * 2 ** row.checks, maxOutcomeCheckMs));
  await context.verbs.wait(row, { next_at, checks: row.checks + 1 });
}

/** Applies an outcome. Resolves with false if there is none yet, or if it is unknown. */
async function applyOutcome(
  context: HeldPostContext,
  row: HeldPostRow,
  submission: SubmissionRow,
): Promise<boolean> {
  if (submission.state === 'confirmed') {
    await context.verbs.settle(row, 'delivered');
    return true;
  }
  if (submission.state === 'discarded') {
    await context.verbs.settle(row, 'dropped');
    return true;
  }
  const waitsForPerson = STATES_WAITING_FOR_PERSON.includes(submission.state);
  if (!waitsForPerson || readSubmissionRemote(submission) !== 'absent') return false;
  await returnPost(context, row, submission, findReturnReason(submission));
  return true;
}

/** Thrown to roll back a return, because the poll or another instance has changed the post. */
class ChangedMeanwhile extends Error {}

/**
 * Returns a post that the service certainly doesn't have. Its submission can't be sent again. Resolves with false, and
 * changes nothing, if the post or the submission has changed meanwhile.
 */
async function returnPost(
  context: HeldPostContext,
  row: HeldPostRow,
  submission: SubmissionRow,
  reason: StateReason,
): Promise<boolean> {
  try {
    return await context.db.transaction().execute(async (trx) => {
      if (!(await discardSubmission(trx, submission, context.clock(), null))) return false;
      const returned = await context.verbs.byPerson(trx, row, 'needs-person', { reason });
      if (!returned) throw new ChangedMeanwhile();
      await addEvent(trx, returned, { kind: 'returned', actor: '', at: context.now() });
      return true;
    });
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return false;
    throw error;
  }
}

/**
 * Takes a handed-over post back that the service doesn't have yet, because its author wants to edit it. Its submission
 * isn't edited, because nobody has approved that. `not-held`: the submission wasn't a held post. `not-now`: the service
 * may have the post.
 */
export async function takeBack(
  context: HeldPostContext,
  submission: SubmissionRow,
): Promise<{ kind: 'held'; id: string } | { kind: 'not-held' | 'not-now' }> {
  const row = await findHeldPost(context.db, { id: submission.origin, workspace: submission.workspace });
  if (!row || row.submission !== submission.id) return { kind: 'not-held' };
  if (EDITABLE_STATES.includes(row.state)) return { kind: 'held', id: row.id };
  const mayReturn = row.state === 'handed-over' && readSubmissionRemote(submission) === 'absent';
  const isReturned = mayReturn && (await returnPost(context, row, submission, 'taken-back'));
  return isReturned ? { kind: 'held', id: row.id } : { kind: 'not-now' };
}

function findReturnReason({ state, reason }: SubmissionRow): StateReason {
  if (state === 'gave-up') return 'gave-up';
  if (reason === 'overdue' || reason === 'not-allowed') return reason;
  return 'refused';
}
