import { addMs } from '../engine/clock.ts';
import { findPolicy, requiresReview } from '../preferences/project-policy.ts';
import { discardSubmission } from '../submissions/deliveries.ts';
import { findLatestReplacement } from '../submissions/press.ts';
import { updateShownMessage } from '../submissions/shown.ts';
import { findSubmission } from '../submissions/sql/submissions.ts';
import {
  readSubmissionRemote,
  STATES_WAITING_FOR_PERSON,
  type SubmissionRow,
} from '../submissions/submission.ts';
import { buildReviewColumns } from './due-times.ts';
import { EDITABLE_STATES, getOverdueReason, type HeldPostRow, type StateReason } from './held-post.ts';
import { type HeldPostContext, readHeldContent } from './held-post-context.ts';
import { holdPosts, SentMeanwhile } from './hold.ts';
import { checkApproval } from './review/check-approval.ts';
import { addEvent, addReviewRequest } from './sql/events.ts';
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
  const { outcomeCheckMs, maxOutcomeCheckMs, decisionCheckMs } = context.pace;
  const waitsForAuthor = current && STATES_WAITING_FOR_PERSON.includes(current.state);
  const maxMs = waitsForAuthor ? decisionCheckMs : maxOutcomeCheckMs;
  const next_at = addMs(context.clock.readShared(), Math.min(outcomeCheckMs * 2 ** row.checks, maxMs));
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
  await returnPost(context, row, submission, { to: 'needs-person', reason: findReturnReason(submission) });
  return true;
}

/** Thrown to roll back a return, because the poll or another instance has changed the post. */
class ChangedMeanwhile extends Error {}

/** The state of a returned post: somebody has to decide, or its reviewers. */
type Return = { to: 'needs-person'; reason: StateReason } | { to: 'awaiting-review' };

/**
 * Returns a post that the service certainly doesn't have. Its submission can't be sent again. Resolves with false, and
 * changes nothing, if the post or the submission has changed meanwhile.
 */
async function returnPost(
  context: HeldPostContext,
  row: HeldPostRow,
  submission: SubmissionRow,
  { to, ...change }: Return,
): Promise<boolean> {
  try {
    return await context.db.transaction().execute(async (trx) => {
      const now = context.clock.readShared();
      if (!(await discardSubmission(trx, submission, now, 'returned'))) return false;
      const maybe_sent = row.maybe_sent || submission.maybe_sent;
      const columns = to === 'awaiting-review' ? { ...buildReviewColumns(context, row), maybe_sent } : change;
      const returned = await context.verbs.byPerson(trx, row, to, columns);
      if (!returned) throw new ChangedMeanwhile();
      await addEvent(trx, returned, { kind: 'returned', actor: '', at: context.clock.now() });
      if (to === 'awaiting-review') await addReviewRequest(context, trx, returned);
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
  const isReturned =
    mayReturn && (await returnPost(context, row, submission, { to: 'needs-person', reason: 'taken-back' }));
  return isReturned ? { kind: 'held', id: row.id } : { kind: 'not-now' };
}

/**
 * Takes a submission back that needs approvals under the present policy, before it is sent again: one that was a held post,
 * or one that was sent directly. It then waits for its review as a held post. `unknown`: it couldn't be found out whether
 * its approvals count.
 */
export async function takeForReview(
  context: HeldPostContext,
  submission: SubmissionRow,
): Promise<'taken' | 'not-needed' | 'unknown'> {
  if (submission.kind !== context.kind.name || submission.project === null) return 'not-needed';
  const row = await findHandedOverPost(context, submission);
  const result = row
    ? await takeHeldPost(context, row, submission)
    : await takeDirectPost(context, { ...submission, project: submission.project });
  if (result === 'taken') await showTaken(context, submission);
  return result;
}

/** Finds the held post that became a submission. */
async function findHandedOverPost(
  { db }: HeldPostContext,
  { id, origin, workspace }: SubmissionRow,
): Promise<HeldPostRow | undefined> {
  const row = await findHeldPost(db, { id: origin, workspace });
  return row?.submission === id && row.state === 'handed-over' ? row : undefined;
}

async function takeHeldPost(context: HeldPostContext, row: HeldPostRow, submission: SubmissionRow) {
  const { answer } = await checkApproval(context, row);
  if (answer !== 'no') return answer === 'yes' ? 'not-needed' : 'unknown';
  const toReview = { to: 'awaiting-review' } as const;
  if (await returnPost(context, row, submission, toReview)) return 'taken';
  // A look at the outcome may have claimed the post meanwhile. After other changes, somebody else has the submission too.
  const current = await findHandedOverPost(context, submission);
  if (current) await returnPost(context, current, submission, toReview);
  return 'taken';
}

async function takeDirectPost(context: HeldPostContext, submission: SubmissionRow & { project: string }) {
  const { workspace, author, origin, channel, project } = submission;
  const policy = await findPolicy(context.db, { workspace, project });
  const held = requiresReview(policy) ? readHeldContent(context, submission) : undefined;
  // A draft isn't published until somebody schedules it in the service.
  if (!held || context.kind.holding.isDraft(held.content)) return 'not-needed';
  const post = { workspace, author, project, origin, channel: channel ?? undefined, policy };
  try {
    await holdPosts(context, { ...post, contents: [held.content], recalled: submission });
  } catch (error) {
    // Another request has the submission.
    if (!(error instanceof SentMeanwhile)) throw error;
  }
  return 'taken';
}

/** Updates the message that tells the author the submission's state. The held post's notices say what happens next. */
async function showTaken(context: HeldPostContext, { id, workspace }: SubmissionRow): Promise<void> {
  try {
    const [client, taken] = await Promise.all([
      context.findSlackClient(workspace),
      findSubmission(context.db, { id, workspace }),
    ]);
    if (taken && client && client !== 'unknown')
      await updateShownMessage(context.submissions.context, client, taken);
  } catch (error) {
    context.log.warn({ id, err: error }, 'could not update the message of a submission');
  }
}

function findReturnReason(row: SubmissionRow): StateReason {
  const { state, reason } = row;
  if (state === 'gave-up') return 'gave-up';
  if (reason === 'overdue') return getOverdueReason(row);
  if (reason === 'not-allowed') return reason;
  return 'refused';
}
