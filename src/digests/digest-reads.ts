import type { ApiClient } from '../api/client.ts';
import { createListCache, type ListCache } from '../api/list-memory.ts';
import type { Outcome } from '../api/outcome.ts';
import { listPosts, type Post } from '../api/posts.ts';
import { listProjects, type Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';

/** Posts of one project; not `complete` where there are more than are read. */
export interface PostsRead {
  items: readonly Post[];
  unreadable: number;
  complete: boolean;
}

/**
 * What the service lists, asked once for all digests of a minute: whoever asks the same shares the answer. Bounds that
 * do not depend on a digest's own zone are the same for many.
 */
export interface DigestReads {
  /** By ScheduleDate, both bounds inclusive, whatever their status. */
  posts(asked: { project: string; from: Date; to: Date }): Promise<Outcome<PostsRead>>;
  /** Drafts may have no date. */
  drafts(project: string): Promise<Outcome<PostsRead>>;
  projects(): Promise<Outcome<Records<Project>>>;
}

const PAGE = 100;
/** As many as a digest can say anything of. */
const MOST_PAGES = 10;
/** What failed is asked again after this; whoever asks at the same moment shares it. */
const FAILED_MS = 5_000;

const MIB = 2 ** 20;
/** Three times a digest that says all it can: 1,000 posts of a thousand characters each. */
const POSTS = { maxBytes: 64 * MIB, maxClientBytes: 8 * MIB };
const PROJECTS = { maxBytes: 16 * MIB, maxClientBytes: MIB };

/** What all digests of an instance share. */
interface DigestMemory {
  posts: ListCache<PostsRead>;
  projects: ListCache<Records<Project>>;
}

/** `now` in ms; nothing is older than `maxAgeMs`. */
export function createDigestMemory(options: { now: () => number; maxAgeMs?: number }): DigestMemory {
  const shared = { maxAgeMs: 60_000, failedMs: FAILED_MS, ...options };
  return {
    posts: createListCache({ ...shared, ...POSTS }),
    projects: createListCache({ ...shared, ...PROJECTS }),
  };
}

export function createDigestReads(api: ApiClient, memory: DigestMemory): DigestReads {
  const { posts, projects } = memory;
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
    if (data.shape === 'unreadable') return { kind: 'unknown', cause: 'unreadable-answer', requestId };
    items.push(...data.items);
    unreadable += data.unreadable;
    isTruncated ||= data.isTruncated;
    const isLast = data.items.length + data.unreadable < PAGE;
    if (isLast || page + 1 === MOST_PAGES) {
      return { kind: 'done', data: { items, unreadable, complete: isLast && !isTruncated }, requestId };
    }
  }
}
