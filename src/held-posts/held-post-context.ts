import type { WebClient } from '@slack/web-api';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Role, RoleHolderLists } from '../access/access.ts';
import type { CachedReads } from '../api/cached-reads.ts';
import type { Post } from '../api/posts.ts';
import { addMs, type Clock } from '../engine/clock.ts';
import type { Engine, Registered } from '../engine/engine.ts';
import type { HeldState } from '../posts/state-copy.ts';
import { type Blackout, findBlackout } from '../preferences/posting-times.ts';
import { computeHandOverAt, type ProjectPolicy } from '../preferences/project-policy.ts';
import type { Log } from '../slack/log.ts';
import type { Queryable } from '../store/database.ts';
import { readContent } from '../submissions/content.ts';
import type { PostKind } from '../submissions/kind.ts';
import { computePostColumns } from '../submissions/save.ts';
import type { Submissions } from '../submissions/submissions.ts';
import { isZone } from '../when/zones.ts';
import { type HeldPostRow, type HeldPostTables, STORED_STATES } from './held-post.ts';
import type { HeldPostPace } from './pace.ts';
import type { SeriesRow, SeriesState } from './series/series.ts';
import type { HeldPostEventRow } from './sql/events.ts';

export interface HeldPostOptions {
  db: Kysely<HeldPostTables>;
  submissions: Submissions;
  /** The kind of posts. */
  kind: PostKind<unknown>;
  /** Finds the people who may approve posts, or manage a project. */
  approvers: Pick<RoleHolderLists, 'listRoleHolders' | 'listGroupMembers'>;
  /** The posts of the service, which keep others from their slots, and the names of its projects. */
  reads: Pick<CachedReads, 'listPlannedTimes' | 'getLastProjects'>;
  pace?: HeldPostPace;
  log: Log;
  clock: Clock;
  engine: Engine;
  /** Finds the Slack client. Undefined if the app isn't installed, and `unknown` if that couldn't be checked. */
  findSlackClient(workspace: string): Promise<WebClient | 'unknown' | undefined>;
}

export interface HeldPostContext extends Required<Omit<HeldPostOptions, 'engine'>> {
  verbs: Registered<HeldState, never, HeldPostRow>;
  seriesVerbs: Registered<SeriesState, never, SeriesRow>;
  /** Whether this instance has yet to continue what waits for a service that is connected again since its start. */
  startup: { isDue: boolean };
}

/** Decrypts the content of a held post. Undefined if it was purged or is unreadable. */
export function readHeldContent(
  { submissions, kind, log }: Pick<HeldPostContext, 'submissions' | 'kind' | 'log'>,
  row: Pick<HeldPostRow, 'id' | 'content' | 'workspace'>,
): { content: unknown } | undefined {
  return readContent({ encryption: submissions.context.encryption, log }, kind, row);
}

/** Describes the content of a post or a series as people see it. Without one, there is no post. */
export function describeContent(
  { kind }: Pick<HeldPostContext, 'kind'>,
  held: { content: unknown } | undefined,
): { post: Post | undefined; project: string } {
  return {
    post: held && kind.post.toPost(held.content),
    project: (held && kind.getProject(held.content)?.name) ?? 'Unknown project',
  };
}

/** The state of a post with this content that waits for its hand-over or its review. */
export function findStateOfContent(
  { kind }: Pick<HeldPostContext, 'kind'>,
  content: unknown,
  inReview: boolean,
): 'draft' | 'held' | 'awaiting-review' {
  if (kind.post.isDraft(content) || kind.post.getTime(content) === undefined) return 'draft';
  return inReview ? 'awaiting-review' : 'held';
}

/** Reads a held post as people see it. Undefined if its content was purged or is unreadable. */
export function readHeldPost(
  context: Pick<HeldPostContext, 'submissions' | 'kind' | 'log'>,
  row: Pick<HeldPostRow, 'id' | 'content' | 'workspace'>,
): Post | undefined {
  const held = readHeldContent(context, row);
  return held && context.kind.post.toPost(held.content);
}

