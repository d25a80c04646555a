import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { commitWithEntry } from '../access/access.ts';
import { requestNotification } from '../engine/sql/notifications.ts';
import { findPolicy, requiresReview } from '../preferences/project-policy.ts';
import { within } from '../promises.ts';
import {
  type ChangeResult,
  changeContent,
  changeHeldPost,
  moveContent,
  type NewTime,
  type Press,
  prepareEventEntry,
  type VersionedPress,
} from './change.ts';
import type { EventKind } from './event-kinds.ts';
import { getOverdueReason, type HeldPostRow } from './held-post.ts';
import {
  encryptJson,
  findStateOfContent,
  type HeldPostContext,
  readHeldContent,
} from './held-post-context.ts';
import { checkApproval } from './review/load-review.ts';
import { addEvent, listEvents } from './sql/events.ts';
import { findHeldPost } from './sql/held-posts.ts';

/**
 * The state of a post that continues, or the question to its people if its time has passed. The project's present policy
 * decides whether it needs a review. If it was approved before, it still is, because its content is the same.
 */
async function findContinuedState(context: HeldPostContext, row: HeldPostRow) {
  const held = readHeldContent(context, row);
  if (!held) throw new Error('the content of a held post is unreadable');
  const in_review = row.in_review || requiresReview(await findPolicy(context.db, row));
  const state = findStateOfContent(context, held.content, in_review);
  // "Could not find out" isn't a no: the hand-over asks again.
  const isApproved = state === 'awaiting-review' && (await checkApproval(context, row)).answer !== 'no';
  const columns = { in_review, ...(in_review && !isApproved && { approver: null }) };
  if (state !== 'draft' && row.publish_at && row.publish_at <= context.clock.now())
    return { to: 'needs-person', reason: getOverdueReason(row), columns } as const;
  return { to: isApproved ? 'held' : state, columns } as const;
}

/** Somebody who isn't the author may carry the hand-over of a post without a review. It is checked again then. */
function findAuthority(row: HeldPostRow, actor: string): Pick<HeldPostRow, 'approver'> | undefined {
  return row.in_review || row.author === actor ? undefined : { approver: actor };
}

/**
 * Makes a held post due at once. The caller starts the hand-over with `wake`. The result is `too-late` if the post is due
 * already, for example after the press of somebody else.
 */
export function makeHandOverDue(context: HeldPostContext, press: VersionedPress): Promise<ChangeResult> {
  return changeHeldPost(
    context,
    press,
    (row) => {
      const now = context.clock.now();
      if (row.hand_over_at && row.hand_over_at <= now) return { kind: 'too-late', row } as const;
      const columns = { hand_over_at: now, ...findAuthority(row, press.actor) };
      return { to: 'held', columns, event: 'hurried' };
    },
    ['held'],
  );
}

const REREAD_MS = 100;

/** Waits for the outcome of a post whose hand-over is due, for at most `maxMs`. Returns other posts at once. */
export async function waitForOutcome(
  { db, clock, pace }: HeldPostContext,
  dueRow: HeldPostRow,
  maxMs = pace.handOverWaitMs,
): Promise<HeldPostRow> {
  const start = performance.now();
  const getRemainingMs = () => start + maxMs - performance.now();
  let row = dueRow;
  while (getRemainingMs() > 0) {
    const { state, reason, hand_over_at: handOverAt } = row;
    const isDue = handOverAt !== null && handOverAt <= clock.now();
    const isWaiting = state === 'handed-over' || (state === 'held' && reason === null && isDue);
    if (!isWaiting) break;
    await delay(Math.min(REREAD_MS, getRemainingMs()));
    row = (await within(Math.max(0, getRemainingMs()), findHeldPost(db, row))) ?? row;
  }
  return row;
}

/** Makes a person the author of a post that nobody may schedule any more. */
export async function takeOver(context: HeldPostContext, press: VersionedPress): Promise<ChangeResult> {
  return changeHeldPost(
    context,
    press,
    async (row) => {
      // The approvals have to be enough with the new author, who can't approve the post.
      const { columns, ...continued } = await findContinuedState(context, { ...row, author: press.actor });
      return {
        ...continued,
        columns: { ...columns, author: press.actor, approver: null },
        event: 'taken-over',
      };
    },
    ['needs-person'],
  );
}

