import { createHash } from 'node:crypto';
import { z } from 'zod';
import { listFurtherIdentity } from '../../api/post-fields.ts';
import { MINUTE_MS } from '../../durations.ts';
import { getStatus, isDraft, type Plan, type PlannedPost } from './plan.ts';

/** A post in a snapshot: its publishing time in minutes since 1970, whether it was published, and a hash of its content. */
const snapshotPost = z.tuple([z.number(), z.boolean(), z.string()]);
type SnapshotPost = z.infer<typeof snapshotPost>;

/**
 * The posts at the time of the last digest. They are stored because the service keeps no history. A snapshot contains
 * no post content.
 */
const snapshotSchema = z.object({
  version: z.literal(2),
  /** The range that was read, in ms since 1970. */
  from: z.number(),
  to: z.number(),
  /** By project id, then by post id. */
  projects: z.record(z.string(), z.record(z.string(), snapshotPost)),
});
type Snapshot = z.infer<typeof snapshotSchema>;

/** The changes of the plan since the last digest. */
export interface Changes {
  publishedCount: number;
  added: readonly PlannedPost[];
  rescheduled: readonly { planned: PlannedPost; previousAt: Date }[];
  rewritten: readonly PlannedPost[];
  /** The former publishing times of posts that are no longer in the plan. */
  removed: readonly Date[];
}

/**
 * Maximum number of posts in a snapshot. A post takes about 60 bytes. A larger plan has no snapshot, so its changes
 * aren't reported.
 */
const MAX_POSTS = 300;
const HASH_LENGTH = 8;

/** Creates the snapshot for the next digest; undefined if it would be too large or incomplete. */
export function takeSnapshot(plan: Plan, now: Date): string | undefined {
  // Leaves out posts after `end`. The next digest may not read that far, and would report them as removed.
  const posts = plan.posts.filter(({ scheduledAt }) => scheduledAt < plan.end);
  if (!plan.isComplete || posts.length > MAX_POSTS) return undefined;
  const projects = Object.fromEntries(
    plan.projects.map(({ id }) => {
      const entries = [...indexPosts(posts, id)].map(
        ([postId, planned]) => [postId, buildSnapshotPost(planned)] as const,
      );
      return [id, Object.fromEntries(entries)];
    }),
  );
  const snapshot: Snapshot = { version: 2, from: now.getTime(), to: plan.end.getTime(), projects };
  return JSON.stringify(snapshot);
}

/** Lists the ids of the projects of the last digest. */
export function listSnapshotProjects(snapshot: string | undefined): string[] {
  return Object.keys(readSnapshot(snapshot)?.projects ?? {});
}

function readSnapshot(snapshot: string | undefined): Snapshot | undefined {
  return snapshot === undefined ? undefined : snapshotSchema.safeParse(parseSnapshot(snapshot)).data;
}

/**
 * Compares the plan with the last digest's snapshot. Undefined if the snapshot is unreadable or the plan incomplete.
 */
export function compareWithSnapshot(
  snapshot: string | undefined,
  plan: Plan,
  now: Date,
): Changes | undefined {
  const previous = readSnapshot(snapshot);
  if (!previous || !plan.isComplete) return undefined;
  const projectChanges = plan.projects.flatMap(({ id }) => {
    const snapshotPosts = new Map(Object.entries(previous.projects)).get(id);
    // Without this check, all posts of a newly added project would count as new.
    if (!snapshotPosts) return [];
    const knownPosts = new Map(Object.entries(snapshotPosts));
    return [compareProject(knownPosts, indexPosts(plan.posts, id), { previous, now })];
  });
  return {
    publishedCount: projectChanges.reduce((sum, { publishedCount }) => sum + publishedCount, 0),
    added: projectChanges.flatMap(({ added }) => added),
    rescheduled: projectChanges.flatMap(({ rescheduled }) => rescheduled),
    rewritten: projectChanges.flatMap(({ rewritten }) => rewritten),
    removed: projectChanges.flatMap(({ removed }) => removed),
  };
}

/** Finds the changes of one project. */
function compareProject(
  knownPosts: ReadonlyMap<string, SnapshotPost>,
  current: ReadonlyMap<string, PlannedPost>,
  { previous, now }: { previous: Snapshot; now: Date },
): Changes {
  const pairs = [...current].flatMap(([id, planned]) => {
    const previousPost = knownPosts.get(id);
    return previousPost ? [{ planned, previousPost, currentPost: buildSnapshotPost(planned) }] : [];
  });
  const isRescheduled = ({
    previousPost,
    currentPost,
  }: {
    previousPost: SnapshotPost;
    currentPost: SnapshotPost;
  }) => previousPost[0] !== currentPost[0];
  return {
    publishedCount: pairs.filter(({ previousPost, currentPost }) => currentPost[1] && !previousPost[1])
      .length,
    // Posts outside the range of the snapshot may have existed before.
    added: [...current]
      .filter(
        ([id, { scheduledAt }]) =>
          !knownPosts.has(id) && scheduledAt.getTime() > previous.from && scheduledAt.getTime() < previous.to,
      )
      .map(([, planned]) => planned),
    rescheduled: pairs
      .filter(isRescheduled)
      .map(({ planned, previousPost: [minute] }) => ({ planned, previousAt: minuteToDate(minute) })),
    rewritten: pairs
      .filter((pair) => !isRescheduled(pair) && pair.previousPost[2] !== pair.currentPost[2])
      .map(({ planned }) => planned),
    removed: [...knownPosts]
      .filter(([id, [minute]]) => !current.has(id) && minuteToDate(minute) > now)
      .map(([, [minute]]) => minuteToDate(minute)),
  };
}

export function hasChanges({ publishedCount, added, rescheduled, rewritten, removed }: Changes): boolean {
  return publishedCount + added.length + rescheduled.length + rewritten.length + removed.length > 0;
}

/**
 * Indexes the posts of a project by id. A post that Upnext handed over keeps the id that it had before. Skips drafts and
 * posts without an id.
 */
function indexPosts(posts: readonly PlannedPost[], project: string): Map<string, PlannedPost> {
  const projectPosts = posts.filter((planned) => planned.project.id === project && !isDraft(planned));
  return new Map(
    projectPosts.flatMap((planned) => {
      const id = planned.heldId === undefined ? planned.post.id : `held.${planned.heldId}`;
      return id === undefined ? [] : [[id, planned]];
    }),
  );
}

function buildSnapshotPost(planned: PlannedPost): SnapshotPost {
  const { content, media, platforms } = planned.post;
  const identity = [content?.trim(), media, [...platforms].sort(), ...listFurtherIdentity(planned.post)];
  const hash = createHash('sha256')
    .update(JSON.stringify(identity))
    .digest('base64url')
    .slice(0, HASH_LENGTH);
  return [Math.floor(planned.scheduledAt.getTime() / MINUTE_MS), getStatus(planned) === 'PUBLISHED', hash];
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
