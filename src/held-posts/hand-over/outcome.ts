import type { WebClient } from '@slack/web-api';
import { MINUTE_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import type { BlockedReason, HeldReason } from '../../posts/state-copy.ts';
import { findPolicy, requiresReview } from '../../preferences/project-policy.ts';
import { refreshShownMessage } from '../../submissions/shown.ts';
import { readCurrentRow } from '../../submissions/sql/submissions.ts';
import {
  FINAL_STATES,
  isGivenUp,
  readSubmissionRemote,
  STATES_WAITING_FOR_PERSON,
  type SubmissionRow,
} from '../../submissions/submission.ts';
import { EDITABLE_STATES, getOverdueReason, type HeldPostRow, LIFECYCLE } from '../held-post.ts';
import {
  buildReviewColumns,
  computeNextAt,
  type HeldPostContext,
  readHeldContent,
  wakeFor,
} from '../held-post-context.ts';
import { checkApproval } from '../review/load-review.ts';
import { CARD, updatePostMessages } from '../show.ts';
import { findHeldPost, findPostOfSubmission } from '../sql/held-posts.ts';
import { isBackInPost, listParts, listSubmissions } from './parts.ts';
import { buildSentTo, holdPostAtOnce, listAbsent, returnToPost, takeFromSubmissions } from './withdraw.ts';

/** How long a refused part is told only with the others: longer than it takes to find out about an uncertain one. */
const MAX_SIBLING_WAIT_MS = 3 * MINUTE_MS;

/**
 * Takes over the outcome of a handed-over post's submission. Resolves with true if the submission's author needs no
 * notification of their own, because the held post's messages say it. An unknown outcome stays the submission's.
 * `waitMs`: the held post's messages say it, if its other parts are sent in that time.
 */
export async function takeOutcome(
  context: HeldPostContext,
  submission: SubmissionRow,
): Promise<boolean | { waitMs: number }> {
  const row = await findHeldPost(context.db, { id: submission.origin, workspace: submission.workspace });
  if (!row || !belongsTo(row, submission)) return false;
  if (isOnItsOwn(row, submission)) return takeLateOutcome(context, row, submission);
  if (row.state !== 'handed-over')
    return submission.state === 'confirmed' || row.state === 'delivered' || row.state === 'needs-person';
  const parts = row.sent_to === null ? [submission] : await listParts(context, row);
  if (await applyOutcome(context, row, parts)) return true;
  // The other parts are still on their way, and the post's messages then say it of all.
  if (!isReturnable(submission)) return isDecided(submission);
  // They may wait for the service until the post's time, when it is too late to mend this one.
  const waitedMs = context.clock.readShared().getTime() - submission.changed_at.getTime();
  return waitedMs < MAX_SIBLING_WAIT_MS ? { waitMs: MAX_SIBLING_WAIT_MS - waitedMs } : false;
}

/** Whether the submission is what the post became, or a part of it. */
function belongsTo(row: HeldPostRow, submission: SubmissionRow): boolean {
  return row.submission === submission.id || isPart(row, submission);
}

function isPart(row: HeldPostRow, submission: SubmissionRow): boolean {
  return row.sent_to !== null && submission.item > 0 && !isBackInPost(submission);
}

/** Whether the submission is a part whose outcome was still unknown when others of its post came back. */
function isOnItsOwn(row: HeldPostRow, submission: SubmissionRow): boolean {
  const wasReturned = LIFECYCLE[row.state].remote === 'absent';
  return wasReturned && isPart(row, submission) && submission.state !== 'confirmed';
}

/** Takes over the outcome of a part that is on its own. Until it has one, its own messages tell the author. */
async function takeLateOutcome(context: HeldPostContext, row: HeldPostRow, submission: SubmissionRow) {
  const isDiscarded = isGivenUp(submission) && submission.reason === null;
  if (!isDiscarded && !isReturnable(submission)) return false;
  if (!(await returnLatePart(context, row, submission))) {
    // The poll may have claimed the post meanwhile.
    const current = await findHeldPost(context.db, row);
    if (!current || !isOnItsOwn(current, submission)) return false;
    if (!(await returnLatePart(context, current, submission))) return false;
  }
  if (!isDiscarded) await showTaken(context, submission);
  return true;
}

/**
 * Returns a part that is on its own, or that its author discarded, to its post, which keeps its state. It can be sent
 * again with the post.
 */
function returnLatePart(
  context: HeldPostContext,
  row: HeldPostRow,
  submission: SubmissionRow,
): Promise<HeldPostRow | undefined> {
  const isNews = row.state === 'needs-person' && submission.state !== 'discarded';
  return returnToPost(context, row, [submission], row.state, {
    ...{ reason: row.reason, next_at: computeNextAt(context, row.state, row) },
    // A post that needs somebody for another reason now needs them for this one too.
    ...(isNews && {
      changed_at: context.clock.readShared(),
      ...(submission.state === 'refused' && { reason: 'refused' as const }),
    }),
  });
}

/** Looks at the submissions of a handed-over post. The poll repeats this until there is an outcome. */
export async function checkOutcome(context: HeldPostContext, row: HeldPostRow): Promise<void> {
  const parts = await listSubmissions(context, row);
  if ((parts.length > 0 || row.sent_to !== null) && (await applyOutcome(context, row, parts))) return;
  // Most outcomes come with the submission's notification. Only the checks find one that its author discarded or
  // replaced.
  const { outcomeCheckMs, maxOutcomeCheckMs, decisionCheckMs } = context.pace;
  const waitsForAuthor = parts.some(({ state }) => STATES_WAITING_FOR_PERSON.includes(state));
  const maxMs = waitsForAuthor ? decisionCheckMs : maxOutcomeCheckMs;
  const next_at = addMs(context.clock.readShared(), Math.min(outcomeCheckMs * 2 ** row.checks, maxMs));
  await context.verbs.wait(row, { next_at, checks: row.checks + 1 });
}

/** Whether the service certainly doesn't have it, and it isn't sent without a person. */
function isReturnable(submission: SubmissionRow): boolean {
  const waitsForPerson = STATES_WAITING_FOR_PERSON.includes(submission.state);
  return waitsForPerson && readSubmissionRemote(submission) === 'absent';
}

function isDecided(submission: SubmissionRow): boolean {
  return FINAL_STATES.some((state) => state === submission.state) || isReturnable(submission);
}

/**
 * Applies the outcomes of a post's submissions, once Upnext works on none of them any more. Resolves with false if
 * there is none yet, or if it is unknown. Parts that the service doesn't have are returned, even if another outcome is
 * unknown.
 */
async function applyOutcome(
  context: HeldPostContext,
  row: HeldPostRow,
  parts: readonly SubmissionRow[],
): Promise<boolean> {
  const open = parts.filter((part) => !isDecided(part));
  if (open.some(({ state }) => !STATES_WAITING_FOR_PERSON.includes(state))) {
    await recordSent(context, row, parts);
    return false;
  }
  // A refusal says the most about what to do.
  const [first, ...others] = parts
    .filter(isReturnable)
    .toSorted((one, other) => Number(other.state === 'refused') - Number(one.state === 'refused'));
  if (first) {
    await returnToPost(context, row, [first, ...others], 'needs-person', { reason: findReturnReason(first) });
    // One that waited for the other parts was told by itself.
    for (const part of [first, ...others]) if (part.message_ts !== null) await showTaken(context, part);
    return true;
  }
  if (open.length > 0) {
    await recordSent(context, row, parts);
    return false;
  }
  const isDropped = parts.length > 0 && parts.every(({ state }) => state === 'discarded');
  await context.verbs.settle(row, isDropped ? 'dropped' : 'delivered', buildSentTo(context, row, { parts }));
  return true;
}

/** Records the platforms that have their part, because others may wait until its content is deleted. */
async function recordSent(context: HeldPostContext, row: HeldPostRow, parts: readonly SubmissionRow[]) {
  const confirmed = parts.filter(({ state }) => state === 'confirmed');
  const change = buildSentTo(context, row, { parts: confirmed });
  if (change.sent_to === undefined || change.sent_to === row.sent_to) return;
  await context.db
    .updateTable('held_post')
    .set(change)
    .where('id', '=', row.id)
    .where('workspace', '=', row.workspace)
    .where('state', '=', 'handed-over')
    .where('sent_to', '=', row.sent_to)
    .execute();
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
  if (!row || !belongsTo(row, submission)) return { kind: 'not-held' };
  const isAbsent = readSubmissionRemote(submission) === 'absent';
  if (EDITABLE_STATES.includes(row.state)) {
    const isInPost =
      !isOnItsOwn(row, submission) || (isAbsent && (await returnLatePart(context, row, submission)));
    return isInPost ? { kind: 'held', id: row.id } : { kind: 'not-now' };
  }
  if (!isAbsent) return { kind: 'not-now' };
  const taken = await takeFromSubmissions(context, row);
  return EDITABLE_STATES.includes(taken.state) ? { kind: 'held', id: row.id } : { kind: 'not-now' };
}

/**
 * Takes a submission back that needs approvals under the present policy, before it is sent again: one that was a held
 * post, or one that was sent directly. It then waits for its review as a held post. `unknown`: it couldn't be found out
 * whether its approvals count.
 */
export async function takeForReview(
  context: HeldPostContext,
  submission: SubmissionRow,
): Promise<'taken' | 'not-needed' | 'unknown'> {
  if (submission.kind !== context.kind.name || submission.project === null) return 'not-needed';
  const row = await findPostOf(context, submission);
  const result = row
    ? await takeHeldPost(context, row, submission)
    : await takeDirectPost(context, { ...submission, project: submission.project });
  if (result === 'taken') await showTaken(context, submission);
  return result;
}

/** Finds the held post that became a submission, or of which it is a part. */
async function findPostOf(
  { db }: HeldPostContext,
  submission: SubmissionRow,
): Promise<HeldPostRow | undefined> {
  const { origin, workspace } = submission;
  const row = await findHeldPost(db, { id: origin, workspace });
  if (!row || !belongsTo(row, submission)) return undefined;
  return row.state === 'handed-over' || isOnItsOwn(row, submission) ? row : undefined;
}

async function takeHeldPost(context: HeldPostContext, row: HeldPostRow, submission: SubmissionRow) {
  const { answer } = await checkApproval(context, row);
  if (answer !== 'no') return answer === 'yes' ? 'not-needed' : 'unknown';
  if (await returnForReview(context, row, submission)) return 'taken';
  // A look at the outcome may have claimed the post meanwhile. After other changes, somebody else has the submission
  // too.
  const current = await findPostOf(context, submission);
  if (current) await returnForReview(context, current, submission);
  return 'taken';
}

async function returnForReview(context: HeldPostContext, row: HeldPostRow, submission: SubmissionRow) {
  if (isOnItsOwn(row, submission)) return returnLatePart(context, row, submission);
  const absent = await listAbsent(context, row, submission);
  return returnToPost(context, row, absent, 'awaiting-review', buildReviewColumns(context, row));
}

async function takeDirectPost(context: HeldPostContext, submission: SubmissionRow & { project: string }) {
  const { workspace, project } = submission;
  const policy = await findPolicy(context.db, { workspace, project });
  const held = requiresReview(policy) ? readHeldContent(context, submission) : undefined;
  // A draft isn't published until somebody schedules it in the service.
  if (!held || context.kind.post.isDraft(held.content)) return 'not-needed';
  const row = await holdPostAtOnce(context, submission);
  if (row) wakeFor(context, row);
  // If there is none, another request has the submission.
  return 'taken';
}

/** Updates the messages about a post whose submission failed at its time. Throws on temporary failures of Slack. */
export async function showOutcome(
  context: HeldPostContext,
  client: WebClient,
  submission: SubmissionRow,
): Promise<void> {
  const row = await findPostOfSubmission(context.db, submission);
  if (row && (row.submission === submission.id || row.sent_to !== null))
    await updatePostMessages(context, client, row, CARD);
}

/** Updates the message that tells the author the submission's state. The held post's notices say what happens next. */
async function showTaken(context: HeldPostContext, submission: SubmissionRow): Promise<void> {
  const current = await readCurrentRow(context.db, submission);
  await refreshShownMessage(context.submissions.context, current);
}

/** What people read of a post whose submission waits for a person with this reason. */
const RETURN_REASONS: Readonly<Record<BlockedReason, (row: SubmissionRow) => HeldReason>> = {
  overdue: getOverdueReason,
  'not-allowed': () => 'not-allowed',
  'other-service': () => 'other-service',
};

function findReturnReason(row: SubmissionRow): HeldReason {
  const { state, reason } = row;
  if (state === 'blocked' && isBlockedReason(reason)) return RETURN_REASONS[reason](row);
  return state === 'gave-up' ? 'gave-up' : 'refused';
}

function isBlockedReason(reason: SubmissionRow['reason']): reason is BlockedReason {
  return reason !== null && Object.hasOwn(RETURN_REASONS, reason);
}
