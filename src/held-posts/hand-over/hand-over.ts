import { type Kysely, sql } from 'kysely';
import type { Permission } from '../../access/access.ts';
import { addMs } from '../../engine/clock.ts';
import { findSendingStop } from '../../engine/sending-stop.ts';
import { END_CLAIM } from '../../engine/sql/bulk-transitions.ts';
import type { HeldReason } from '../../posts/state-copy.ts';
import { repeatAfterDeadlock } from '../../store/locks.ts';
import { makeFirstAttempt } from '../../submissions/attempt.ts';
import { compareLocks, createRows, type SavedRow, saveNextRevision } from '../../submissions/save.ts';
import { findSubmission } from '../../submissions/sql/submissions.ts';
import type { SubmissionRow } from '../../submissions/submission.ts';
import { listApprovals } from '../event-kinds.ts';
import { getOverdueReason, type HeldPostRow, type HeldPostTables, listSentPlatforms } from '../held-post.ts';
import {
  buildReviewColumns,
  ChangedMeanwhile,
  commitUnlessChanged,
  computeDueAt,
  type HeldPostContext,
  readHeldContent,
} from '../held-post-context.ts';
import { type ApprovalCheck, checkApproval, isStillApproved } from '../review/load-review.ts';
import { findSeries, makeSeriesDue } from '../series/change-series.ts';
import { addEvent, addReviewRequest, listEvents } from '../sql/events.ts';
import { takeOutcome } from './outcome.ts';

/** The result of the checks before a hand-over. */
type Check =
  /** `authority`: the person on whose role the hand-over stands. */
  | { kind: 'ready'; authority: string; approval: ApprovalCheck }
  /** Somebody has to decide. */
  | { kind: 'ask'; reason: HeldReason }
  /** Approvals are missing. */
  | { kind: 'review' }
  /** Nothing certainly prevents the hand-over, which isn't due yet. */
  | { kind: 'not-due' }
  /** A check had no answer, or the project is stopped. "Could not find out" waits; it is never a no. */
  | { kind: 'wait'; reason: 'stopped' | 'not-checked' };

/**
 * Hands a due post over to the service. Permission and connection are checked first. Then one transaction checks stop
 * and approval once more, marks the post `handed-over` by compare-and-set on its fence, and inserts the submission, so
 * that a post is handed over once or not at all.
 */
export async function handOver(context: HeldPostContext, row: HeldPostRow): Promise<void> {
  const held = readHeldContent(context, row);
  if (!held)
    return isOverdue(context, row)
      ? ask(context, row, getOverdueReason(row))
      : wait(context, row, 'not-checked');
  const handOverAt = row.hand_over_at ?? context.clock.now();
  const isDue = handOverAt <= context.clock.now();
  const check = await checkHandOver(context, row, held.content, isDue);
  switch (check.kind) {
    case 'ask': {
      const { reason } = check;
      const pausesSeries = reason === 'other-service' || (reason === 'not-allowed' && !isDue);
      return pausesSeries ? askOfSeries(context, row, reason) : ask(context, row, reason);
    }
    case 'review':
      return returnToReview(context, row);
    case 'wait':
      return wait(context, row, check.reason);
    case 'not-due': {
      const next_at = computeDueAt(context, 'held', handOverAt);
      return void (await context.verbs.wait(row, { next_at, reason: null }));
    }
    case 'ready': {
      const submissions = await commitHandOver(context, row, held.content, check);
      if (submissions) await sendNow(context, submissions);
    }
  }
}

/** Asks about a post, unless its series pauses for the same reason: then its people are asked once, about all its posts. */
async function askOfSeries(
  context: HeldPostContext,
  row: HeldPostRow,
  reason: 'other-service' | 'not-allowed',
): Promise<void> {
  const series = row.series === null ? undefined : await findSeries(context.db, { ...row, id: row.series });
  const isOfSame = reason !== 'not-allowed' || series?.author === row.author;
  if (series?.state !== 'running' || !isOfSame) return ask(context, row, reason);
  const now = context.clock.readShared();
  const isWaiting = await context.verbs.wait(row, { next_at: addMs(now, context.pace.recheckMs) });
  // Another of its posts may have done so before.
  const isDue = series.lease_until !== null || (series.next_at !== null && series.next_at <= now);
  if (isWaiting && !isDue) await makeSeriesDue(context, { id: series.id });
}