/** Encrypts a content, a comment or a reason. */
export function encryptJson(
  { submissions }: Pick<HeldPostContext, 'submissions'>,
  workspace: string,
  value: unknown,
): string {
  return submissions.context.encryption.encrypt(JSON.stringify(value), workspace);
}

/** Decrypts the text of a comment or of a reason. Undefined if the event has none. */
export function readEventText(
  { submissions, log }: Pick<HeldPostContext, 'submissions' | 'log'>,
  event: Pick<HeldPostEventRow, 'id' | 'content' | 'workspace'>,
): string | undefined {
  if (event.content === null) return undefined;
  const { encryption } = submissions.context;
  const content = readContent({ encryption, log }, { content: z.unknown() }, event)?.content;
  return typeof content === 'string' ? content : undefined;
}

export async function createContentColumns(
  context: Pick<HeldPostContext, 'submissions' | 'kind' | 'clock'>,
  workspace: string,
  content: unknown,
  policy: Pick<ProjectPolicy, 'leadMinutes'>,
): Promise<Pick<HeldPostRow, 'content' | 'content_hash' | 'platforms' | 'publish_at' | 'hand_over_at'>> {
  const { kind, submissions } = context;
  const columns = await computePostColumns(submissions.context, kind.post, { workspace, content });
  const { publish_at: publishAt } = columns;
  return {
    content: encryptJson(context, workspace, content),
    ...columns,
    hand_over_at: publishAt && computeHandOverAt(policy, publishAt, context.clock.now()),
  };
}

/**
 * Returns the role that a change of the post requires. Authors may change their own drafts and posts in review. All other
 * posts are scheduled, and changing one needs the role that schedules.
 */
export function getEditRole(context: HeldPostContext, row: HeldPostRow, actor: string): Role {
  const content = readHeldContent(context, row)?.content;
  const isDraft = content !== undefined && context.kind.post.isDraft(content);
  // Of a deleted post, nothing is left to change.
  const isUnscheduled = row.in_review || isDraft || row.content === null;
  return row.author === actor && isUnscheduled ? 'contributor' : 'publisher';
}

/** Computes when a post's next step is due, on the shared clock. Null if it waits for a person. */
export function computeNextAt(
  context: Pick<HeldPostContext, 'clock' | 'pace'>,
  state: HeldState,
  { hand_over_at: handOverAt }: Pick<HeldPostRow, 'hand_over_at'>,
): Date | null {
  if (handOverAt === null || (state !== 'held' && state !== 'awaiting-review')) return null;
  return computeDueAt(context, state, handOverAt);
}

/**
 * Computes when the next check whether somebody may still schedule a post is due, or the next reminder of its
 * reviewers: at the latest its hand-over. On the shared clock.
 */
export function computeDueAt(
  { clock, pace }: Pick<HeldPostContext, 'clock' | 'pace'>,
  state: 'held' | 'awaiting-review',
  handOverAt: Date,
): Date {
  const now = clock.now();
  const times =
    state === 'held'
      ? [addMs(now, pace.authorityCheckMs)]
      : pace.remindersMs.map((ms) => addMs(handOverAt, -ms));
  const next = times.find((time) => time > now && time < handOverAt);
  return clock.toShared(next ?? (handOverAt > now ? handOverAt : now));
}

/** Wakes this instance for a new post: when something is due, and when somebody is to be notified. */
export function wakeFor(
  { verbs }: Pick<HeldPostContext, 'verbs'>,
  { next_at, notify_at }: Partial<Record<'next_at' | 'notify_at', Date | null | undefined>>,
): void {
  for (const time of [next_at, notify_at]) if (time) verbs.wake(time);
}

