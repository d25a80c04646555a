import { findPolicy } from '../../preferences/project-policy.ts';
import { type ChangeResult, changeHeldPost, type Press } from '../change.ts';
import type { HeldPostRow } from '../held-post.ts';
import { createContentColumns, type HeldPostContext, readHeldContent } from '../held-post-context.ts';
import { findHeldPost } from '../sql/held-posts.ts';
import { isNobodyLeft } from './evaluate-review.ts';
import { loadReview } from './load-review.ts';

/**
 * `no-review`: the project has no reviews. `nobody`: everybody who could approve the post has written or edited it.
 * `no-time`, `overdue`: the post has no time to come.
 */
type SendRefusal = 'no-review' | 'nobody' | 'no-time' | 'overdue';

/** The result of [Send for review]. Nothing but `changed` has changed anything. */
type SendResult = ChangeResult | { kind: 'may-not'; reason: SendRefusal; row: HeldPostRow };

/** Sends a draft or a held post to its project's reviewers. A draft then counts as scheduled, if they approve it. */
export async function sendForReview(context: HeldPostContext, press: Press): Promise<SendResult> {
  const row = await findHeldPost(context.db, press);
  if (!row) return { kind: 'not-found' };
  const policy = await findPolicy(context.db, row);
  const held = readHeldContent(context, row);
  if (!held) return { kind: 'too-late', row };
  const refuse = (reason: SendRefusal) => ({ kind: 'may-not', reason, row }) as const;
  if (policy.review === 'off' || policy.reviewSteps.length === 0) return refuse('no-review');
  if (!row.publish_at) return refuse('no-time');
  if (row.publish_at <= context.clock.now()) return refuse('overdue');
  if (isNobodyLeft(await loadReview(context, row, { listsEverybody: true }))) return refuse('nobody');
  const { holding } = context.kind;
  return changeHeldPost(
    context,
    { ...press, version: press.version ?? row.version },
    async () => ({
      to: 'awaiting-review',
      event: 'sent-for-review',
      columns: {
        in_review: true,
        approver: null,
        ...(holding.isDraft(held.content) && {
          ...(await createContentColumns(
            context,
            row.workspace,
            holding.setDraft(held.content, false),
            policy,
          )),
          version: row.version + 1,
        }),
      },
    }),
    ['draft', 'held', 'needs-person'],
  );
}