function isOverdue({ clock }: HeldPostContext, { publish_at: publishAt }: HeldPostRow): boolean {
  return publishAt !== null && publishAt <= clock.now();
}

async function ask(context: HeldPostContext, row: HeldPostRow, reason: HeldReason): Promise<void> {
  await context.verbs.settle(row, 'needs-person', { reason });
}

/** Asks for the approvals that a post needs since its policy, or somebody's role or group, has changed. */
async function returnToReview(context: HeldPostContext, row: HeldPostRow): Promise<void> {
  const change = buildReviewColumns(context, row);
  await context.db.transaction().execute(async (transaction) => {
    const returned = await context.verbs.settle(row, 'awaiting-review', change, { transaction });
    if (returned) await addReviewRequest(context, transaction, returned);
  });
}

async function wait(context: HeldPostContext, row: HeldPostRow, reason: 'stopped' | 'not-checked') {
  const { clock, pace, verbs } = context;
  const soon = addMs(clock.readShared(), pace.recheckMs);
  // Messages say why the post waits, so a new reason is told.
  if (row.reason !== reason) return void (await verbs.settle(row, 'held', { next_at: soon, reason }));
  // Whoever resumes the project makes the post due, unless it has only begun to wait at that moment.
  const until = reason === 'stopped' ? row.publish_at : null;
  const next_at = until ? computeDueAt(context, 'held', until) : soon;
  await verbs.wait(row, { next_at });
}

const NOT_CHECKED = { kind: 'wait', reason: 'not-checked' } as const;

/**
 * Checks everything that may have changed since the post was written. Before the hand-over is due, only what certainly
 * prevents it counts: somebody can then decide in time.
 */
async function checkHandOver(
  context: HeldPostContext,
  row: HeldPostRow,
  content: unknown,
  isDue: boolean,
): Promise<Check> {
  if (isDue && isOverdue(context, row)) return { kind: 'ask', reason: getOverdueReason(row) };
  if (isDue && (await findSendingStop(context.db, row))) return { kind: 'wait', reason: 'stopped' };
  const { findApiClient, isElsewhere } = context.submissions.context;
  if (await isElsewhere(row.workspace, row.project)) return { kind: 'ask', reason: 'other-service' };
  if (isDue && !(await findApiClient(row.workspace, row.project))) return NOT_CHECKED;
  const authority = await findAuthority(context, row, content);
  if (authority === 'no') return { kind: 'ask', reason: 'not-allowed' };
  if (isDue && authority === 'unknown') return NOT_CHECKED;
  const approval = await checkApproval(context, row);
  if (approval.answer === 'no') return { kind: 'review' };
  if (!isDue || authority === 'unknown') return { kind: 'not-due' };
  return approval.answer === 'yes' ? { kind: 'ready', authority: authority.user, approval } : NOT_CHECKED;
}

/** Finds a person who may schedule the post now: its author, or somebody who approved this version. */
async function findAuthority(
  { db, submissions, kind }: HeldPostContext,
  row: HeldPostRow,
  content: unknown,
): Promise<{ user: string } | 'no' | 'unknown'> {
  const role = kind.getRole(content);
  const answers: Permission[] = [];
  const events = row.in_review ? await listEvents(db, row) : [];
  const approvers = listApprovals(events, row).map(({ actor }) => actor);
  for (const user of new Set([row.author, ...(row.approver === null ? [] : [row.approver]), ...approvers])) {
    const answer = await submissions.context.checkPermission({ workspace: row.workspace, user }, role, {
      project: row.project,
      kind: kind.name,
      earlierAnswer: row.reason === 'not-checked' ? 'unknown' : undefined,
    });
    if (answer === 'yes') return { user };
    answers.push(answer);
  }
  return answers.includes('unknown') ? 'unknown' : 'no';
}

