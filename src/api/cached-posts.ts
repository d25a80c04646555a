import type { ApiClient } from './client.ts';
import { getUpnextPost } from './dashboard.ts';
import { listAllPosts } from './list-all-posts.ts';
import { createListCache, LIST_LIMITS } from './list-cache.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { listPosts, type Post } from './posts.ts';
import type { Records } from './records.ts';

/** The result of a read, with its time. */
type Read<Data> = Outcome<Data & { readAt: Date }>;
type NextPost = { post: Post | undefined; isReadable: boolean };

/**
 * The posts of each project, read rarely, because Home shows all projects and is refreshed after every action. Upnext
 * knows of each post that it creates itself, and drops the lists of that project then.
 */
export interface CachedPosts {
  /** Lists up to `MAX_WEEK_POSTS` posts that were scheduled for the seven days after the list was read. */
  listWeek(api: ApiClient, projectId: string): Promise<Read<Records<Post>>>;
  /** Lists up to `MAX_DRAFTS` drafts. */
  listDrafts(api: ApiClient, projectId: string): Promise<Read<Records<Post>>>;
  getNext(api: ApiClient, projectId: string): Promise<Read<NextPost>>;
  /** Drops the lists of one project, or of all projects. */
  drop(api: ApiClient, projectId?: string): void;
  /** Drops the lists of a project that were read at `time` of the shared clock or earlier. */
  dropIfOlder(api: ApiClient, projectId: string, time: Date): void;
  /** Returns the size of all cached lists, as estimated by `estimateHeapBytes`. */
  countBytes(): number;
}

/** Maximum age. Only posts made on the service's page, or by colleagues through another instance, appear that late. */
export const POSTS_MAX_AGE_MS = 5 * 60_000;
/** Maximum age of a failure. Short, so that Home soon shows the posts when the service is back. */
const POSTS_FAILURE_MAX_AGE_MS = 30_000;
const MAX_WEEK_POSTS = 100;
export const MAX_DRAFTS = 10;
const WEEK_MS = 7 * 86_400_000;

/** Creates the cached posts. Both clocks: ms since the epoch; `sharedNow` is the clock of all instances. */
export function createCachedPosts(
  now: () => number,
  sharedNow: () => number,
): CachedPosts & { close(): void } {
  const maxAges = { maxAgeMs: POSTS_MAX_AGE_MS, maxFailureAgeMs: POSTS_FAILURE_MAX_AGE_MS };
  const cacheOptions = { now, sharedNow, ...maxAges, ...LIST_LIMITS };
  const weeks = createListCache<Records<Post> & { readAt: Date }>(cacheOptions);
  const drafts = createListCache<Records<Post> & { readAt: Date }>(cacheOptions);
  const nextPosts = createListCache<NextPost & { readAt: Date }>(cacheOptions);
  const caches = [weeks, drafts, nextPosts];
  async function addReadTime<Data extends object>(
    read: (readAt: Date) => Promise<Outcome<Data>>,
  ): Promise<Read<Data>> {
    const readAt = new Date(now());
    return mapDone(await read(readAt), (data) => ({ ...data, readAt }));
  }
  return {
    listWeek: (api, projectId) =>
      weeks.read(api, projectId, () =>
        addReadTime(async (readAt) => {
          const scheduledTo = new Date(readAt.getTime() + WEEK_MS);
          const filter = { projectId, status: ['SCHEDULED'], scheduledFrom: readAt, scheduledTo } as const;
          const outcome = await listAllPosts(api, filter, { maxPosts: MAX_WEEK_POSTS });
          return mapDone(outcome, ({ items, unreadableCount, isComplete }) => ({
            ...{ isReadable: true, items, unreadableCount, isTruncated: !isComplete },
          }));
        }),
      ),
    listDrafts: (api, projectId) =>
      drafts.read(api, projectId, () =>
        addReadTime(() => listPosts(api, { projectId, status: ['DRAFT'], limit: MAX_DRAFTS })),
      ),
    getNext: (api, projectId) =>
      nextPosts.read(api, projectId, () => addReadTime(() => getUpnextPost(api, projectId))),
    drop(api, projectId) {
      for (const cache of caches) cache.drop(api, projectId);
    },
    dropIfOlder(api, projectId, time) {
      for (const cache of caches) cache.dropIfOlder(api, projectId, time);
    },
    close() {
      for (const cache of caches) cache.close();
    },
    countBytes: () => caches.reduce((sum, cache) => sum + cache.countBytes(), 0),
  };
}
