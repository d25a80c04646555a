import type { WebClient } from '@slack/web-api';
import { sql } from 'kysely';
import { addMs } from '../delivery/add-ms.ts';
import {
  claimNotificationRows,
  closeNotificationRows,
  type NotificationTable,
  postponeNotificationRows,
} from '../delivery/sql/notifications.ts';
import type { Message } from '../slack/message.ts';
import { notifySlackOwners } from '../slack/notify-slack-owners.ts';
import type { Machine } from './machine.ts';
import { missedNotice, pausedNotice, uncertainNotice } from './messages/notices.ts';
import { readDigest } from './read-digest.ts';
import { sendMessage } from './send-message.ts';
import { type DigestRow, loadDigests } from './sql/digests.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** Rows per claim. Notices of the same kind to one owner become one message. */
const MAX_ROWS = 500;
/** Owners who are notified at the same time. Our own choice: each may take as long as a call to Slack. */
export const MAX_OWNERS = 8;

/** A direct message to an owner, and the rows that it is about. */
interface Notice {
  table: 'digest' | 'digest_occurrence';
  workspace: string;
  owner: string;
  rows: readonly { id: string; notify_attempts: number }[];
  message: Message;
}

const [PAUSES, OCCURRENCES] = [
  { table: 'digest', excludableColumns: ['id'], groupColumn: 'owner' },
  { table: 'digest_occurrence', excludableColumns: ['id', 'digest'], groupColumn: 'owner' },
] as const satisfies NotificationTable[];

/** Notices are grouped by owner. */
export const NOTICES: readonly NotificationTable[] = [PAUSES, OCCURRENCES];

/**
 * Claims pending notices and returns one function for each owner, which sends that owner's notices. A notice whose
 * outcome is unknown is sent again, so an owner may get it twice.
 */
export async function claimNotifications(machine: Machine, room: number): Promise<(() => Promise<void>)[]> {
  const { db, clock, pace, exclusions } = machine;
  const until = addMs(clock(), pace.notifyLeaseMs);
  const claim = { now: clock(), claimedUntil: until, maxRows: MAX_ROWS, excludedIds: exclusions.listIds() };
  const pauses = await claimNotificationRows<DigestRow>(db, PAUSES, { ...claim, maxGroups: room });
  const groups = room - new Set(pauses.map(keyOf)).size;
  const occurrences =
    groups > 0
      ? await claimNotificationRows<OccurrenceRow>(db, OCCURRENCES, { ...claim, maxGroups: groups })
      : [];
  const settings = await loadDigests(db, [...new Set(occurrences.map(({ digest }) => digest))]);
  const notices = [...pausesOf(machine, pauses), ...occurrencesOf(machine, occurrences, settings)];
  const byOwner = Object.values(Object.groupBy(notices, keyOf));
  return byOwner.map(
    (own = []) =>
      () =>
        sendNotices(machine, own, until),
  );
}

async function sendNotices(machine: Machine, notices: readonly Notice[], until: Date): Promise<void> {
  for (const notice of notices) await sendNotice(machine, notice, until);
}

function pausesOf(machine: Machine, pauses: readonly DigestRow[]): Notice[] {
  const at = { now: machine.now() };
  return Object.values(Object.groupBy(pauses, keyOf)).flatMap((all = []) => {
    const read = all.flatMap((row) => {
      const digest = readDigest(machine, row);
      return digest ? [{ row, digest }] : [];
    });
    const [first] = read;
    if (!first) return [];
    const { workspace, owner } = first.row;
    const rows = read.map(({ row }) => row);
    const message = pausedNotice(
      read.map(({ digest }) => digest),
      at,
    );
    return [{ table: 'digest', workspace, owner, rows, message }];
  });
}

