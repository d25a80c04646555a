import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isDraft, type Plan, type PlannedPost, statusOf } from './plan.ts';

/** A post: its moment in minutes since 1970, whether it was published, and a hash of everything else. */
const postState = z.tuple([z.number(), z.boolean(), z.string()]);
type PostState = z.infer<typeof postState>;

/** The posts at the time of the last digest, because the service has no history. It contains no post content. */
const snapshotSchema = z.object({
  version: z.literal(2),
  /** The range that was read, in ms since 1970. */
  from: z.number(),
  to: z.number(),
  /** By project id, then by post id. */
  projects: z.record(z.string(), z.record(z.string(), postState)),
});
type Snapshot = z.infer<typeof snapshotSchema>;

/** How the plan changed since the last digest. */
export interface Changes {
  published: number;
  added: readonly PlannedPost[];
  moved: readonly { planned: PlannedPost; was: Date }[];
  rewritten: readonly PlannedPost[];
  /** When posts were scheduled that are no longer in the plan. */
  gone: readonly Date[];
}

const MINUTE_MS = 60_000;
/** Posts in a snapshot, about 60 bytes each. A larger plan gets no snapshot, so its changes aren't reported. */
const MAX_POSTS = 300;
const HASH_LENGTH = 8;

/** Creates the snapshot for the next digest; undefined if it would be too large or incomplete. */
export function takeSnapshot(plan: Plan, now: Date): string | undefined {
  // Posts after `until` aren't read every time.
  const posts = plan.posts.filter(({ at }) => at < plan.until);
  if (!plan.isComplete || posts.length > MAX_POSTS) return undefined;
  const projects = Object.fromEntries(
    plan.projects.map(({ id }) => {
      const states = [...byId(posts, id)].map(([post, planned]) => [post, stateOf(planned)] as const);
      return [id, Object.fromEntries(states)];
    }),
  );
  const snapshot: Snapshot = { version: 2, from: now.getTime(), to: plan.until.getTime(), projects };
  return JSON.stringify(snapshot);
}

/** Compares the plan with the last digest's snapshot. Undefined without a readable snapshot or a complete plan. */
export function compareWithSnapshot(
  snapshot: string | undefined,
  plan: Plan,
  now: Date,
): Changes | undefined {
  const before = snapshot === undefined ? undefined : snapshotSchema.safeParse(parseSnapshot(snapshot)).data;
  if (!before || !plan.isComplete) return undefined;
  const all = plan.projects.flatMap(({ id }) => {
    const known = new Map(Object.entries(before.projects)).get(id);
    // A project that the last digest didn't cover would consist of new posts only.
    return known ? [changesIn(new Map(Object.entries(known)), byId(plan.posts, id), { before, now })] : [];
  });
  return {
    published: all.reduce((sum, { published }) => sum + published, 0),
    added: all.flatMap(({ added }) => added),
    moved: all.flatMap(({ moved }) => moved),
    rewritten: all.flatMap(({ rewritten }) => rewritten),
    gone: all.flatMap(({ gone }) => gone),
  };
}

/** The changes of one project. */
function changesIn(
  known: ReadonlyMap<string, PostState>,
  current: ReadonlyMap<string, PlannedPost>,
  { before, now }: { before: Snapshot; now: Date },
): Changes {
  const both = [...current].flatMap(([id, planned]) => {
    const was = known.get(id);
    return was ? [{ planned, was, is: stateOf(planned) }] : [];
  });
  const isMoved = ({ was, is }: { was: PostState; is: PostState }) => was[0] !== is[0];
  return {
    published: both.filter(({ was, is }) => is[1] && !was[1]).length,
    // Posts outside the range of the snapshot may have existed before.
    added: [...current]
      .filter(([id, { at }]) => !known.has(id) && at.getTime() > before.from && at.getTime() < before.to)
      .map(([, planned]) => planned),
    moved: both.filter(isMoved).map(({ planned, was: [minute] }) => ({ planned, was: momentOf(minute) })),
    rewritten: both.filter((one) => !isMoved(one) && one.was[2] !== one.is[2]).map(({ planned }) => planned),
    gone: [...known]
      .filter(([id, [minute]]) => !current.has(id) && momentOf(minute) > now)
      .map(([, [minute]]) => momentOf(minute)),
  };
}

export function isChange({ published, added, moved, rewritten, gone }: Changes): boolean {
  return published + added.length + moved.length + rewritten.length + gone.length > 0;
}

function byId(posts: readonly PlannedPost[], project: string): Map<string, PlannedPost> {
  const own = posts.filter((planned) => planned.project.id === project && !isDraft(planned));
  return new Map(
    own.flatMap((planned) => (planned.post.id === undefined ? [] : [[planned.post.id, planned]])),
  );
}

function stateOf(planned: PlannedPost): PostState {
  const { content, media, platforms } = planned.post;
  const hash = createHash('sha256')
    .update(JSON.stringify([content?.trim(), media, [...platforms].sort()]))
    .digest('base64url')
    .slice(0, HASH_LENGTH);
  return [Math.floor(planned.at.getTime() / MINUTE_MS), statusOf(planned) === 'PUBLISHED', hash];
}

function momentOf(minute: number): Date {
  return new Date(minute * MINUTE_MS);
}

function parseSnapshot(snapshot: string): unknown {
  try {
    return JSON.parse(snapshot);
  } catch {
    return undefined;
  }
}
