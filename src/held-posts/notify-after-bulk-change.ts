import { addMs } from '../engine/clock.ts';
import { createPermit, type Permit } from '../engine/permit.ts';
import { postponeNotifications } from '../engine/sql/notifications.ts';
import { isTransient } from '../slack/slack-errors.ts';
import { tellOnce } from '../slack/tell-once.ts';
import type { BulkChange } from './bulk-change.ts';
import { HELD_POST_STORAGE, type HeldPostRow } from './held-post.ts';
import { type HeldPostContext, readHeldContent } from './held-post-context.ts';
import { findLastEvents } from './sql/events.ts';
import { saveHeldPostMessage } from './sql/messages.ts';
import { getSubject } from './tell.ts';
import { renderBulkNotice } from './text/bulk-text.ts';

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
export async function notifyAfterBulkChange(context: HeldPostContext, changed: ChangedPosts): Promise<void> {
  const { actor } = changed;
  const dueTimes: DueTimes = new Map(
    changed.rows.flatMap(({ id, notify_at: notifyAt }) => (notifyAt ? [[id, notifyAt]] : [])),
  );
  const others = changed.rows.filter(({ author }) => author !== actor);
  for (const [author, rows] of Map.groupBy(others, (row) => row.author)) {
    if (rows.length === 1) continue;
    const isTold = await tellAuthor(context, { ...changed, rows }, author, dueTimes);
    // The message may have been sent, so the notifications look for it when they are due.
    if (!isTold) for (const { id } of rows) dueTimes.delete(id);
  }
  const change = { notify_at: context.clock(), notifying_since: null };
  await postpone(context, dueTimes, change);
  context.verbs.wake();
}

/** When the notifications of posts are due, by post. A notification that is due at another time was claimed meanwhile. */
type DueTimes = Map<string, Date>;

/** With more rows in a statement, Postgres may read the whole table. */
const MAX_ROWS_PER_STATEMENT = 50;

async function postpone(
  { db }: HeldPostContext,
  dueTimes: DueTimes,
  change: { notify_at: Date; notifying_since: Date | null },
): Promise<void> {
  const known = [...dueTimes].map(([id, notifyAt]) => ({ ids: [id], notifyAt }));
  for (let start = 0; start < known.length; start += MAX_ROWS_PER_STATEMENT) {
    const rows = known.slice(start, start + MAX_ROWS_PER_STATEMENT);
    await postponeNotifications(db, HELD_POST_STORAGE.table, rows, change);
  }
}

/** Resolves with false if the message couldn't be sent or recorded. */
async function tellAuthor(
  context: HeldPostContext,
  changed: ChangedPosts,
  author: string,
  dueTimes: DueTimes,
): Promise<boolean> {
  const { db, clock, log, pace } = context;
  const { kind, workspace, actor, rows } = changed;
  const posts = rows.map(({ id }) => id);
  try {
    const events = await findLastEvents(db, { workspace, posts, actor });
    const getTold = ({ id }: HeldPostRow) => [events.get(id) ?? ''];
    const result = await tellOnce(
      context,
      { earlierSince: undefined, begin: () => beginNotifications(context, rows, dueTimes) },
      {
        ...{ workspace, to: author, rows, onCrashPoint: pace.onCrashPoint },
        getSubject: (row) => getSubject('author', getTold(row)),
        render: () => renderBulkNotice(kind, { actor, posts: rows.map(readPost) }, context.now()),
        record: ({ channel, ts }) =>
          db.transaction().execute(async (trx) => {
            for (const row of rows)
              await saveHeldPostMessage(trx, {
                ...{ workspace, held_post: row.id, channel, ts, purpose: 'reminder', recipient: author },
                ...{ told: getTold(row), sent_at: clock() },
              });
          }),
      },
    );
    return result === 'told';
  } catch (error) {
    if (!isTransient(error))
      log.warn({ author, err: error }, 'could not notify the author of several held posts');
    return false;
  }

  function readPost(row: HeldPostRow) {
    const held = readHeldContent(context, row);
    return held && context.kind.toPost?.(held.content);
  }
}

/** Records that the notifications of posts may have been sent. What somebody has changed meanwhile stays due. */
async function beginNotifications(
  context: HeldPostContext,
  rows: readonly HeldPostRow[],
  dueTimes: DueTimes,
): Promise<Permit> {
  const { clock, pace } = context;
  const permit = createPermit(pace.notifyLeaseMs / 2);
  const now = clock();
  const change = { notify_at: addMs(now, pace.notifyLeaseMs), notifying_since: now };
  const ids = new Set(rows.map(({ id }) => id));
  const own: DueTimes = new Map([...dueTimes].filter(([id]) => ids.has(id)));
  await postpone(context, own, change);
  for (const id of own.keys()) dueTimes.set(id, change.notify_at);
  return permit;
}
