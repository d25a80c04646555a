import { findPolicy } from '../preferences/project-policy.ts';
import { type ChangeResult, changeHeldPost, findStateOfContent, type Press } from './change.ts';
import type { HeldPostRow } from './held-post.ts';
import { type HeldPostContext, readHeldContent } from './held-post-context.ts';
import { listEvents } from './sql/events.ts';

/** Restores a cancelled post, with [Undo]. A post whose time has passed waits for a person. */
export function restoreCancelledPost(context: HeldPostContext, press: Press): Promise<ChangeResult> {
  return changeHeldPost(
    context,
    press,
    async (row) => {
      const policy = await findPolicy(context.db, row);
      const inReview = row.in_review || policy.review === 'required';
      // A post that was approved before is still approved, because its content is the same.
      const decision = await findReviewersDecision(context, row);
      if (decision) return { to: 'draft', reason: decision, event: 'restored' };
      const state = findState(context, row, inReview && row.approver === null);
      return {
        to: state,
        ...(state === 'needs-person' && { reason: 'overdue' as const }),
        columns: { in_review: inReview },
        event: 'restored',
      };
    },
    ['cancelled'],
  );
}

/** The decision with which a reviewer returned the post as a draft, if nothing happened since but its cancellation. */
async function findReviewersDecision(context: HeldPostContext, row: HeldPostRow) {
  const events = await listEvents(context.db, row);
  const last = events.findLast(({ kind }) => kind !== 'cancelled' && kind !== 'commented')?.kind;
  return last === 'changes-requested' || last === 'rejected' ? last : undefined;
}

function findState(context: HeldPostContext, row: HeldPostRow, inReview: boolean) {
  const held = readHeldContent(context, row);
  if (!held) throw new Error('the content of a cancelled post is unreadable');
  const state = findStateOfContent(context, held.content, inReview);
  return state !== 'draft' && row.publish_at && row.publish_at <= context.now() ? 'needs-person' : state;
}
