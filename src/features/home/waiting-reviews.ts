import type { KnownBlock } from '@slack/types';
import { listWaitingReviews } from '../../held-posts/review/list-waiting.ts';
import { buildReviewValue, REVIEW_ACTIONS } from '../../held-posts/review/review-buttons.ts';
import { readShownPost } from '../../held-posts/show.ts';
import { getHeldPostStatus } from '../../held-posts/text/held-status.ts';
import { renderPostRow } from '../../posts/post-card.ts';
import { type CardPost, renderExcerpt } from '../../posts/post-text.ts';
import { addAccessibilityLabel, button, divider, header, section } from '../../slack/blocks.ts';
import type { HomeCall, HomeContent } from './load-home.ts';
import { RUN_COMMAND_ACTION } from './render-home-posts.ts';

/** Maximum number of posts with a button. The list of posts has all. */
const MAX_SHOWN = 5;

/** The posts that wait for the viewer's review. */
export interface WaitingReviews {
  count: number;
  /** The first ones, by publishing time. */
  shown: readonly { value: string; post: CardPost; project: string; author: string }[];
}

export async function loadWaitingReviews({ context, actor }: HomeCall): Promise<WaitingReviews> {
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

/** Renders the posts that wait for the viewer's review, before everything else. */
export function renderWaitingReviews({
  reviews,
  ...viewerTime
}: Pick<HomeContent, 'reviews' | 'now' | 'zone' | 'locale'>): KnownBlock[] {
  const { count, shown } = reviews;
  if (count === 0) return [];
  const rows = shown.map(({ value, post, project, author }) =>
    renderPostRow({
      post,
      project,
      author: { id: author },
      viewers: viewerTime,
      now: viewerTime.now,
      accessory: addAccessibilityLabel(
        button('Review', REVIEW_ACTIONS.open, value, 'primary'),
        `Review: ${renderExcerpt(post)}`,
      ),
    }),
  );
  const hiddenCount = count - shown.length;
  return [
    header('Waiting for your review'),
    ...rows,
    ...(hiddenCount > 0
      ? [
          {
            ...section(`…and ${hiddenCount} more.`),
            accessory: button('Show all', RUN_COMMAND_ACTION, '/upnext posts in review'),
          },
        ]
      : []),
    divider(),
  ];
}
