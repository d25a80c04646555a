import type { Kysely } from 'kysely';
import type { Permission } from '../../access/access.ts';
import { findPolicy, type ProjectPolicy, requiresReview } from '../../preferences/project-policy.ts';
import type { HeldPostRow, HeldPostTables } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { listEvents } from '../sql/events.ts';
import { evaluateReview } from './evaluate-review.ts';
import { type LoadedReview, loadReview } from './load-review.ts';

/** Whether a post may be handed over as far as its review is concerned. */
export interface ApprovalCheck {
  answer: Permission;
  /** What the answer depends on, for `isStillApproved`; undefined if the post needs no approval, or has none. */
  review: LoadedReview | undefined;
}

const ANSWERS = { approved: 'yes', pending: 'no', unknown: 'unknown' } as const;

/**
 * Checks the approvals that a post needs under its project's present policy. Asks Slack whether the people who approved
 * may still do so.
 */
export async function checkApproval(context: HeldPostContext, row: HeldPostRow): Promise<ApprovalCheck> {
  if (!needsApproval(row, await findPolicy(context.db, row))) return { answer: 'yes', review: undefined };
  // Nobody has been asked to approve a post that wasn't in review.
  if (!row.in_review) return { answer: 'no', review: undefined };
  const review = await loadReview(context, row);
  return { answer: ANSWERS[evaluateReview(review).kind], review };
}

/** Whether a post goes out only with an approval, under its project's present policy. */
export function needsApproval(
  { in_review: inReview, state }: Pick<HeldPostRow, 'in_review' | 'state'>,
  policy: Pick<ProjectPolicy, 'leadMinutes' | 'review'>,
): boolean {
  // An approved post of a project that has switched its reviews off goes over as planned.
  const wasApproved = state === 'held' || state === 'handed-over';
  return requiresReview(policy) || (inReview && !(wasApproved && policy.review === 'off'));
}

/**
 * Checks within the transaction of a hand-over that a post is still approved: with its stored content and history, and
 * the policy for which `checkApproval` asked who may approve.
 */
export async function isStillApproved(
  db: Kysely<HeldPostTables>,
  row: HeldPostRow,
  { review }: ApprovalCheck,
): Promise<boolean> {
  if (!needsApproval(row, await findPolicy(db, row))) return true;
  if (!review || !(await isPolicyUnchanged(db, review))) return false;
  const facts = { ...review, post: row, events: await listEvents(db, row) };
  return evaluateReview(facts).kind === 'approved';
}

/** Whether a project's policy still has the approvers for whom the review was loaded. */
export async function isPolicyUnchanged(db: Kysely<HeldPostTables>, review: LoadedReview): Promise<boolean> {
  const current = await findPolicy(db, review.post);
  const [before, now] = [review.policy, current].map(({ reviewSteps, standIns }) =>
    JSON.stringify([reviewSteps, standIns]),
  );
  return before === now;
}
