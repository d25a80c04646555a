import type { ApiClient } from '../api/client.ts';
import { createListCache, type ListCache } from '../api/list-cache.ts';
import type { Outcome } from '../api/outcome.ts';
import { listPosts, type Post } from '../api/posts.ts';
import { listProjects, type Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';

/** Posts of one project. `complete` is false if the project has more posts than are read. */
export interface PostsRead {
  items: readonly Post[];
  unreadable: number;
  complete: boolean;
}

/**
 * Reads from the service, cached for a minute so that digests that are due together share them. Bounds that don't depend
 * on a digest's zone let more digests share an answer.
 */
export interface DigestReads {
  /** Posts of any status whose ScheduleDate lies between both bounds, inclusive. */
  posts(asked: { project: string; from: Date; to: Date }): Promise<Outcome<PostsRead>>;
  /** Drafts may have no date. */
  drafts(project: string): Promise<Outcome<PostsRead>>;
  projects(): Promise<Outcome<Records<Project>>>;
}

const PAGE = 100;
/** 1,000 posts; a digest can't say more. */
const MAX_PAGES = 10;
/** How long a failed read is cached. */
const FAILED_MS = 5_000;

const MIB = 2 ** 20;
/** The largest read has 1,000 posts of about a thousand characters each. A client's share holds three of them. */
const POSTS = { maxBytes: 64 * MIB, maxClientBytes: 8 * MIB };
const PROJECTS = { maxBytes: 16 * MIB, maxClientBytes: MIB };

/** Shared by all digests of an instance. */
interface DigestCache {
  posts: ListCache<PostsRead>;
  projects: ListCache<Records<Project>>;
}

/** `now` in ms. `maxAgeMs` defaults to one minute. */
export function createDigestCache(options: { now: () => number; maxAgeMs?: number }): DigestCache {
  const shared = { maxAgeMs: 60_000, maxFailureAgeMs: FAILED_MS, ...options };
  return {
    posts: createListCache({ ...shared, ...POSTS }),
    projects: createListCache({ ...shared, ...PROJECTS }),
  };
}

export function createDigestReads(api: ApiClient, cache: DigestCache): DigestReads {
  const { posts, projects } = cache;
  return {
    posts: ({ project, from, to }) =>
      posts.read(api, `${project} ${from.toISOString()} ${to.toISOString()}`, () =>
        allPosts(api, { projectId: project, scheduledFrom: from, scheduledTo: to }),
      ),
    drafts: (project) =>
      posts.read(api, `${project} drafts`, () => allPosts(api, { projectId: project, status: ['DRAFT'] })),
    projects: () => projects.read(api, '', () => listProjects(api)),
  };
}

async function allPosts(
  api: ApiClient,
  filter: Omit<Parameters<typeof listPosts>[1], 'skip' | 'limit'>,
): Promise<Outcome<PostsRead>> {
  const items: Post[] = [];
  let unreadable = 0;
  let isTruncated = false;
  for (let page = 0; ; page += 1) {
    const outcome = await listPosts(api, { ...filter, skip: page * PAGE, limit: PAGE });
    if (outcome.kind !== 'done') return outcome;
    const { data, requestId } = outcome;
    if (data.shape === 'unreadable') return { kind: 'unknown', cause: 'unreadable-response', requestId };
    items.push(...data.items);
    unreadable += data.unreadable;
    isTruncated ||= data.isTruncated;
    const isLast = data.items.length + data.unreadable < PAGE;
    if (isLast || page + 1 === MAX_PAGES) {
      return { kind: 'done', data: { items, unreadable, complete: isLast && !isTruncated }, requestId };
    }
  }
}
