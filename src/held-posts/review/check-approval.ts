import type { Kysely } from 'kysely';
import type { Permission } from '../../access/access.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import type { HeldPostRow, HeldPostTables } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { listEvents } from '../sql/events.ts';
import { evaluateReview } from './evaluate-review.ts';
import { type LoadedReview, loadReview } from './load-review.ts';

/** Whether a post may be handed over as far as its review is concerned. A post without a review may. */
export interface ApprovalCheck {
  answer: Permission;
  /** What the answer depends on, for `isStillApproved`; undefined for a post without a review. */
  review: LoadedReview | undefined;
}

const ANSWERS = { approved: 'yes', pending: 'no', unknown: 'unknown' } as const;

/** Checks the approvals of a post. Asks Slack whether the people who approved may still do so. */
export async function checkApproval(context: HeldPostContext, row: HeldPostRow): Promise<ApprovalCheck> {
  if (!row.in_review) return { answer: 'yes', review: undefined };
  const review = await loadReview(context, row);
  return { answer: ANSWERS[evaluateReview(review).kind], review };
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
  if (!row.in_review) return true;
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
