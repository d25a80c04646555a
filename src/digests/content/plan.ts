import type { Permission } from '../../access/access.ts';
import type { Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { ComposeRequest, ComposeResult } from '../composer.ts';
import type { DigestReads, PostsRead } from '../digest-reads.ts';

/** A post with a moment, and its project. */
export interface PlannedPost {
  project: Project;
  post: Post;
  at: Date;
}

/** Everything that a digest is composed from. */
export interface Plan {
  projects: readonly Project[];
  /** Posts of any status from three days ago to ten days ahead, sorted by moment. */
  posts: readonly PlannedPost[];
  /** The end of the range that was read. */
  until: Date;
  /** False if the service has more posts than were read. */
  isComplete: boolean;
  /** The number of records that couldn't be read as posts. */
  unreadable: number;
}

/** `no-project`: the digest has no project, and the service has several. `none-readable`: the reader may see none. */
type ReadPlan =
  | { kind: 'plan'; plan: Plan }
  | { kind: 'no-project' }
  | { kind: 'none-readable' }
  | Extract<ComposeResult, { kind: 'gone' | 'failed' | 'not-checked' }>;

const DAY_MS = 86_400_000;
const DAYS_BACK = 3;
const DAYS_AHEAD = 10;
/** How far ahead the next post is searched for if none is found within DAYS_AHEAD. */
const DAYS_FAR = 100;
const GONE = 404;

/** Reads whole UTC days: the bounds are the same for all digests of a day, so that they share cached answers. */
export async function readPlan(
  { now, projects: ids, reads }: ComposeRequest,
  mayRead: (project: string) => Promise<Permission>,
): Promise<ReadPlan> {
  const listed = await reads.projects();
  if (listed.kind !== 'done') return { kind: 'failed', outcome: listed };
  const { items, unreadable, isTruncated } = listed.data;
  const [only] = items;
  const isOnly = ids.length === 0 && only !== undefined && items.length === 1 && !isTruncated;
  const chosen = isOnly ? [only.id] : [...new Set(ids)];
  if (chosen.length === 0) return { kind: 'no-project' };
  const allowed = await Promise.all(chosen.map(mayRead));
  // A digest without the unchecked projects would claim that nothing is planned in them.
  if (allowed.includes('unknown')) return { kind: 'not-checked' };
  const readable = chosen.filter((_id, index) => allowed[index] === 'yes');
  if (readable.length === 0) return { kind: 'none-readable' };
  const projects = readable.map((id) => items.find((item) => item.id === id) ?? { id, name: id });
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const [from, to] = [new Date(today - DAYS_BACK * DAY_MS), new Date(today + DAYS_AHEAD * DAY_MS)];
  const isListed = (id: string) => isTruncated || unreadable > 0 || items.some((item) => item.id === id);
  const read = await readPosts(reads, projects, { from, to, isListed });
  if (read.kind !== 'plan') return read;
  const { plan } = read;
  if (!plan.isComplete || plan.posts.some((planned) => isUpcoming(planned, now))) return read;
  const far = { from: to, to: new Date(today + DAYS_FAR * DAY_MS), isListed };
  const later = await readPosts(reads, projects, far);
  if (later.kind !== 'plan') return later;
  return { kind: 'plan', plan: { ...plan, posts: [...plan.posts, ...later.plan.posts] } };
}

async function readPosts(
  reads: DigestReads,
  projects: readonly Project[],
  { isListed, ...bounds }: { from: Date; to: Date; isListed(project: string): boolean },
): Promise<ReadPlan> {
  const found: PlannedPost[] = [];
  let isComplete = true;
  let unreadable = 0;
  const outcomes = await Promise.all(
    projects.map(async (project) => ({
      project,
      outcome: await reads.posts({ project: project.id, ...bounds }),
    })),
  );
  for (const { project, outcome } of outcomes) {
    // A proxy may answer 404 while the service is being deployed. A project is gone only if the list lacks it too.
    const isGone = outcome.kind === 'refused' && outcome.status === GONE && !isListed(project.id);
    if (isGone) return { kind: 'gone', project: project.id };
    if (outcome.kind !== 'done') return { kind: 'failed', outcome };
    const { data } = outcome;
    found.push(...findPlanned(project, data, bounds));
    isComplete &&= data.complete;
    unreadable += data.unreadable;
  }
  const posts = found.sort((one, other) => one.at.getTime() - other.at.getTime());
  return { kind: 'plan', plan: { projects, posts, until: bounds.to, isComplete, unreadable } };
}

/** Posts within `from` (inclusive) and `to` (exclusive), without the duplicates that appear if pages shift meanwhile. */
function findPlanned(
  project: Project,
  { items }: PostsRead,
  { from, to }: { from: Date; to: Date },
): PlannedPost[] {
  const seen = new Set<string>();
  return items.flatMap((post) => {
    const { id, scheduleDate: at } = post;
    if (!at || at < from || at >= to || (id !== undefined && seen.has(id))) return [];
    if (id !== undefined) seen.add(id);
    return [{ project, post, at }];
  });
}

export function statusOf({ post }: PlannedPost): string | undefined {
  return post.status?.toUpperCase();
}

/** Drafts are never published, even if they have a date. */
export function isDraft(planned: PlannedPost): boolean {
  return statusOf(planned) === 'DRAFT';
}

export function isUpcoming(planned: PlannedPost, now: Date): boolean {
  return !isDraft(planned) && planned.at > now && statusOf(planned) !== 'PUBLISHED';
}
