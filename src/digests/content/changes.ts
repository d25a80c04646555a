import { createHash } from 'node:crypto';
import { z } from 'zod';
import { listFurtherIdentity, normalizeText } from '../../api/post-fields.ts';
import { findOwnText } from '../../api/posts.ts';
import { MINUTE_MS } from '../../durations.ts';
import { hasStatus } from '../../posts/post-status.ts';
import { isDraft, type Plan, type PlannedPost } from './plan.ts';

/** A post in a snapshot: its publishing time in minutes since 1970, whether it was published, and a hash of its texts. */
const snapshotPost = z.tuple([z.number(), z.boolean(), z.string()]);
type SnapshotPost = z.infer<typeof snapshotPost>;

/** The posts at the time of the last digest, stored because the service keeps no history. Contains no content. */
const snapshotSchema = z.object({
  version: z.literal(3),
  /** When it was taken, and the end of the range that was read of every post, in ms since 1970. */
  from: z.number(),
  to: z.number(),
  /** By project id, then by post id. */
  projects: z.record(z.string(), z.record(z.string(), snapshotPost)),
});
type Snapshot = z.infer<typeof snapshotSchema>;

/** A change of the plan since the last digest. `previousAt` is the former publishing time of a post. */
export type PlanChange =
  | { kind: 'published' | 'added' | 'rewritten'; planned: PlannedPost }
  | { kind: 'rescheduled'; planned: PlannedPost; previousAt: Date }
  | { kind: 'removed'; previousAt: Date };

/** Maximum posts in a snapshot, of about 60 bytes each. Changes of a larger plan aren't reported. */
const MAX_POSTS = 300;
const HASH_LENGTH = 8;

/** Creates the snapshot for the next digest; undefined if it would be too large or incomplete. */
export function takeSnapshot(plan: Plan, now: Date): string | undefined {
  if (!isComparable(plan)) return undefined;
  // Later ones aren't new when they are moved nearer. The service's aren't read for every digest.
  const posts = [...listNear(plan), ...(plan.later ?? [])].slice(0, MAX_POSTS);
  const projects = Object.fromEntries(
    plan.projects.map(({ id }) => {
      const entries = [...indexPosts(posts, id)].flatMap(([postId, planned]) =>
        isDraft(planned) ? [] : [[postId, buildSnapshotPost(planned)] as const],
      );
      return [id, Object.fromEntries(entries)];
    }),
  );
  const snapshot: Snapshot = { version: 3, from: now.getTime(), to: plan.end.getTime(), projects };
  return JSON.stringify(snapshot);
}

function listNear({ posts, end }: Plan): PlannedPost[] {
  return posts.filter(({ scheduledAt }) => scheduledAt < end);
}

function isComparable(plan: Plan): boolean {
  return plan.isComplete && listNear(plan).length <= MAX_POSTS;
}

/** Lists the ids of the projects of the last digest. */
export function listSnapshotProjects(snapshot: string | undefined): string[] {
  return Object.keys(readSnapshot(snapshot)?.projects ?? {});
}

function readSnapshot(snapshot: string | undefined): Snapshot | undefined {
  return snapshot === undefined ? undefined : snapshotSchema.safeParse(parseSnapshot(snapshot)).data;
}

/** Compares the plan with the last snapshot. Undefined if that is unreadable, or the plan incomplete or too large. */
export function compareWithSnapshot(
  snapshot: string | undefined,
  plan: Plan,
  now: Date,
): PlanChange[] | undefined {
  const previous = readSnapshot(snapshot);
  if (!previous || !isComparable(plan)) return undefined;
  const { posts, later, end } = plan;
  return plan.projects.flatMap(({ id }) => {
    const snapshotPosts = new Map(Object.entries(previous.projects)).get(id);
    // Without this check, all posts of a newly added project would count as new.
    if (!snapshotPosts) return [];
    const knownPosts = new Map(Object.entries(snapshotPosts));
    const current = indexPosts([...posts, ...(later ?? [])], id);
    return compareProject(knownPosts, current, { previous, now, end, isHeldUnclear: later === undefined });
  });
}

/** Finds a project's changes until `end`. `isHeldUnclear`: Upnext may keep more posts. A new draft has its own note. */
function compareProject(
  knownPosts: ReadonlyMap<string, SnapshotPost>,
  current: ReadonlyMap<string, PlannedPost>,
  { previous, now, end, isHeldUnclear }: { previous: Snapshot; now: Date; end: Date; isHeldUnclear: boolean },
): PlanChange[] {
  const changes = [...current].flatMap(([id, planned]): PlanChange[] => {
    if (isDraft(planned)) return [];
    const knownPost = knownPosts.get(id);
    if (knownPost) return comparePost(planned, knownPost, end);
    // Posts outside the range of the snapshot may have existed before.
    const at = planned.scheduledAt.getTime();
    return at > previous.from && at < previous.to ? [{ kind: 'added', planned }] : [];
  });
  const removed = [...knownPosts]
    .filter(([id]) => !current.has(id) && !(isHeldUnclear && id.startsWith(HELD_PREFIX)))
    .map(([, [minute]]) => ({ kind: 'removed', previousAt: minuteToDate(minute) }) as const)
    .filter(({ previousAt }) => previousAt > now && previousAt < end);
  return [...changes, ...removed];
}

function comparePost(
  planned: PlannedPost,
  [minute, wasPublished, hash]: SnapshotPost,
  end: Date,
): PlanChange[] {
  const previousAt = minuteToDate(minute);
  if (planned.scheduledAt >= end && previousAt >= end) return [];
  const [currentMinute, isPublished, currentHash] = buildSnapshotPost(planned);
  const changes: PlanChange[] = isPublished && !wasPublished ? [{ kind: 'published', planned }] : [];
  if (currentMinute !== minute) return [...changes, { kind: 'rescheduled', planned, previousAt }];
  return currentHash === hash ? changes : [...changes, { kind: 'rewritten', planned }];
}

const HELD_PREFIX = 'held.';

/** Indexes a project's posts by id. Posts without one are left out. A post that Upnext handed over keeps its earlier id. */
function indexPosts(posts: readonly PlannedPost[], project: string): Map<string, PlannedPost> {
  const projectPosts = posts.filter((planned) => planned.project.id === project);
  return new Map(
    projectPosts.flatMap((planned) => {
      const id = planned.heldId === undefined ? planned.post.id : `${HELD_PREFIX}${planned.heldId}`;
      return id === undefined ? [] : [[id, planned]];
    }),
  );
}

function buildSnapshotPost(planned: PlannedPost): SnapshotPost {
  const { content, media, platforms } = planned.post;
  // Of a post with several texts, the service has several posts, and doesn't say which text is the main one.
  const texts = platforms
    .toSorted()
    .map((name) => [name, normalizeText(findOwnText(planned.post, name) ?? content)]);
  const identity = [
    texts.length === 0 ? normalizeText(content) : texts,
    media,
    ...listFurtherIdentity(planned.post),
  ];
  const hash = createHash('sha256')
    .update(JSON.stringify(identity))
    .digest('base64url')
    .slice(0, HASH_LENGTH);
  return [Math.floor(planned.scheduledAt.getTime() / MINUTE_MS), hasStatus(planned.post, 'PUBLISHED'), hash];
}

function minuteToDate(minute: number): Date {
  return new Date(minute * MINUTE_MS);
}

function parseSnapshot(snapshot: string): unknown {
  try {
    return JSON.parse(snapshot);
  } catch {
    return undefined;
  }
}
