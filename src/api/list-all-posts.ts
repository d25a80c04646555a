import type { ApiClient } from './client.ts';
import type { Outcome } from './outcome.ts';
import { listPosts, type Post, type PostFilter } from './posts.ts';
import type { Records } from './records.ts';

/** Posts per call. The API's default. */
const PAGE_SIZE = 100;

/** The posts of a list, in the order of the service. */
export interface PostList {
  items: readonly Post[];
  /** Number of records that couldn't be read as posts. */
  unreadableCount: number;
  /** False if the service has, or may have, more posts than were read. */
  isComplete: boolean;
}

interface ListOptions {
  /** After so many posts, the list is called incomplete if there is another one. */
  maxPosts: number;
  /** Whether the pages after a full first page are read at the same time, because a person waits. */
  readsAtOnce?: boolean;
}

/**
 * Reads a whole list of posts, page by page. The contract says no more than `skip` and `limit`, and services differ: some
 * return fewer than `limit` on a page, repeat the first page for every `skip`, or say in an envelope whether there are
 * more. The list is complete only if one of these shows that it is.
 */
export async function listAllPosts(
  api: ApiClient,
  filter: Omit<PostFilter, 'skip' | 'limit'>,
  { maxPosts, readsAtOnce = false }: ListOptions,
): Promise<Outcome<PostList>> {
  const readPage = (skip: number) =>
    // The last call reads a single post, to find out whether there are more.
    listPosts(api, { ...filter, skip, limit: skip < maxPosts ? PAGE_SIZE : 1 });
  const postsByKey = new Map<string, Post>();
  let unreadableCount = 0;
  let nextPages: Promise<Outcome<Records<Post>>>[] = [];
  for (let skip = 0; ; ) {
    const outcome = await (nextPages.shift() ?? readPage(skip));
    if (outcome.kind !== 'done') return outcome;
    const { data: page, requestId } = outcome;
    if (!page.isReadable) return { kind: 'unknown', cause: 'unreadable-response', requestId };
    const knownCount = postsByKey.size + unreadableCount;
    for (const post of page.items) postsByKey.set(post.id ?? JSON.stringify(post), post);
    unreadableCount += page.unreadableCount;
    const end = findEnd(page, {
      isRepeated: postsByKey.size + unreadableCount === knownCount,
      isBeyondMax: skip + countRecords(page) > maxPosts,
    });
    if (end) {
      const items = [...postsByKey.values()];
      return { kind: 'done', data: { items, unreadableCount, isComplete: end === 'complete' }, requestId };
    }
    const isFirst = skip === 0;
    const count = countRecords(page);
    skip += count;
    // A page with fewer posts than requested moves the offsets of all others.
    if (count !== PAGE_SIZE) nextPages = [];
    else if (isFirst && readsAtOnce)
      nextPages = Array.from({ length: Math.ceil(maxPosts / PAGE_SIZE) }, (_, index) =>
        readPage((index + 1) * PAGE_SIZE),
      );
  }
}

/** Whether a page is the last one, and whether the list is complete. Undefined if there is another page to read. */
function findEnd(
  page: Records<Post>,
  { isRepeated, isBeyondMax }: { isRepeated: boolean; isBeyondMax: boolean },
): 'complete' | 'incomplete' | undefined {
  const count = countRecords(page);
  if (count === 0) return page.isTruncated ? 'incomplete' : 'complete';
  // The service ignores `skip`, so what is after the first page can't be read.
  if (isRepeated || isBeyondMax) return 'incomplete';
  if (page.isTruncated) return undefined;
  const isLast = page.hasMore === false || (page.hasMore === undefined && !mayBeFull(count));
  return isLast ? 'complete' : undefined;
}

/**
 * Whether a page with so many records may be full, although more were requested. Services that cap their pages do so at a
 * round number, such as 10, 25 or 50.
 */
function mayBeFull(count: number): boolean {
  return count >= 10 && count % 5 === 0;
}

function countRecords({ items, unreadableCount }: Records<Post>): number {
  return items.length + unreadableCount;
}
