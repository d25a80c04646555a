import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { DAY_MS, MINUTE_MS, readLocalTime, WEEK_MS } from '../durations.ts';
import type { ApiClient } from './client.ts';
import { listAllPosts, type PostList } from './list-all-posts.ts';
import { createListCache, estimateHeapBytes, LIST_LIMITS, MIB } from './list-cache.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { normalizeText } from './post-fields.ts';
import { getUpnextPost, listPosts, listScheduledAt, type Post } from './posts.ts';
import { listProjects, type Project } from './projects.ts';
import type { Records } from './records.ts';
import { listSources, type Source } from './sources.ts';
import { listTemplates, type Template } from './templates.ts';

export interface PlannedTime {
  instant: Date;
  platforms: readonly string[];
  /** Equal for posts with the same text. Undefined for a post without a text. */
  textKey?: string | undefined;
}

/** The posts of the service in a range. `isComplete`: false if it has, or may have, others that couldn't be read. */
interface PlannedTimes {
  times: readonly PlannedTime[];
  isComplete: boolean;
}

/** Computes the key of a text, which is shorter than most texts. */
export function computeTextKey(text: string | undefined): string | undefined {
  const normalized = normalizeText(text);
  return normalized === '' ? undefined : createHash('sha256').update(normalized).digest('base64url');
}

/**
 * Cached lists of the service. A select reads its list at each typed letter. Except for `getLastProjects` and `posts`,
 * no list is older than `maxAgeMs`.
 */
export type CachedReads = Omit<ReturnType<typeof createCachedReads>, 'close'>;

/** Maximum number of posts of a project and day that a form's hints are about. */
const MAX_PLANNED_POSTS = 500;
/** Short, because people often schedule one post after another. */
const PLANNED_TIMES_MAX_AGE_MS = 10_000;
/** Limits for the last successful lists of projects: 5,000 clients and one week. */
const LAST_LIST_LIMITS = {
  max: 5_000,
  maxSize: 16 * MIB,
  maxEntrySize: MIB,
  ttl: WEEK_MS,
  ttlAutopurge: true,
};

/** Creates the cached lists. `now`: ms since the epoch. `sharedNow`: the clock of all instances. Defaults to `now`. */
export function createCachedReads(
  options: { now?: () => number; sharedNow?: () => number; maxAgeMs?: number } = {},
) {
  const { now = readLocalTime, sharedNow = now, maxAgeMs = MINUTE_MS } = options;
  const projects = createListCache<Records<Project>>({ now, maxAgeMs, ...LIST_LIMITS });
  const templates = createListCache<Records<Template>>({ now, maxAgeMs, ...LIST_LIMITS });
  const sources = createListCache<Records<Source>>({ now, maxAgeMs, ...LIST_LIMITS });
  const plannedTimes = createListCache<PlannedTimes>({
    now,
    maxAgeMs: Math.min(maxAgeMs, PLANNED_TIMES_MAX_AGE_MS),
    ...LIST_LIMITS,
  });
  const lists = [projects, templates, sources, plannedTimes];
  const posts = createCachedPosts(now, sharedNow);
  const lastLists = new LRUCache<ApiClient, Records<Project>>({
    ...LAST_LIST_LIMITS,
    sizeCalculation: estimateHeapBytes,
  });
  let isClosed = false;
  const storeLastList = (api: ApiClient, list: Records<Project>) => {
    if (!isClosed) lastLists.set(api, list);
  };
  const dropPosts = (api: ApiClient, projectId?: string) => {
    posts.drop(api, projectId);
    plannedTimes.drop(api);
  };
  const fetchAndStoreProjects = async (api: ApiClient) => {
    // A list of only unreadable projects says no more than an unreadable list.
    const outcome = mapDone(await listProjects(api), (list) => ({
      ...list,
      isReadable: list.isReadable && (list.items.length > 0 || list.unreadableCount === 0),
    }));
    if (outcome.kind === 'done' && outcome.data.isReadable) storeLastList(api, outcome.data);
    return outcome;
  };
  return {
    listProjects: (api: ApiClient) => projects.read(api, '', () => fetchAndStoreProjects(api)),
    /** Always calls the service, and caches the result. */
    fetchProjects: (api: ApiClient) => projects.fetch(api, '', () => fetchAndStoreProjects(api)),
    /** Returns the last successful list, up to a week old. Undefined if this instance has none. */
    getLastProjects: (api: ApiClient) => lastLists.get(api),
    /** Stores projects that are known without the service, unless it has listed some. It may have more. */
    suggestLastProjects(api: ApiClient, items: readonly Project[]) {
      if (items.length > 0 && !lastLists.has(api))
        storeLastList(api, { isReadable: true, items, unreadableCount: 0, isTruncated: true });
    },
    listTemplates: (api: ApiClient, projectId: string) =>
      templates.read(api, projectId, () => listTemplates(api, projectId)),
    listSources: (api: ApiClient, projectId: string) =>
      sources.read(api, projectId, () => listSources(api, projectId)),
    /**
     * Lists the times of the posts of the UTC day that starts at `day`. No drafts. At most ten seconds old; `isLive`: as
     * they are now.
     */
    listPlannedTimes: (api: ApiClient, projectId: string, day: Date, { isLive = false } = {}) =>
      plannedTimes[isLive ? 'fetch' : 'read'](api, `${projectId} ${day.getTime()}`, () =>
        readPlannedTimes(api, projectId, day),
      ),
    /** Posts as Home shows them, at most five minutes old. */
    posts,
    /** Drops all lists of posts of one project, or of all projects, after one was created. */
    dropPosts,
    /** Drops the cached lists of one project, or of all projects, after a change. */
    drop(api: ApiClient, projectId?: string) {
      dropPosts(api, projectId);
      // Any change may affect the list of projects, so this list is always dropped.
      projects.drop(api);
      for (const cache of [templates, sources]) cache.drop(api, projectId);
    },
    /** Drops everything, for good. Otherwise, timers of up to a week keep the cache and its clients in memory. */
    close() {
      isClosed = true;
      for (const cache of [...lists, posts]) cache.close();
      lastLists.clear();
    },
    /** Returns the size of all cached lists, as estimated by `estimateHeapBytes`. */
    countBytes: () =>
      lists.reduce((sum, cache) => sum + cache.countBytes(), lastLists.calculatedSize + posts.countBytes()),
  };
}

