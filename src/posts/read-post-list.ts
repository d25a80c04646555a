import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { listPosts, type Post } from '../api/posts.ts';
import type { Records } from '../api/records.ts';

/** Posts per call. The service's default page size. */
const PAGE_SIZE = 100;
/** Posts that are read for one view. People don't look through more. */
export const MAX_READ_POSTS = 500;

/** A filter for posts. The bounds are inclusive; an empty list means all. */
interface Wanted {
  projectId: string;
  from?: Date | undefined;
  to?: Date | undefined;
  platforms: readonly string[];
  statuses: readonly string[];
}

/** The posts that match, in the order of the service. */
export interface PostsRead {
  kind: 'read';
  posts: readonly Post[];
  /** Number of records that couldn't be read as posts. */
  unreadable: number;
  /** The service has more posts. */
  isTruncated: boolean;
}

type Failed = Exclude<Outcome<unknown>, { kind: 'done' }>;

/** Reads up to MAX_READ_POSTS posts. Applies the filter again, because the service may ignore parts of it. */
export async function readPostList(
  api: ApiClient,
  wanted: Wanted,
): Promise<PostsRead | { kind: 'trouble'; trouble: Failed | 'unreadable' }> {
  const page = (skip: number, limit: number) =>
    listPosts(api, {
      projectId: wanted.projectId,
      scheduledFrom: wanted.from,
      scheduledTo: wanted.to,
      platforms: wanted.platforms,
      status: wanted.statuses,
      skip,
      limit,
    });
  const first = await page(0, PAGE_SIZE);
  if (first.kind !== 'done') return { kind: 'trouble', trouble: first };
  const isFull = countRecords(first.data) === PAGE_SIZE;
  // All other pages at once: in sequence they would take as long as six responses. The last call finds out if there is
  // more.
  const starts = isFull
    ? Array.from({ length: MAX_READ_POSTS / PAGE_SIZE }, (_, index) => (index + 1) * PAGE_SIZE)
    : [];
  const others = await Promise.all(starts.map((skip) => page(skip, skip < MAX_READ_POSTS ? PAGE_SIZE : 1)));
  const pages: Records<Post>[] = [];
  for (const outcome of [first, ...others]) {
    if (outcome.kind !== 'done') return { kind: 'trouble', trouble: outcome };
    if (outcome.data.shape === 'unreadable') return { kind: 'trouble', trouble: 'unreadable' };
    pages.push(outcome.data);
  }
  return mergePages(pages, wanted);
}

function countRecords({ items, unreadable }: Records<Post>): number {
  return items.length + unreadable;
}

function mergePages(pages: readonly Records<Post>[], wanted: Wanted): PostsRead {
  const all = dropDuplicates(pages.flatMap(({ items }) => items));
  return {
    kind: 'read',
    posts: all.slice(0, MAX_READ_POSTS).filter((post) => isWanted(post, wanted)),
    unreadable: pages.reduce((sum, { unreadable }) => sum + unreadable, 0),
    // A page may be longer than requested, or may have been truncated by the size limit.
    isTruncated: all.length > MAX_READ_POSTS || pages.some(({ isTruncated }) => isTruncated),
  };
}

/** A post is on two pages if another was created or removed between the calls. */
function dropDuplicates(posts: readonly Post[]): Post[] {
  const seen = new Set<string>();
  return posts.filter(({ id }) => {
    if (id === undefined) return true;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

/**
 * Whether a post passes the filter. Posts whose filtered field is unreadable stay in the list, marked as unreadable.
 */
function isWanted(post: Post, { from, to, platforms, statuses }: Wanted): boolean {
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
