import type { Call } from '../../app/call.ts';
import { listWaitingReviews } from '../../held-posts/review/list-waiting.ts';
import { readShownPost } from '../../held-posts/show.ts';
import { buildReviewValue } from '../../held-posts/text/held-post-buttons.ts';
import { getHeldPostStatus } from '../../held-posts/text/held-post-copy.ts';
import type { CardPost } from '../../posts/post-text.ts';

/** Maximum number of posts with a button. The list of posts has all. */
const MAX_SHOWN = 5;

/** The posts that wait for the viewer's review. */
export interface WaitingReviews {
  count: number;
  /** The first ones, by publishing time. */
  shown: readonly { value: string; post: CardPost; project: string; author: string }[];
}

export async function loadWaitingReviews({
  context,
  actor,
}: Pick<Call, 'context' | 'actor'>): Promise<WaitingReviews> {
  const { context: heldContext } = context.heldPosts;
  const rows = await listWaitingReviews(heldContext, actor);
  const shown = await Promise.all(
    rows.slice(0, MAX_SHOWN).map(async (row) => {
      const { post = { platforms: [] }, project } = await readShownPost(heldContext, row);
      const status = getHeldPostStatus(row);
      return { value: buildReviewValue(row), post: { ...post, status }, project, author: row.author };
    }),
  );
  return { count: rows.length, shown };
}
