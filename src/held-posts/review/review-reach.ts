import type { KnownBlock } from '@slack/types';
import { renderShortTime, type Viewers } from '../../posts/post-time.ts';
import { type ProjectPolicy, reviewsSeriesOnce } from '../../preferences/project-policy.ts';
import { context } from '../../slack/blocks.ts';
import { joinWithAnd, renderCount } from '../../words.ts';
import type { HeldPostRow } from '../held-post.ts';
import { type HeldPostContext, readHeldPost } from '../held-post-context.ts';
import { isDecidable } from './decide.ts';
import { listReachedPosts } from './review-once.ts';

/** The other posts for which an approval counts. */
export interface ReviewReach {
  times: readonly { instant: Date; zone: string | undefined }[];
}

/** Finds out which other posts of its series a decision about a post is for. Undefined if it is for this post alone. */
export async function readReviewReach(
  heldPosts: HeldPostContext,
  row: HeldPostRow,
  policy: ProjectPolicy,
): Promise<ReviewReach | undefined> {
  if (row.series === null || !reviewsSeriesOnce(policy) || !isDecidable(row)) return undefined;
  const reached = await listReachedPosts(heldPosts, row, policy);
  const zone = readHeldPost(heldPosts, row)?.timezone;
  return { times: reached.flatMap(({ publish_at: instant }) => (instant ? [{ instant, zone }] : [])) };
}

/** Maximum other posts that are named. Their times are in order. */
const MAX_NAMED_TIMES = 3;

/** Says for which other posts an approval counts (mrkdwn). */
export function renderReviewReach(
  { times }: ReviewReach,
  { viewers, now }: { viewers: Viewers; now: Date },
): KnownBlock {
  const named = times.slice(0, MAX_NAMED_TIMES).map((time) => renderShortTime(time, viewers, now));
  const hiddenCount = times.length - named.length;
  const names = joinWithAnd([...named, ...(hiddenCount > 0 ? [`${hiddenCount} more`] : [])]);
  const others =
    times.length === 0
      ? 'the later posts of its series with this text'
      : `${renderCount(times.length, 'other post', 'other posts')} of its series with this text (${names}), and those that I make later`;
  return context(`An approval also counts for ${others}.`);
}