/** The columns of a post that Upnext sends for review, because it needs approvals that it doesn't have. */
export function buildReviewColumns(
  context: Pick<HeldPostContext, 'clock' | 'pace'>,
  row: Pick<HeldPostRow, 'hand_over_at'>,
) {
  const next_at = computeNextAt(context, 'awaiting-review', row) ?? context.clock.readShared();
  return { in_review: true, approver: null, checks: 0, next_at };
}

/** Computes how long the reviewers of a post of a series aren't asked yet, ms. 0 for a post that isn't reviewed. */
export function computeReviewDelayMs(
  { clock, pace }: Pick<HeldPostContext, 'clock' | 'pace'>,
  { in_review: inReview, hand_over_at: handOverAt }: Pick<HeldPostRow, 'in_review' | 'hand_over_at'>,
): number {
  if (!inReview || handOverAt === null) return 0;
  return Math.max(0, handOverAt.getTime() - pace.seriesReviewMs - clock.now().getTime());
}

/** Finds the current name of a post's project, which has the name that it was written with. Undefined if it isn't known. */
export async function findProjectName(
  context: Pick<HeldPostContext, 'submissions' | 'reads'>,
  row: Pick<HeldPostRow, 'workspace' | 'project'>,
): Promise<string | undefined> {
  const api = await context.submissions.context.findApiClient(row.workspace);
  return api && context.reads.getLastProjects(api)?.items.find(({ id }) => id === row.project)?.name;
}

/** Thrown inside a transaction, which is then rolled back, because somebody else has changed a row meanwhile. */
export class ChangedMeanwhile extends Error {
  override name = 'ChangedMeanwhile';
}

/** Runs a transaction. Resolves with undefined, and changes nothing, if it throws `ChangedMeanwhile`. */
export async function commitUnlessChanged<Result>(
  { db }: { db: Kysely<HeldPostTables> },
  change: (transaction: Transaction<HeldPostTables>) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await db.transaction().execute(change);
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return undefined;
    throw error;
  }
}

/** Finds the first blackout days that a post is on, in its own time zone. 'unknown': the zone couldn't be read. */
export function findPostBlackout(
  context: Parameters<typeof readHeldPost>[0],
  row: Parameters<typeof readHeldPost>[1] & Pick<HeldPostRow, 'publish_at'>,
  blackouts: readonly Blackout[],
): Blackout | 'none' | 'unknown' {
  const { publish_at: instant } = row;
  if (instant === null || blackouts.length === 0) return 'none';
  const { timezone: zone } = readHeldPost(context, row) ?? {};
  if (zone === undefined || !isZone(zone)) return 'unknown';
  return findBlackout({ blackouts }, { instant, zone }) ?? 'none';
}

export function describeWithoutTime({ kind }: Pick<HeldPostContext, 'kind'>, content: unknown): string {
  const { describeRequest, moveTo } = kind.post;
  return JSON.stringify(describeRequest(moveTo(content, { instant: new Date(0), zone: 'UTC' })));
}

/**
 * Reads the posts of a project by their requests without a time: a row that takes a slot gets another time in each import,
 * so the hash of its content says nothing. `origin`: the posts of this form are left out. `since`: those that were stored
 * before are left out.
 */
export async function readPostsWithoutTime(
  context: HeldPostContext,
  db: Queryable<HeldPostTables>,
  filter: Pick<HeldPostRow, 'workspace' | 'project'> & { origin?: string; since?: Date },
): Promise<Map<string, HeldPostRow>> {
  const { workspace, project, origin, since } = filter;
  const rows = await db
    .selectFrom('held_post')
    .selectAll()
    .where(({ and }) => and({ workspace, project }))
    .where('state', 'in', STORED_STATES)
    .where('content', 'is not', null)
    .$if(origin !== undefined, (query) => query.where('origin', '!=', origin ?? ''))
    .$if(since !== undefined, (query) => query.where('created_at', '>=', since ?? new Date(0)))
    .execute();
  return new Map(
    rows.flatMap((row) => {
      const held = readHeldContent(context, row);
      return held ? [[describeWithoutTime(context, held.content), row] as const] : [];
    }),
  );
}
