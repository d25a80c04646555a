import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { listPosts, type Post } from '../api/posts.ts';
import type { Records } from '../api/records.ts';

/** The service's default, and the most that is asked for in one call. */
const PAGE = 100;
/** As many as one view is made of: more are not looked through by a person. */
export const MOST_READ = 500;

/** Which posts are wanted; bounds are inclusive, an empty list is all. */
interface Wanted {
  projectId: string;
  from?: Date | undefined;
  to?: Date | undefined;
  platforms: readonly string[];
  statuses: readonly string[];
}

/** What was read, in the service's own order. */
export interface PostsRead {
  kind: 'read';
  posts: readonly Post[];
  /** Records that are no posts that can be read. */
  unreadable: number;
  /** The service has others besides. */
  isTruncated: boolean;
}

type Failed = Exclude<Outcome<unknown>, { kind: 'done' }>;

/** At most 500 posts, page by page until one is short; what a filter does not let through is left out again. */
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
  const first = await page(0, PAGE);
  if (first.kind !== 'done') return { kind: 'trouble', trouble: first };
  const isFull = sizeOf(first.data) === PAGE;
  // The others at once: one after the other they would take as long as six answers. The last asks whether there is more.
  const starts = isFull ? Array.from({ length: MOST_READ / PAGE }, (_, index) => (index + 1) * PAGE) : [];
  const others = await Promise.all(starts.map((skip) => page(skip, skip < MOST_READ ? PAGE : 1)));
  const pages: Records<Post>[] = [];
  for (const outcome of [first, ...others]) {
    if (outcome.kind !== 'done') return { kind: 'trouble', trouble: outcome };
    if (outcome.data.shape === 'unreadable') return { kind: 'trouble', trouble: 'unreadable' };
    pages.push(outcome.data);
  }
  return together(pages, wanted);
}

function sizeOf({ items, unreadable }: Records<Post>): number {
  return items.length + unreadable;
}

function together(pages: readonly Records<Post>[], wanted: Wanted): PostsRead {
  const all = onceEach(pages.flatMap(({ items }) => items));
  return {
    kind: 'read',
    posts: all.slice(0, MOST_READ).filter((post) => isWanted(post, wanted)),
    unreadable: pages.reduce((sum, { unreadable }) => sum + unreadable, 0),
    // One page may have been longer than it was asked for, or than could be read of it.
    isTruncated: all.length > MOST_READ || pages.some(({ isTruncated }) => isTruncated),
  };
}

/** What is made or removed between two calls moves the pages, and a post comes twice. */
function onceEach(posts: readonly Post[]): Post[] {
  const seen = new Set<string>();
  return posts.filter(({ id }) => {
    if (id === undefined) return true;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

/** A filter that the service does not know it may pass over; what cannot be read stays, and is marked. */
function isWanted(post: Post, { from, to, platforms, statuses }: Wanted): boolean {
  const { status, scheduleDate, unread = [] } = post;
  const isOfStatus = statuses.length === 0 || status === undefined || statuses.includes(status.toUpperCase());
  const isOfPlatform =
    platforms.length === 0 ||
    unread.includes('Platforms') ||
    post.platforms.some((platform) => platforms.includes(platform.toUpperCase()));
  if (!isOfStatus || !isOfPlatform) return false;
  if (from === undefined && to === undefined) return true;
  if (scheduleDate === undefined) return unread.includes('ScheduleDate');
  return (from === undefined || scheduleDate >= from) && (to === undefined || scheduleDate <= to);
}
