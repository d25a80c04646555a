import type { WebClient } from '@slack/web-api';
import { sql } from 'kysely';
import { addMs } from '../engine/clock.ts';
import {
  claimNotifications as claimRows,
  endNotifications,
  type NotificationTable,
  postponeNotifications,
} from '../engine/sql/notifications.ts';
import type { Message } from '../slack/message.ts';
import { notifySlackOwners } from '../slack/notify-slack-owners.ts';
import { readDigest } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import { renderMissedNotice, renderPausedNotice, renderUncertainNotice } from './messages/notices.ts';
import { sendMessage } from './send-message.ts';
import { type DigestRow, loadDigests } from './sql/digests.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** Maximum number of rows per claim. Rows of the same kind and owner share one message. */
const MAX_ROWS_PER_CLAIM = 150;
/** Maximum number of owners who are notified concurrently. Each takes one or more calls to Slack. */
export const MAX_OWNERS = 8;

/** A direct message to an owner, and the rows that the message reports. */
interface Notice {
  table: 'digest' | 'digest_occurrence';
  workspace: string;
  owner: string;
  rows: readonly { id: string; notify_attempts: number }[];
  message: Message;
}

const [DIGEST_NOTIFICATIONS, OCCURRENCE_NOTIFICATIONS] = [
  { table: 'digest', exclusionColumns: ['id'], groupColumn: 'owner' },
  { table: 'digest_occurrence', exclusionColumns: ['id', 'digest'], groupColumn: 'owner' },
] as const satisfies NotificationTable[];

/** The tables with pending notices. Notices are grouped by owner. */
export const NOTICE_TABLES: readonly NotificationTable[] = [DIGEST_NOTIFICATIONS, OCCURRENCE_NOTIFICATIONS];

/**
 * Claims pending notices of at most `maxOwners` owners. Returns a function for each owner that sends the owner's
 * notices. A notice with an unknown outcome is sent again, so an owner may get it twice.
 */
export async function claimNotifications(
  context: DigestContext,
  maxOwners: number,
): Promise<(() => Promise<void>)[]> {
  const { db, sharedClock, pace, exclusions } = context;
  const claimedUntil = addMs(sharedClock(), pace.notifyLeaseMs);
  const claim = {
    now: sharedClock(),
    claimedUntil,
    maxRows: MAX_ROWS_PER_CLAIM,
    excludedIds: exclusions.listIds(),
  };
  const pauses = await claimRows<DigestRow>(db, DIGEST_NOTIFICATIONS, {
    ...claim,
    maxGroups: maxOwners,
  });
  const remainingOwners = maxOwners - new Set(pauses.map(buildOwnerKey)).size;
  const occurrences =
    remainingOwners > 0
      ? await claimRows<OccurrenceRow>(db, OCCURRENCE_NOTIFICATIONS, {
          ...claim,
          maxGroups: remainingOwners,
        })
      : [];
  const digestRows = await loadDigests(db, [...new Set(occurrences.map(({ digest }) => digest))]);
  const notices = [
    ...buildPauseNotices(context, pauses),
    ...buildOccurrenceNotices(context, occurrences, digestRows),
  ];
  const noticesByOwner = Object.values(Object.groupBy(notices, buildOwnerKey));
  return noticesByOwner.map((ownerNotices = []) => async () => {
    for (const notice of ownerNotices) await sendNotice(context, notice, claimedUntil);
  });
}

function buildPauseNotices(context: DigestContext, pauses: readonly DigestRow[]): Notice[] {
  const now = context.now();
  return Object.values(Object.groupBy(pauses, buildOwnerKey)).flatMap((rows = []) => {
    const readableDigests = rows.flatMap((row) => {
      const digest = readDigest(context, row);
      return digest ? [{ row, digest }] : [];
    });
    const [first] = readableDigests;
    if (!first) return [];
    const { workspace, owner } = first.row;
    const digests = readableDigests.map(({ digest }) => digest);
    const message = renderPausedNotice(digests, { now });
    return [{ table: 'digest', workspace, owner, rows: readableDigests.map(({ row }) => row), message }];
  });
}

