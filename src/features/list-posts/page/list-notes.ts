import type { KnownBlock } from '@slack/types';
import { MAX_READ_POSTS } from '../../../posts/read-post-list.ts';
import { context } from '../../../slack/blocks.ts';
import { renderReadFailure } from '../../../slack/service-failure.ts';
import type { PostFilter } from '../filter/post-filter.ts';
import type { FoundPosts } from './read-list.ts';

/** Renders the restriction of a number that may lack posts. '' for a complete list, and after "More than". */
export function renderIncompleteness({ isTruncated, unreadableCount, dated, undated }: FoundPosts): string {
  const hasExactCount = isTruncated && dated.length + undated.length < MAX_READ_POSTS;
  return hasExactCount || (unreadableCount > 0 && dated.length + undated.length === 0)
    ? ', among those I can read'
    : '';
}

/** Renders the notes below a list: which posts it may lack, and why. */
export function renderNotes(posts: FoundPosts, filter: PostFilter): KnownBlock[] {
  const { unreadableCount, isTruncated, failure, dated, undated } = posts;
  const hasReadMaximum = dated.length + undated.length >= MAX_READ_POSTS;
  const notes = [
    ...(failure
      ? [`I couldn’t load the service’s posts, so there may be more. ${renderReadFailure(failure)}`]
      : []),
    ...(posts.omitsUnsentPostsOfOthers
      ? ['Other people’s posts are included once the service has them.']
      : []),
    ...(isTruncated
      ? [
          hasReadMaximum
            ? `There are more posts than I can read, so I show some of the first ${MAX_READ_POSTS}. Narrow them down with *Filter*.`
            : 'There may be more posts than I could read. Narrow them down with *Filter*.',
        ]
      : []),
    ...(unreadableCount > 0 ? [`${unreadableCount} more couldn’t be read.`] : []),
    ...(filter.isMineOnly || filter.author !== undefined
      ? ['Posts made outside Slack aren’t included.']
      : []),
  ];
  return notes.length === 0 ? [] : [context(...notes)];
}
