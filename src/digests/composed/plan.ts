import type { Permission } from '../../access/access.ts';
import type { Post } from '../../api/posts.ts';
import type { Project } from '../../api/projects.ts';
import type { Composed, Occasion } from '../compose.ts';
import type { DigestReads, PostsRead } from '../digest-reads.ts';

/** A post that has a moment, and the project that it belongs to. */
export interface Planned {
  project: Project;
  post: Post;
  at: Date;
}

/** Everything that a digest is made of. */
export interface Plan {
  projects: readonly Project[];
  /** By moment: whatever their status, from three days ago to ten days ahead. */
  posts: readonly Planned[];
  /** The end of what was looked at. */
  until: Date;
  /** False where the service has more than were read: then what is missing here may be there. */
  isWhole: boolean;
  /** Records that are no posts that can be read. */
  unreadable: number;
}

/** `no-project`: nobody has said what it is about, and there are several. `not-theirs`: who reads may see none. */
type ReadPlan =
  | { kind: 'plan'; plan: Plan }
  | { kind: 'no-project' }
  | { kind: 'not-theirs' }
  | Extract<Composed, { kind: 'gone' | 'failed' | 'not-checked' }>;

const DAY_MS = 86_400_000;
const DAYS_BACK = 3;
const DAYS_AHEAD = 10;
/** How far the next post is looked for where none comes sooner. */
const DAYS_FAR = 100;
const GONE = 404;

/** Bounds of whole UTC days, the same for all digests of a day, so that they share the answers. */
export async function readPlan(
  { now, projects: ids, reads }: Occasion,
  mayRead: (project: string) => Promise<Permission>,
): Promise<ReadPlan> {
  const listed = await reads.projects();
  if (listed.kind !== 'done') return { kind: 'failed', outcome: listed };
  const { items, unreadable, isTruncated } = listed.data;
  const [only] = items;
  const isOnly = ids.length === 0 && only !== undefined && items.length === 1 && !isTruncated;
  const meant = isOnly ? [only.id] : [...new Set(ids)];
  if (meant.length === 0) return { kind: 'no-project' };
  const allowed = await Promise.all(meant.map(mayRead));
  // Without those that could not be checked it would claim that nothing is planned there.
  if (allowed.includes('unknown')) return { kind: 'not-checked' };
  const theirs = meant.filter((_id, index) => allowed[index] === 'yes');
  if (theirs.length === 0) return { kind: 'not-theirs' };
  const projects = theirs.map((id) => items.find((item) => item.id === id) ?? { id, name: id });
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const [from, to] = [new Date(today - DAYS_BACK * DAY_MS), new Date(today + DAYS_AHEAD * DAY_MS)];
  const isListed = (id: string) => isTruncated || unreadable > 0 || items.some((item) => item.id === id);
  const read = await readPosts(reads, projects, { from, to, isListed });
  if (read.kind !== 'plan') return read;
  const { plan } = read;
  if (!plan.isWhole || plan.posts.some((planned) => isToCome(planned, now))) return read;
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
  const found: Planned[] = [];
  let isWhole = true;
  let unreadable = 0;
  const outcomes = await Promise.all(
    projects.map(async (project) => ({
      project,
      outcome: await reads.posts({ project: project.id, ...bounds }),
    })),
  );
  for (const { project, outcome } of outcomes) {
    // A proxy answers 404 as well while the service is deployed: only the list of projects tells that one is gone.
    const isGone = outcome.kind === 'refused' && outcome.status === GONE && !isListed(project.id);
    if (isGone) return { kind: 'gone', project: project.id };
    if (outcome.kind !== 'done') return { kind: 'failed', outcome };
    const { data } = outcome;
    found.push(...plannedIn(project, data, bounds));
    isWhole &&= data.complete;
    unreadable += data.unreadable;
  }
  const posts = found.sort((one, other) => one.at.getTime() - other.at.getTime());
  return { kind: 'plan', plan: { projects, posts, until: bounds.to, isWhole, unreadable } };
}

/** Each once, pages move while they are read; and none beyond the bounds, of which the last belongs to what follows. */
function plannedIn(
  project: Project,
  { items }: PostsRead,
  { from, to }: { from: Date; to: Date },
): Planned[] {
  const seen = new Set<string>();
  return items.flatMap((post) => {
    const { id, scheduleDate: at } = post;
    if (!at || at < from || at >= to || (id !== undefined && seen.has(id))) return [];
    if (id !== undefined) seen.add(id);
    return [{ project, post, at }];
  });
}

export function statusOf({ post }: Planned): string | undefined {
  return post.status?.toUpperCase();
}

/** It goes out, or went: no draft. */
export function isMeant(planned: Planned): boolean {
  return statusOf(planned) !== 'DRAFT';
}

export function isToCome(planned: Planned, now: Date): boolean {
  return isMeant(planned) && planned.at > now && statusOf(planned) !== 'PUBLISHED';
}
