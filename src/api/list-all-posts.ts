import type { ApiClient } from './client.ts';
import type { Outcome } from './outcome.ts';
import { listPosts, type Post, type PostFilter } from './posts.ts';
import type { Records } from './records.ts';

/** Posts per call. The API's default. */
const PAGE_SIZE = 100;
/** The smallest number of records at which services are known to cap a page. */
const MIN_CAP = 10;

/** The posts of a list, in the order of the service. */
export interface PostList {
  items: readonly Post[];
  /** Number of records that couldn't be read as posts. */
  unreadableCount: number;
  /** False if the service has, or may have, more posts than were read. */
  isComplete: boolean;
}

interface ListOptions {
  /** Maximum number of posts to read. If there is one more, the list is incomplete. */
  maxPosts: number;
  /**
   * Whether a page of 10 or more posts is the last one only if the service says so, or the next page is empty. Otherwise
   * only pages with a round number of posts are doubted, because another call takes time.
   */
  needsProof?: boolean;
  /** Whether the pages after a full first page are read at the same time, because a person waits. */
  readsAtOnce?: boolean;
}

/**
 * Reads a whole list of posts, page by page. The contract says no more than `skip` and `limit`, and services differ: some
 * return fewer than `limit` on a page, repeat the first page for every `skip`, or say in an envelope whether there are
 * more. A page of fewer than 10 posts counts as the last one, because no known service has smaller pages.
 */
export async function listAllPosts(
  api: ApiClient,
  filter: Omit<PostFilter, 'skip' | 'limit'>,
  { maxPosts, needsProof = false, readsAtOnce = false }: ListOptions,
): Promise<Outcome<PostList>> {
  const readPage = (skip: number) =>
    // The last call reads a single post, to find out whether there are more.
    listPosts(api, { ...filter, skip, limit: skip < maxPosts ? PAGE_SIZE : 1 });
  const items: Post[] = [];
  const knownIds = new Set<string>();
  let unreadableCount = 0;
  let lastItems: readonly Post[] = [];
  let nextPages: Promise<Outcome<Records<Post>>>[] = [];
  for (let skip = 0; ; ) {
    const outcome = await (nextPages.shift() ?? readPage(skip));
    if (outcome.kind !== 'done') return outcome;
    const { data: page, requestId } = outcome;
    if (!page.isReadable) return { kind: 'unknown', cause: 'unreadable-response', requestId };
    const newPosts = page.items.filter(({ id }) => id === undefined || !knownIds.has(id));
    // Posts without an id can't be recognised one by one.
    const isRepeated =
      skip > 0 && (newPosts.length === 0 || JSON.stringify(page.items) === JSON.stringify(lastItems));
    lastItems = page.items;
    if (!isRepeated) {
      items.push(...newPosts);
      for (const { id } of newPosts) if (id !== undefined) knownIds.add(id);
      unreadableCount += page.unreadableCount;
    }
    const isBeyondMax = skip + countRecords(page) > maxPosts;
    const end = findEnd(page, { isRepeated, isBeyondMax, needsProof });
    if (end)
      return { kind: 'done', data: { items, unreadableCount, isComplete: end === 'complete' }, requestId };
    const count = countRecords(page);
    skip += count;
    // A page with fewer posts than requested moves the offsets of all others.
    if (count !== PAGE_SIZE) nextPages = [];
    else if (skip === PAGE_SIZE && readsAtOnce)
      nextPages = Array.from({ length: Math.ceil(maxPosts / PAGE_SIZE) }, (_, index) =>
        readPage((index + 1) * PAGE_SIZE),
      );
  }
}

/** Whether a page is the last one, and whether the list is complete. Undefined if there is another page to read. */
function findEnd(
  page: Records<Post>,
  { isRepeated, isBeyondMax, needsProof }: { isRepeated: boolean; isBeyondMax: boolean; needsProof: boolean },
): 'complete' | 'incomplete' | undefined {
  const count = countRecords(page);
  if (count === 0) return page.isTruncated ? 'incomplete' : 'complete';
  // The service ignores `skip`, so what is after the first page can't be read.
  if (isRepeated || isBeyondMax) return 'incomplete';
  if (page.isTruncated) return undefined;
  const isDoubted = count >= MIN_CAP && (needsProof || count % 5 === 0);
  const isLast = page.hasMore === false || (page.hasMore === undefined && !isDoubted);
  return isLast ? 'complete' : undefined;
}

function countRecords({ items, unreadableCount }: Records<Post>): number {
  return items.length + unreadableCount;
}
