import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { listPosts, type Post } from '../api/posts.ts';
import type { Records } from '../api/records.ts';

/** Posts per call. The default of the API. */
const PAGE_SIZE = 100;
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
  /** Number of unreadable records. */
  unreadableCount: number;
  /** Whether the service has more posts. */
  isTruncated: boolean;
}

type FailedOutcome = Exclude<Outcome<unknown>, { kind: 'done' }>;

/** Reads up to MAX_READ_POSTS posts. Applies the filter again, because the service may ignore parts of it. */
export async function readPostList(
  api: ApiClient,
  filter: PostListFilter,
): Promise<PostList | { kind: 'failed'; failure: FailedOutcome | 'unreadable' }> {
  const readPage = (skip: number, limit: number) =>
    listPosts(api, {
      projectId: filter.projectId,
      scheduledFrom: filter.from,
      scheduledTo: filter.to,
      platforms: filter.platforms,
      status: filter.statuses,
      skip,
      limit,
    });
  const firstPage = await readPage(0, PAGE_SIZE);
  if (firstPage.kind !== 'done') return { kind: 'failed', failure: firstPage };
  const isFull = countRecords(firstPage.data) === PAGE_SIZE;
  // Read all other pages at once, since six calls in sequence would take too long. The last call reads one post, to
  // find out whether there are more.
  const offsets = isFull
    ? Array.from({ length: MAX_READ_POSTS / PAGE_SIZE }, (_, index) => (index + 1) * PAGE_SIZE)
    : [];
  const otherPages = await Promise.all(
    offsets.map((skip) => readPage(skip, skip < MAX_READ_POSTS ? PAGE_SIZE : 1)),
  );
  const pages: Records<Post>[] = [];
  for (const outcome of [firstPage, ...otherPages]) {
    if (outcome.kind !== 'done') return { kind: 'failed', failure: outcome };
    if (!outcome.data.isReadable) return { kind: 'failed', failure: 'unreadable' };
    pages.push(outcome.data);
  }
  return mergePages(pages, filter);
}

function countRecords({ items, unreadableCount }: Records<Post>): number {
  return items.length + unreadableCount;
}

function mergePages(pages: readonly Records<Post>[], filter: PostListFilter): PostList {
  const posts = dropDuplicates(pages.flatMap(({ items }) => items));
  return {
    kind: 'read',
    posts: posts.slice(0, MAX_READ_POSTS).filter((post) => matchesListFilter(post, filter)),
    unreadableCount: pages.reduce((sum, { unreadableCount }) => sum + unreadableCount, 0),
    // A page may be longer than requested, or may have been truncated by the size limit.
    isTruncated: posts.length > MAX_READ_POSTS || pages.some(({ isTruncated }) => isTruncated),
  };
}

/** Drops repeated posts. A post is on two pages if another post was created or deleted between the calls. */
function dropDuplicates(posts: readonly Post[]): Post[] {
  const seen = new Set<string>();
  return posts.filter(({ id }) => {
    if (id === undefined) return true;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

/** Whether a post passes the filter. A post with an unreadable field passes the filter for this field. */
export function matchesListFilter(
  post: Post,
  { from, to, platforms, statuses }: Omit<PostListFilter, 'projectId'>,
): boolean {
  const { status, scheduleDate, unreadableFields: unread = [] } = post;
  const hasStatus = statuses.length === 0 || status === undefined || statuses.includes(status.toUpperCase());
  const hasPlatform =
    platforms.length === 0 ||
    unread.includes('Platforms') ||
    post.platforms.some((platform) => platforms.includes(platform.toUpperCase()));
  if (!hasStatus || !hasPlatform) return false;
  if (from === undefined && to === undefined) return true;
  if (scheduleDate === undefined) return unread.includes('ScheduleDate');
  return (from === undefined || scheduleDate >= from) && (to === undefined || scheduleDate <= to);
}
