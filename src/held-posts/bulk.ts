import { z } from 'zod';
import type { Role } from '../access/access.ts';
import { addMs } from '../engine/clock.ts';
import { createPermit, type Permit } from '../engine/permit.ts';
import { type KnownNotifications, postponeNotifications } from '../engine/sql/notifications.ts';
import { shiftTime } from '../posts/post-time.ts';
import { mapLimited } from '../promises.ts';
import { isTransient } from '../slack/slack-errors.ts';
import { createReaders } from '../submissions/shown.ts';
import { type ChangeResult, cancelHeldPost, type Press } from './change.ts';
import { continueHeldPost, moveHeldPost, restoreCancelledPost } from './decisions.ts';
import { HELD_POST_STORAGE, type HeldPostRow } from './held-post.ts';
import { type HeldPostContext, readHeldPost } from './held-post-context.ts';
import { renderHiddenNotice } from './notices/notice-text.ts';
import { notifyOfPost } from './notices/notify-of-post.ts';
import { approveHeldPost, type SeenPress } from './review/decide.ts';
import { resumeSeries } from './series/change-series.ts';
import { findLastEvents } from './sql/events.ts';
import { findHeldPost } from './sql/held-posts.ts';
import { type BulkChange, renderBulkNotice } from './text/bulk-text.ts';

/** The kind and version of a stored selection. */
export const SELECTION_KIND = 'held-selection.3';

/** The held posts of a list, with the version that the person saw. A list stores them for its buttons. */
export const heldSelection = z.object({
  /** The project's id in the service. */
  project: z.string(),
  posts: z.array(
    z.object({
      ...{ id: z.string(), version: z.number(), hash: z.string(), mayApprove: z.boolean().optional() },
      /** Whether the service has a part of it. */
      isPartlySent: z.boolean().optional(),
      /** The time before a move, to which [Undo move] moves the post back; ISO 8601. */
      movedFrom: z.string().optional(),
      /** When it was cancelled, so that [Restore them] leaves alone what was cancelled again since; ISO 8601. */
      cancelledAt: z.string().optional(),
    }),
  ),
});
export type HeldSelection = z.infer<typeof heldSelection>;

/** Whether the person may change a post: as it was when they pressed, and the role that is checked again before each post. */
interface BulkPermission {
  getRole(row: HeldPostRow): Role;
  mayAtPress(role: Role, project: string): boolean;
}

/**
 * Changes each post that is as the person saw it, and tells their authors. Each change is authorized and compared alone,
 * because somebody may lose the role while hundreds of posts are changed. Without `permission`, it follows from a press
 * that was for no single post.
 */
export async function changeAll(
  context: HeldPostContext,
  {
    workspace,
    actor,
    posts,
    prepareEntry,
  }: Pick<HeldSelection, 'posts'> & Pick<Press, 'workspace' | 'actor' | 'prepareEntry'>,
  change: BulkChange,
  permission?: BulkPermission,
) {
  /** The times of the posts before the change, by id. */
  const earlierTimes = new Map<string, Date>();
  const results = await mapLimited(posts, async (post): Promise<ChangeResult> => {
    const row = await findHeldPost(context.db, { id: post.id, workspace });
    if (!row) return { kind: 'not-found' };
    if (row.publish_at) earlierTimes.set(row.id, row.publish_at);
    const obstacle = permission && (await findObstacle(context, row, actor, permission));
    if (obstacle) return { kind: obstacle, row };
    const press = {
      ...post,
      workspace,
      actor,
      notifyAfterMs: context.pace.notifyLeaseMs,
      ...(prepareEntry && { prepareEntry }),
    };
    return changeOne(context, row, press, change);
  });
  const done = results.flatMap((result) => (result.kind === 'changed' ? [result.row] : []));
  await notifyAfterBulkChange(context, { workspace, actor, kind: change.kind, rows: done });
  return { done, earlierTimes, refused: results.filter((result) => result.kind !== 'changed') };
}

