import type { KnownBlock } from '@slack/types';
import { REVIEW_ACTIONS } from '../../held-posts/text/held-post-buttons.ts';
import { renderPostRow } from '../../posts/post-card.ts';
import { renderExcerpt } from '../../posts/post-text.ts';
import { addAccessibilityLabel, button, divider, header, section } from '../../slack/blocks.ts';
import type { HomeContent } from './load-home.ts';
import { RUN_COMMAND_ACTION } from './render-home-posts.ts';

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