function buildOccurrenceNotices(
  context: DigestContext,
  claimedRows: readonly OccurrenceRow[],
  digestRows: readonly DigestRow[],
): Notice[] {
  const digestsById = new Map(digestRows.map((row) => [row.id, readDigest(context, row)]));
  // Owners are notified about removed digests too. Notices about a digest that this version can't read are left to an
  // instance that can read it.
  const occurrences = claimedRows.filter(
    ({ digest }) => !digestsById.has(digest) || digestsById.get(digest) !== undefined,
  );
  const toNoticeItem = (row: OccurrenceRow) => ({ row, digest: digestsById.get(row.digest) });
  const table = 'digest_occurrence';
  const now = context.now();
  const missed = occurrences.filter(({ state }) => state === 'missed');
  const uncertain = occurrences.filter(({ state }) => state === 'uncertain');
  const missedNotices = Object.values(Object.groupBy(missed, buildOwnerKey)).flatMap((rows = []) => {
    const [first] = rows;
    if (!first) return [];
    const { workspace, owner } = first;
    const message = renderMissedNotice(rows.map(toNoticeItem), { now });
    return [{ table, workspace, owner, rows, message } as const];
  });
  const uncertainNotices = uncertain.map((row) => {
    const { workspace, owner } = row;
    const message = renderUncertainNotice(toNoticeItem(row), { now });
    return { table, workspace, owner, rows: [row], message } as const;
  });
  return [...missedNotices, ...uncertainNotices];
}

function buildOwnerKey({ workspace, owner }: { workspace: string; owner: string }): string {
  return `${workspace} ${owner}`;
}

async function sendNotice(context: DigestContext, notice: Notice, claimedUntil: Date): Promise<void> {
  const { db, sharedClock, pace, limits } = context;
  const { table, workspace, owner, rows, message } = notice;
  const ids = rows.map(({ id }) => id);
  // If the owner's earlier notices took longer than the lease, another instance may have claimed this notice.
  const claimEnd = addMs(sharedClock(), pace.notifyLeaseMs);
  if (
    (await postponeNotifications(db, table, { ids, notifyAt: claimedUntil }, { notify_at: claimEnd })) <
    ids.length
  )
    return;
  const claimedRows = { ids, notifyAt: claimEnd };
  const clearNotice = async () => void (await endNotifications(db, table, claimedRows));
  const retryIn = async (ms: number, change: { notify_attempts?: unknown } = {}) =>
    void (await postponeNotifications(db, table, claimedRows, {
      notify_at: addMs(sharedClock(), ms),
      ...change,
    }));
  const client = await context.findSlackClient(workspace);
  if (client === 'unknown') return retryIn(pace.notifyLeaseMs);
  if (!client) return retryIn(pace.notifyBlockedMs);
  const reservation = limits.acquire({ workspace, channel: owner });
  if ('waitMs' in reservation) return retryIn(reservation.waitMs);
  await pace.onCrashPoint?.('before-notification');
  const result = await sendMessage(client, { channel: owner, message });
  reservation.release(result.kind === 'sent' || result.kind === 'unknown');
  await pace.onCrashPoint?.('after-notification');
  switch (result.kind) {
    case 'rate-limited':
      limits.pause(workspace, result.waitMs);
      return retryIn(result.waitMs);
    // Slack may refuse a token for days, which must not count as attempts.
    case 'no-access':
    case 'inactive':
      return retryIn(pace.notifyBlockedMs, { notify_attempts: 0 });
    case 'not-reached':
      return retryIn(pace.notifyLeaseMs);
    // Slack may accept the notice later, so it is retried a limited number of times.
    case 'refused':
    case 'unknown': {
      const notify_attempts = Math.max(...rows.map((row) => row.notify_attempts));
      const ms = pace.notifyBackoffMs[notify_attempts];
      return ms === undefined ? clearNotice() : retryIn(ms, { notify_attempts: sql`notify_attempts + 1` });
    }
    case 'no-channel':
      await notifyWorkspaceOwners(context, client, notice);
      return clearNotice();
    default:
      return clearNotice();
  }
}

/** Notifies the owners of the Slack workspace, because Slack can't reach the digest's owner. */
async function notifyWorkspaceOwners(
  context: DigestContext,
  client: WebClient,
  { message, owner }: Notice,
): Promise<void> {
  try {
    await notifySlackOwners(client, message);
  } catch (error) {
    context.log.warn({ owner, err: error }, 'could not notify workspace owners about a digest');
  }
}