/** Finds out why the person may not change a post now. The roles are read again at most every few seconds. */
async function findObstacle(
  { kind, submissions }: HeldPostContext,
  row: HeldPostRow,
  user: string,
  { getRole, mayAtPress }: BulkPermission,
): Promise<'not-allowed' | 'role-lost' | 'role-not-checked' | undefined> {
  const { workspace, project } = row;
  const role = getRole(row);
  if (!mayAtPress(role, project)) return 'not-allowed';
  const subject = { project, kind: kind.name, isInRequest: true, isRecorded: false };
  const answer = await submissions.context.checkPermission({ workspace, user }, role, subject);
  if (answer === 'yes') return undefined;
  return answer === 'no' ? 'role-lost' : 'role-not-checked';
}

async function changeOne(
  context: HeldPostContext,
  row: HeldPostRow,
  press: SeenPress & Pick<HeldSelection['posts'][number], 'movedFrom' | 'cancelledAt'>,
  change: BulkChange,
): Promise<ChangeResult> {
  if (change.kind === 'cancel') return cancelHeldPost(context, press);
  if (change.kind === 'restore')
    return row.state === 'cancelled' && row.changed_at.toISOString() === press.cancelledAt
      ? restoreCancelledPost(context, press)
      : { kind: 'outdated', row };
  if (change.kind === 'approve') return approveHeldPost(context, press);
  if (change.kind === 'continue') return continueHeldPost(context, press);
  if (row.publish_at === null) return { kind: 'no-time', row };
  // In the zone of the post, a day later has the same time on the clock.
  const { timezone: zone = 'UTC' } = readHeldPost(context, row) ?? {};
  const instant =
    change.kind === 'move'
      ? shiftTime(row.publish_at, zone, change.shift)
      : new Date(press.movedFrom ?? row.publish_at);
  if (instant <= context.clock.now()) return { kind: 'past', row };
  return moveHeldPost(context, press, { instant, isScheduled: false });
}

/**
 * Goes on with the posts and series that stand still because their project wasn't at the connected service, if it is there
 * again. A detour over another service then needs no press on each post. The actor is whoever has connected the service, ''
 * if that is the operator.
 */
export async function continueAtService(
  context: HeldPostContext,
  press: Pick<Press, 'workspace' | 'actor' | 'prepareEntry'>,
): Promise<void> {
  const { workspace } = press;
  const pausedSeries = await context.db
    .selectFrom('series')
    .select(['id', 'workspace', 'project', 'version', 'author'])
    .where(({ and }) => and({ workspace, state: 'paused', reason: 'other-service' }))
    .execute();
  for (const { author, ...series } of pausedSeries)
    if (await context.submissions.context.findApiClient(workspace, series.project))
      await resumeSeries(context, { ...press, ...series, actor: press.actor === '' ? author : press.actor });
  const posts = await context.db
    .selectFrom('held_post')
    .select(['id', 'version', 'content_hash as hash'])
    .where(({ and }) => and({ workspace, state: 'needs-person', reason: 'other-service' }))
    .execute();
  await changeAll(context, { ...press, posts }, { kind: 'continue' });
}

/** Does the same for all workspaces after this instance has started, because the settings may name a service again. */
export async function continueAfterStart(context: HeldPostContext): Promise<void> {
  const { db, startup } = context;
  if (!startup.isDue) return;
  startup.isDue = false;
  try {
    const workspaces = await db
      .selectFrom('held_post')
      .select('workspace')
      .where(({ and }) => and({ state: 'needs-person', reason: 'other-service' }))
      .union(
        db
          .selectFrom('series')
          .select('workspace')
          .where(({ and }) => and({ state: 'paused', reason: 'other-service' })),
      )
      .execute();
    for (const { workspace } of workspaces) await continueAtService(context, { workspace, actor: '' });
  } catch (error) {
    startup.isDue = true;
    throw error;
  }
}

/**
 * Counts the posts that need a review, of which a move voids the approvals, and those that a change brings back after
 * their time. A cancelled post needs nothing.
 */
