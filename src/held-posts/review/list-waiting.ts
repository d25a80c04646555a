import { mapLimited } from '../../api/map-limited.ts';
import type { Actor } from '../../slack/actor.ts';
import type { HeldPostRow } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { listHeldPosts } from '../sql/held-posts.ts';
import { isInReview } from './decide.ts';
import { checkDecision } from './evaluate-review.ts';
import { loadReview } from './load-review.ts';

/** Maximum number of posts that are checked, and at the same time. Home is refreshed often, so it must be fast. */
const [MAX_CHECKED, MAX_CONCURRENT] = [30, 4];

/** Lists the posts that wait for a person's review, by publishing time. */
export async function listWaitingReviews(
  context: HeldPostContext,
  { workspace, user }: Actor,
): Promise<HeldPostRow[]> {
  const rows = await listHeldPosts(context.db, { workspace, states: ['awaiting-review', 'needs-person'] });
  const candidates = rows.filter((row) => isInReview(row) && row.author !== user).slice(0, MAX_CHECKED);
  const waiting = await mapLimited(candidates, MAX_CONCURRENT, async (row) => {
    const review = await loadReview(context, row, { users: [user] });
    return checkDecision(review, user).kind === 'may' ? [row] : [];
  });
  return waiting.flat();
}