async function readPlannedTimes(
  api: ApiClient,
  projectId: string,
  day: Date,
): Promise<Outcome<PlannedTimes>> {
  const scheduledTo = new Date(day.getTime() + DAY_MS - 1);
  const outcome = await listAllPosts(
    api,
    { projectId, scheduledFrom: day, scheduledTo },
    { maxPosts: MAX_PLANNED_POSTS, readsAtOnce: true },
  );
  return mapDone(outcome, (list) => selectPlannedTimes(list, { scheduledFrom: day, scheduledTo }));
}

/** Selects the posts of a list that go out in a range. */
export function selectPlannedTimes(
  { items, unreadableCount, isComplete }: PostList,
  { scheduledFrom, scheduledTo }: { scheduledFrom: Date; scheduledTo: Date },
): PlannedTimes {
  return {
    times: items.flatMap(({ scheduleDate, platforms, status, content }) =>
      // The service may ignore parts of the filter.
      scheduleDate && scheduleDate >= scheduledFrom && scheduleDate <= scheduledTo && status !== 'DRAFT'
        ? [{ instant: scheduleDate, platforms, textKey: computeTextKey(content) }]
        : [],
    ),
    isComplete: isComplete && unreadableCount === 0 && items.every(isPlannedReadable),
  };
}

/** Whether all is known that other posts are compared with. */
const isPlannedReadable = ({ unreadableFields = [] }: Post) =>
  !['ScheduleDate', 'Platforms', 'Content'].some((field) => unreadableFields.some((name) => name === field));

/** The result of a read, with its time. */
type Read<Data> = Outcome<Data & { readAt: Date }>;
type NextPost = { post: Post | undefined; isReadable: boolean };

/** Maximum age. Only posts made on the service's page, or by colleagues through another instance, appear that late. */
export const POSTS_MAX_AGE_MS = 5 * MINUTE_MS;
/** Maximum age of a failure. Short, so that Home soon shows the posts when the service is back. */
const POSTS_FAILURE_MAX_AGE_MS = 30_000;
const MAX_WEEK_POSTS = 100;
/** Our own limit, since people don't read longer lists. */
const MAX_RANGE_POSTS = 500;
/** Short, because people look at a page after they have changed something on the service's own page. */
const RANGE_MAX_AGE_MS = 30_000;
export const MAX_DRAFTS = 10;

/**
 * The posts of each project, read rarely, because Home shows all projects and is refreshed after every action. Upnext
 * knows of each post that it creates itself, and drops the lists of that project then.
 *
 * Both clocks: ms since the epoch; `sharedNow` is the clock of all instances.
 */
