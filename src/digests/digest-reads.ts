import type { ApiClient } from '../api/client.ts';
import { listAllPosts, type PostList } from '../api/list-all-posts.ts';
import { createListCache, type ListCache } from '../api/list-cache.ts';
import type { Outcome } from '../api/outcome.ts';
import { listProjects, type Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import { MINUTE_MS } from '../durations.ts';

/**
 * Reads of the service, cached for a minute. Digests that are due in the same minute share a read if they request the
 * same dates, so the caller should choose dates that don't depend on a digest's zone.
 */
export interface DigestReads {
  /** Posts of any status whose ScheduleDate lies between both bounds, inclusive. */
  listPosts(query: { project: string; from: Date; to: Date }): Promise<Outcome<PostList>>;
  listProjects(): Promise<Outcome<Records<Project>>>;
}

/** Maximum number of posts of a project. A digest lists far fewer. */
const MAX_POSTS = 1_000;
/** How long a failed read is cached. */
const FAILED_MAX_AGE_MS = 5_000;

const MIB = 2 ** 20;
/** The largest read has 1,000 posts of about 1,000 characters each. `maxClientBytes` holds three such reads. */
const POSTS_CACHE_LIMITS = { maxBytes: 64 * MIB, maxClientBytes: 8 * MIB };
const PROJECTS_CACHE_LIMITS = { maxBytes: 16 * MIB, maxClientBytes: MIB };

/** The cached reads of all digests of an instance. */
interface DigestCache {
  posts: ListCache<PostList>;
  projects: ListCache<Records<Project>>;
}

/** `now` in ms. `maxAgeMs` defaults to one minute. */
export function createDigestCache(options: { now: () => number; maxAgeMs?: number }): DigestCache {
  const cacheOptions = { maxAgeMs: MINUTE_MS, maxFailureAgeMs: FAILED_MAX_AGE_MS, ...options };
  return {
    posts: createListCache({ ...cacheOptions, ...POSTS_CACHE_LIMITS }),
    projects: createListCache({ ...cacheOptions, ...PROJECTS_CACHE_LIMITS }),
  };
}

export function createDigestReads(api: ApiClient, cache: DigestCache): DigestReads {
  const { posts, projects } = cache;
  return {
    listPosts: ({ project, from, to }) =>
      posts.read(api, `${project} ${from.toISOString()} ${to.toISOString()}`, () =>
        listAllPosts(
          api,
          { projectId: project, scheduledFrom: from, scheduledTo: to },
          { maxPosts: MAX_POSTS },
        ),
      ),
    listProjects: () => projects.read(api, '', () => listProjects(api)),
  };
}