/**
 * Commits the hand-over, with a submission for each distinct text that the service doesn't have. Resolves with undefined
 * if somebody changed the post, or the project was stopped.
 */
async function commitHandOver(
  context: HeldPostContext,
  row: HeldPostRow,
  content: unknown,
  { authority, approval }: Extract<Check, { kind: 'ready' }>,
): Promise<SubmissionRow[] | undefined> {
  const { workspace, channel } = row;
  const parts = context.kind.post.split(content, listSentPlatforms(row));
  const isWhole = parts.some(({ item }) => item === 0);
  const newSubmissions = await createRows(
    context.submissions.context,
    context.kind,
    parts.map((part) => ({
      ...{ workspace, author: authority, origin: row.id, item: part.item, content: part.content },
      ...(channel !== null && { channel }),
    })),
    { isPostStored: true },
  );
  await context.pace.onCrashPoint?.('before-hand-over');
  return commitUnlessChanged(context, async (trx) => {
    if (await findSendingStop(trx, row)) throw new ChangedMeanwhile();
    if (!(await isStillApproved(trx, row, approval))) throw new ChangedMeanwhile();
    const saved: SavedRow[] = [];
    // In the order of their locks, so that posts with the same parts don't wait for each other.
    for (const newSubmission of newSubmissions.toSorted(compareLocks))
      saved.push(
        await saveNextRevision(
          trx,
          // Two equal held posts were compared when they were stored, so this one is sent whatever else is.
          { ...newSubmission, maybe_sent: row.maybe_sent, equalSince: undefined },
          context.clock.readShared(),
        ),
      );
    const next_at = addMs(context.clock.readShared(), context.pace.outcomeCheckMs);
    const change = {
      ...{ submission: saved[0]?.row.id ?? row.submission, next_at, checks: 0 },
      sent_to: isWhole ? null : (row.sent_to ?? ''),
    };
    const handedOver = await context.verbs.settle(row, 'handed-over', change, { transaction: trx });
    if (!handedOver) throw new ChangedMeanwhile();
    if (saved.some(({ isInserted }) => !isInserted))
      throw new Error('a held post has a submission that it can’t replace');
    await addEvent(trx, handedOver, { kind: 'handed-over', actor: '', at: context.clock.now() });
    return saved.map((submission) => submission.row);
  });
}

/** Makes the first attempts at once. After a crash or an error, the poll of submissions continues. */
async function sendNow(context: HeldPostContext, submissions: readonly SubmissionRow[]): Promise<void> {
  await context.pace.onCrashPoint?.('after-hand-over');
  const attempts = submissions.map((submission) =>
    makeFirstAttempt(context.submissions.context, submission, { probe: 'when-due' }),
  );
  // After one has failed, the others are still being sent.
  const results = await Promise.allSettled(attempts);
  const [first] = submissions;
  const sent = first && (await findSubmission(context.db, first));
  if (sent) await takeOutcome(context, sent);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/**
 * Before a planned downtime, makes due now what would be handed over until its end. Running instances then hand the posts
 * over, with all checks. Posts in review wait for their approval. An instance that is handing a post over at the same time
 * loses its claim.
 */
export async function makeHandOversDueUntil(
  db: Kysely<HeldPostTables>,
  { until, now }: { until: Date; now: Date },
): Promise<{ handedOver: number; inReview: number }> {
  const makeDue = db
    .updateTable('held_post')
    .set({
      hand_over_at: sql<Date>`least(hand_over_at, ${now})`,
      next_at: sql<Date>`clock_timestamp()`,
      ...END_CLAIM,
    })
    .where('state', '=', 'held')
    .where('hand_over_at', '<=', until);
  const result = await repeatAfterDeadlock(() => makeDue.executeTakeFirst());
  const { inReview } = await db
    .selectFrom('held_post')
    .select((row) => row.fn.countAll<number>().as('inReview'))
    .where('state', '=', 'awaiting-review')
    .where('hand_over_at', '<=', until)
    .executeTakeFirstOrThrow();
  return { handedOver: Number(result.numUpdatedRows), inReview: Number(inReview) };
}
