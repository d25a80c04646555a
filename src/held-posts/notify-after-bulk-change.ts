import type { WebClient } from '@slack/web-api';
import { sql } from 'kysely';
import { addMs } from '../engine/clock.ts';
import { postponeNotifications } from '../engine/sql/notifications.ts';
import { disableParsing } from '../slack/message.ts';
import { isTransient } from '../slack/slack-errors.ts';
import { messageAddress } from '../slack/tell-once.ts';
import { computeNotificationKey, NOTIFICATION_EVENT } from '../submissions/find-notification.ts';
import type { BulkChange } from './bulk-change.ts';
import { type HeldPostContext, readHeldContent } from './held-post-context.ts';
import { NOTIFICATIONS } from './notify-people.ts';
import { toNotified } from './send-notice.ts';
import { findLastEvents } from './sql/events.ts';
import type { HeldPostRow } from './sql/held-posts.ts';
import { saveHeldPostMessage } from './sql/messages.ts';
import { renderBulkNotice } from './text/bulk-text.ts';

/** Posts that one press has changed, with notifications that are due later. */
interface ChangedPosts {
  workspace: string;
  /** The Slack id of the person. */
  actor: string;
  kind: BulkChange['kind'];
  rows: readonly HeldPostRow[];
}

/** Maximum number of posts in the metadata of a message. After a crash, authors read of the others one by one. */
const MAX_KEYS = 50;

/**
 * Tells each author once what somebody did with several of their posts, and makes the notifications of the posts due,
 * which then leave that out. If the instance ends before, they are due by themselves, and look for the message first.
 */
export async function notifyAfterBulkChange(context: HeldPostContext, changed: ChangedPosts): Promise<void> {
  const { actor, workspace } = changed;
  const released = new Set(changed.rows);
  const others = changed.rows.filter(({ author }) => author !== actor);
  for (const [author, rows] of Map.groupBy(others, (row) => row.author)) {
    if (rows.length === 1) continue;
    const isTold = await tellAuthor(context, { ...changed, rows }, author);
    // The message may have been sent, so the notifications look for it when they are due.
    if (!isTold) for (const row of rows) released.delete(row);
  }
  const now = context.clock();
  const ids = [...released].map(({ id }) => id);
  if (ids.length > 0)
    await sql`update held_post set notify_at = ${now}, notifying_since = null
        where workspace = ${workspace} and id in (${sql.join(ids)}) and notify_at > ${now}`.execute(
      context.db,
    );
  context.delivery.poll.wake(now);
}

/** Resolves with false if the message couldn't be sent or recorded. */
async function tellAuthor(context: HeldPostContext, changed: ChangedPosts, author: string): Promise<boolean> {
  const { workspace, actor, rows } = changed;
  try {
    const client = await context.findSlackClient(workspace);
    if (!client || client === 'unknown') return false;
    for (const row of rows) await startNotification(context, row);
    const posts = rows.map(({ id }) => id);
    const events = await findLastEvents(context.db, { workspace, posts, actor });
    const address = await sendSummary(context, client, { ...changed, author, events });
    await context.db.transaction().execute(async (trx) => {
      for (const { id } of rows)
        await saveHeldPostMessage(trx, {
          ...{ workspace, held_post: id, ...address, purpose: 'reminder', recipient: author },
          ...{ told: [events.get(id) ?? ''], sent_at: context.clock() },
        });
    });
    return true;
  } catch (error) {
    if (!isTransient(error))
      context.log.warn({ author, err: error }, 'could not notify the author of several held posts');
    return false;
  }
}

/** Records that the notification of a post may have been sent. */
async function startNotification({ db, clock, pace }: HeldPostContext, row: HeldPostRow): Promise<void> {
  if (!row.notify_at) return;
  const known = { ids: [row.id], notifyAt: row.notify_at };
  const change = { notify_at: addMs(clock(), pace.notifyLeaseMs), notifying_since: clock() };
  await postponeNotifications(db, NOTIFICATIONS.table, known, change);
}

async function sendSummary(
  context: HeldPostContext,
  client: WebClient,
  {
    kind,
    actor,
    rows,
    author,
    events,
  }: ChangedPosts & { author: string; events: ReadonlyMap<string, string> },
) {
  const posts = rows.map((row) => {
    const held = readHeldContent(context, row);
    return held && context.kind.toPost?.(held.content);
  });
  const keys = rows.slice(0, MAX_KEYS).map((row) => {
    const told = [events.get(row.id) ?? ''];
    return computeNotificationKey(toNotified(row, { recipient: author, purpose: 'author', told }));
  });
  await context.pace.onCrashPoint?.('before-message');
  const response = await client.chat.postMessage({
    channel: author,
    ...disableParsing(renderBulkNotice(kind, { actor, posts }, context.now())),
    metadata: { event_type: NOTIFICATION_EVENT, event_payload: { notification: keys.join('\n') } },
  });
  await context.pace.onCrashPoint?.('after-message');
  return messageAddress.parse(response);
}