/** Continues with a post that waits for a person, if its project's service is connected. */
export function scheduleAgain(context: HeldPostContext, press: VersionedPress): Promise<ChangeResult> {
  return changeHeldPost(
    context,
    press,
    async (row) => {
      if (!(await isConnected(context, row))) return { kind: 'not-connected', row } as const;
      const { columns, ...continued } = await findContinuedState(context, row);
      const authority = findAuthority({ ...row, ...columns }, press.actor);
      return { ...continued, columns: { ...columns, ...authority }, event: 'scheduled' };
    },
    ['needs-person'],
  );
}

/** Whether the service of a post's project is connected. False also if that couldn't be found out. */
async function isConnected(
  { submissions }: HeldPostContext,
  { workspace, project }: HeldPostRow,
): Promise<boolean> {
  const client = submissions.context.findApiClient(workspace, project);
  return (await client.catch(() => undefined)) !== undefined;
}

/**
 * Goes on with a post that stands still because of another service, now that its project's is back. One whose time has
 * passed meanwhile keeps its question.
 */
export function continueHeldPost(context: HeldPostContext, press: VersionedPress): Promise<ChangeResult> {
  return changeHeldPost(
    context,
    press,
    async (row) => {
      const isBack = row.reason === 'other-service' && (await isConnected(context, row));
      const hasPassed = row.publish_at !== null && row.publish_at <= context.clock.now();
      if (!isBack || hasPassed || !readHeldContent(context, row)) return { kind: 'too-late', row } as const;
      return { ...(await findContinuedState(context, row)), event: 'restored' };
    },
    ['needs-person'],
  );
}

/** Restores a cancelled post, with [Undo]. A post whose time has passed waits for a person. */
export function restoreCancelledPost(context: HeldPostContext, press: Press): Promise<ChangeResult> {
  return changeHeldPost(
    context,
    press,
    async (row) => {
      const decision = await findReviewersDecision(context, row);
      if (decision) return { to: 'draft', reason: decision, event: 'restored' };
      return { ...(await findContinuedState(context, row)), event: 'restored' };
    },
    ['cancelled'],
  );
}

/** The events after which a draft that a reviewer returned is still one. */
const KEEPS_DECISION: readonly EventKind[] = [
  'moved',
  'approval-voided',
  'commented',
  'cancelled',
  'restored',
];

/** The decision with which a reviewer returned the post as a draft, if it was one when it was cancelled. */
async function findReviewersDecision(context: HeldPostContext, row: HeldPostRow) {
  const events = await listEvents(context.db, row);
  const last = events.findLast(({ kind }) => !KEEPS_DECISION.includes(kind))?.kind;
  return last === 'changes-requested' || last === 'rejected' ? last : undefined;
}

export async function scheduleDraft(context: HeldPostContext, press: VersionedPress): Promise<ChangeResult> {
  return changeContent(context, press, 'scheduled', (content) => context.kind.post.setDraft(content, false));
}

/** Moves a post to another time, or to the first free slot from a time on. `isScheduled`: a draft is scheduled too. */
export async function moveHeldPost(
  context: HeldPostContext,
  press: VersionedPress,
  { isScheduled, ...time }: NewTime & { isScheduled: boolean },
): Promise<ChangeResult> {
  return changeContent(context, press, isScheduled ? 'scheduled' : 'moved', (content) => {
    const moved = moveContent(context, content, time);
    return isScheduled ? context.kind.post.setDraft(moved, false) : moved;
  });
}

/**
 * Adds a comment to the history of a post, with its notification. Comments with the same `eventId` are added
 * once. Resolves with undefined if the post isn't stored any more.
 */
export async function commentOnHeldPost(
  context: HeldPostContext,
  press: Press,
  text: string,
  eventId?: string,
): Promise<HeldPostRow | undefined> {
  const row = await findHeldPost(context.db, press);
  if (!row || row.content === null) return undefined;
  const content = encryptJson(context, row.workspace, text);
  const notifyAt = context.clock.readShared();
  await commitWithEntry(context.db, prepareEventEntry(press, 'commented', row), async (trx) => {
    const id = eventId === undefined ? {} : { id: eventId };
    const event = { ...id, kind: 'commented', actor: press.actor, at: context.clock.now(), content } as const;
    if (!(await addEvent(trx, row, event))) return undefined;
    await requestNotification(trx, 'held_post', { ...row, notifyAt });
    return event;
  });
  context.verbs.wake();
  return row;
}