export function countWaiting(
  kind: BulkChange['kind'],
  rows: readonly HeldPostRow[],
): { reviewCount: number; overdueCount: number } {
  const isBack = kind === 'restore' || kind === 'continue';
  return {
    reviewCount: rows.filter(({ state }) => kind !== 'cancel' && state === 'awaiting-review').length,
    overdueCount: rows.filter(({ state }) => isBack && state === 'needs-person').length,
  };
}

/** Posts that one press has changed, with notifications that are due later. */
interface ChangedPosts {
  workspace: string;
  /** The Slack id of the person. */
  actor: string;
  kind: BulkChange['kind'];
  rows: readonly HeldPostRow[];
}

/**
 * Tells each author once what somebody did with several of their posts, and makes the notifications of the posts due,
 * which then leave that out. If the instance ends before, they are due by themselves, and look for the message first.
 */
async function notifyAfterBulkChange(context: HeldPostContext, changed: ChangedPosts): Promise<void> {
  for (const [author, rows] of Map.groupBy(changed.rows, (row) => row.author)) {
    const needsSummary = rows.length > 1 && author !== changed.actor;
    const pending = needsSummary
      ? await notifyAuthorOnce(context, { ...changed, rows }, author)
      : listPending(rows);
    await postpone(context, pending, { notify_at: context.clock.readShared(), notifying_since: null });
  }
  context.verbs.wake();
}

function listPending(rows: readonly HeldPostRow[]): KnownNotifications[] {
  return rows.flatMap(({ id, notify_at: notifyAt }) => (notifyAt ? [{ ids: [id], notifyAt }] : []));
}

/** With more rows in a statement, Postgres may read the whole table. */
const MAX_ROWS_PER_STATEMENT = 50;

/** Skips what was claimed or changed meanwhile. */
async function postpone(
  { db }: HeldPostContext,
  pending: readonly KnownNotifications[],
  change: { notify_at: Date; notifying_since: Date | null },
): Promise<void> {
  for (let start = 0; start < pending.length; start += MAX_ROWS_PER_STATEMENT) {
    const known = pending.slice(start, start + MAX_ROWS_PER_STATEMENT);
    await postponeNotifications(db, HELD_POST_STORAGE.table, known, change);
  }
}

/**
 * Resolves with the notifications that may be sent now. There are none if the message wasn't sent or recorded: it may be
 * in Slack, so the notifications look for it when they are due. Never throws, because the posts are changed already.
 */
async function notifyAuthorOnce(
  context: HeldPostContext,
  { kind, workspace, actor, rows }: ChangedPosts,
  author: string,
): Promise<readonly KnownNotifications[]> {
  const { db, clock, log, pace } = context;
  const posts = rows.map(({ id }) => id);
  let pending = listPending(rows);
  async function begin(): Promise<Permit> {
    const permit = createPermit(pace.notifyLeaseMs / 2);
    const now = clock.readShared();
    const claimedUntil = addMs(now, pace.notifyLeaseMs);
    await postpone(context, pending, { notify_at: claimedUntil, notifying_since: now });
    pending = pending.map(({ ids }) => ({ ids, notifyAt: claimedUntil }));
    return permit;
  }
  try {
    const client = await context.findSlackClient(workspace);
    const [row] = rows;
    if (!row || !client || client === 'unknown') return [];
    const events = await findLastEvents(db, { workspace, posts, actor });
    const readers = createReaders(context.submissions.context, client, row);
    const notification = { context, client, row, readers, attempt: { earlierSince: undefined, begin } };
    const isTold = await notifyOfPost(notification, {
      ...{ rows, purpose: 'author', to: author, recipient: author },
      getTold: ({ id }) => [events.get(id) ?? ''],
      renderHidden: ({ length }) => renderHiddenNotice('author', length),
      render: () => {
        const changed = rows.map((each) => readHeldPost(context, each));
        return renderBulkNotice(kind, { actor, posts: changed, ...countWaiting(kind, rows) }, clock.now());
      },
    });
    return isTold ? pending : [];
  } catch (error) {
    if (!isTransient(error))
      log.warn({ author, err: error }, 'could not notify the author of several held posts');
    return [];
  }
}