function createCachedPosts(now: () => number, sharedNow: () => number) {
  const maxAges = { maxAgeMs: POSTS_MAX_AGE_MS, maxFailureAgeMs: POSTS_FAILURE_MAX_AGE_MS };
  const cacheOptions = { now, sharedNow, ...maxAges, ...LIST_LIMITS };
  const weeks = createListCache<Records<Post> & { readAt: Date }>(cacheOptions);
  const drafts = createListCache<Records<Post> & { readAt: Date }>(cacheOptions);
  const nextPosts = createListCache<NextPost & { readAt: Date }>(cacheOptions);
  const sameTimePosts = createListCache<{ items: readonly Post[]; time: number }>(cacheOptions);
  const ranges = createListCache<PostList & { readAt: Date }>({
    ...{ now, sharedNow, maxAgeMs: RANGE_MAX_AGE_MS, maxFailureAgeMs: RANGE_MAX_AGE_MS },
    ...LIST_LIMITS,
  });
  const caches = [weeks, drafts, nextPosts, sameTimePosts, ranges];
  async function addReadTime<Data extends object>(
    read: (readAt: Date) => Promise<Outcome<Data>>,
  ): Promise<Read<Data>> {
    const readAt = new Date(now());
    return mapDone(await read(readAt), (data) => ({ ...data, readAt }));
  }
  return {
    /** Lists up to `MAX_WEEK_POSTS` posts that were scheduled for the seven days after the list was read. */
    listWeek: (api: ApiClient, projectId: string) =>
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
    /** Lists up to `MAX_RANGE_POSTS` posts of any status between two times, both inclusive. At most half a minute old. */
    listRange: (api: ApiClient, projectId: string, { from, to }: { from: Date; to: Date }) =>
      ranges.read(api, `${projectId} ${from.getTime()} ${to.getTime()}`, () =>
        addReadTime(() =>
          listAllPosts(
            api,
            { projectId, scheduledFrom: from, scheduledTo: to },
            { maxPosts: MAX_RANGE_POSTS, readsAtOnce: true },
          ),
        ),
      ),
    listDrafts: (api: ApiClient, projectId: string) =>
      drafts.read(api, projectId, () =>
        addReadTime(() => listPosts(api, { projectId, status: ['DRAFT'], limit: MAX_DRAFTS })),
      ),
    getNext: (api: ApiClient, projectId: string) =>
      nextPosts.read(api, projectId, () => addReadTime(() => getUpnextPost(api, projectId))),
    /** See `listScheduledAt`. `time`: that of the project's next post. */
    async listAt(
      api: ApiClient,
      projectId: string,
      time: Date,
    ): Promise<Outcome<{ items: readonly Post[] }>> {
      const read = async () =>
        mapDone(await listScheduledAt(api, projectId, time), (items) => ({ items, time: time.getTime() }));
      const outcome = await sameTimePosts.read(api, projectId, read);
      // Another post has become the next one.
      const isOther = outcome.kind === 'done' && outcome.data.time !== time.getTime();
      return isOther ? sameTimePosts.fetch(api, projectId, read) : outcome;
    },
    drop(api: ApiClient, projectId?: string) {
      for (const cache of caches) cache.drop(api, projectId);
      ranges.drop(api);
    },
    /** Drops the lists of a project that were read at `time` of the shared clock or earlier. */
    dropIfOlder(api: ApiClient, projectId: string, time: Date) {
      for (const cache of caches) cache.dropIfOlder(api, projectId, time);
      ranges.drop(api);
    },
    close() {
      for (const cache of caches) cache.close();
    },
    countBytes: () => caches.reduce((sum, cache) => sum + cache.countBytes(), 0),
  };
}

/**
 * Lists the projects, or while the service doesn't answer, those that it listed last. Undefined if there are none.
 * `isComplete`: whether the service has just listed these, and has no others.
 */
export async function listKnownProjects(context: {
  reads: Pick<CachedReads, 'listProjects' | 'getLastProjects'>;
  api: ApiClient;
}): Promise<(Records<Project> & { isComplete: boolean }) | undefined> {
  const { reads, api } = context;
  const outcome = await reads.listProjects(api);
  const listed = outcome.kind === 'done' && outcome.data.isReadable ? outcome.data : undefined;
  const known = listed ?? reads.getLastProjects(api);
  const isComplete = listed !== undefined && !listed.isTruncated && listed.unreadableCount === 0;
  return known && { ...known, isComplete };
}