function occurrencesOf(
  machine: Machine,
  claimed: readonly OccurrenceRow[],
  settings: readonly DigestRow[],
): Notice[] {
  const byId = new Map(settings.map((row) => [row.id, readDigest(machine, row)]));
  // Owners hear of removed digests too. Unreadable digests are left to an instance that can read them.
  const occurrences = claimed.filter(({ digest }) => !byId.has(digest) || byId.get(digest) !== undefined);
  const withDigest = (row: OccurrenceRow) => ({ row, digest: byId.get(row.digest) });
  const table = 'digest_occurrence';
  const at = { now: machine.now() };
  const missed = occurrences.filter(({ state }) => state === 'missed');
  const uncertain = occurrences.filter(({ state }) => state === 'uncertain');
  const grouped = Object.values(Object.groupBy(missed, keyOf)).flatMap((rows = []) => {
    const [first] = rows;
    if (!first) return [];
    const { workspace, owner } = first;
    return [{ table, workspace, owner, rows, message: missedNotice(rows.map(withDigest), at) } as const];
  });
  const questions = uncertain.map((row) => {
    const { workspace, owner } = row;
    return { table, workspace, owner, rows: [row], message: uncertainNotice(withDigest(row), at) } as const;
  });
  return [...grouped, ...questions];
}

function keyOf({ workspace, owner }: { workspace: string; owner: string }): string {
  return `${workspace} ${owner}`;
}

async function sendNotice(machine: Machine, notice: Notice, until: Date): Promise<void> {
  const { db, clock, pace, limits } = machine;
  const { table, workspace, owner, rows, message } = notice;
  const ids = rows.map(({ id }) => id);
  // Notices are sent one after the other; meanwhile another instance may have claimed this one.
  const next = addMs(clock(), pace.notifyLeaseMs);
  if ((await postponeNotificationRows(db, table, { ids, notifyAt: until }, { notifyAt: next })) < ids.length)
    return;
  const claimed = { ids, notifyAt: next };
  const close = async () => void (await closeNotificationRows(db, table, claimed));
  const retryIn = async (ms: number, also: { notify_attempts?: unknown } = {}) =>
    void (await postponeNotificationRows(db, table, claimed, { notifyAt: addMs(clock(), ms), ...also }));
  const client = await machine.slackFor(workspace);
  if (client === 'unknown') return retryIn(pace.notifyLeaseMs);
  if (!client) return retryIn(pace.notifyBlockedMs);
  const ticket = limits.acquire({ workspace, channel: owner });
  if ('waitMs' in ticket) return retryIn(ticket.waitMs);
  await pace.at?.('before-notification');
  const sent = await sendMessage(client, { channel: owner, message });
  ticket.release(sent.kind === 'sent' || sent.kind === 'unknown');
  await pace.at?.('after-notification');
  switch (sent.kind) {
    case 'rate-limited':
      limits.pause(workspace, sent.waitMs);
      return retryIn(sent.waitMs);
    // Resets the count of attempts: a refused token may last for days.
    case 'no-access':
    case 'inactive':
      return retryIn(pace.notifyBlockedMs, { notify_attempts: 0 });
    case 'not-reached':
      return retryIn(pace.notifyLeaseMs);
    // Slack may accept the notice later, and an unknown outcome is retried too; neither without end.
    case 'refused':
    case 'unknown': {
      const notify_attempts = Math.max(...rows.map((row) => row.notify_attempts));
      const ms = pace.notifyBackoffMs[notify_attempts];
      return ms === undefined ? close() : retryIn(ms, { notify_attempts: sql`notify_attempts + 1` });
    }
    case 'no-channel':
      await notifyWorkspaceOwners(machine, client, notice);
      return close();
    default:
      return close();
  }
}

/** The digest's owner has left, so the owners of the Slack workspace are notified. */
async function notifyWorkspaceOwners(
  machine: Machine,
  client: WebClient,
  { message, owner }: Notice,
): Promise<void> {
  try {
    await notifySlackOwners(client, message);
  } catch (error) {
    machine.log.warn({ owner, err: error }, 'could not notify anybody about a digest');
  }
}
