import type { ApiClient } from '../api/client.ts';
import { listAllPosts } from '../api/list-all-posts.ts';
import type { Outcome } from '../api/outcome.ts';
import type { Post } from '../api/posts.ts';

/** Posts read for one list. Our own limit, since people don't read longer lists. */
export const MAX_READ_POSTS = 500;

/** A filter for posts. `from` and `to` are inclusive. An empty list of platforms or statuses means all. */
export interface PostListFilter {
  projectId: string;
  from?: Date | undefined;
  to?: Date | undefined;
  platforms: readonly string[];
  statuses: readonly string[];
}

/** The matching posts, in the order of the service. */
export interface PostList {
  kind: 'read';
  posts: readonly Post[];
  unreadableCount: number;
  isTruncated: boolean;
}

/** Reads up to MAX_READ_POSTS posts. Applies the filter again, because the service may ignore parts of it. */
export async function readPostList(
  api: ApiClient,
  filter: PostListFilter,
): Promise<
  PostList | { kind: 'failed'; failure: Exclude<Outcome<unknown>, { kind: 'done' }> | 'unreadable' }
> {
  const outcome = await listAllPosts(
    api,
    {
      projectId: filter.projectId,
      scheduledFrom: filter.from,
      scheduledTo: filter.to,
      platforms: filter.platforms,
      status: filter.statuses,
    },
    { maxPosts: MAX_READ_POSTS, readsAtOnce: true },
  );
  if (outcome.kind !== 'done') {
    const isUnreadable = outcome.kind === 'unknown' && outcome.cause === 'unreadable-response';
    return { kind: 'failed', failure: isUnreadable ? 'unreadable' : outcome };
  }
  const { items, unreadableCount, isComplete } = outcome.data;
  return {
    kind: 'read',
    posts: items.slice(0, MAX_READ_POSTS).filter((post) => matchesListFilter(post, filter)),
    unreadableCount,
    isTruncated: !isComplete,
  };
}

/** Whether a post passes the filter. A post with an unreadable field passes the filter for this field. */
export function matchesListFilter(
  post: Post,
  { from, to, platforms, statuses }: Omit<PostListFilter, 'projectId'>,
): boolean {
  const { status, scheduleDate, unreadableFields: unread = [] } = post;
  const hasStatus = statuses.length === 0 || status === undefined || statuses.includes(status);
  const hasPlatform =
    platforms.length === 0 ||
    unread.includes('Platforms') ||
    post.platforms.some((platform) => platforms.includes(platform));
  if (!hasStatus || !hasPlatform) return false;
  if (from === undefined && to === undefined) return true;
  if (scheduleDate === undefined) return unread.includes('ScheduleDate');
  return (from === undefined || scheduleDate >= from) && (to === undefined || scheduleDate <= to);
}
