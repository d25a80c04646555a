import type { WebClient } from '@slack/web-api';
import { sql } from 'kysely';
import { later } from '../delivery/later.ts';
import { claimNotices, closeNotices, type NoticeTable, postponeNotices } from '../delivery/sql/notices.ts';
import type { Message } from '../slack/message.ts';
import { notifySlackOwners } from '../slack/tell-owners.ts';
import type { Machine } from './machine.ts';
import { postMessage } from './post-message.ts';
import { readDigest } from './read-digest.ts';
import { missedNotice, pausedNotice, uncertainNotice } from './said/notices.ts';
import { type DigestRow, digestsById } from './sql/digests.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** Rows of one claim: what one owner is to learn of the same kind goes into one message. */
const MAX_ROWS = 500;
/** Owners who are notified at the same time. Our own choice: each may take as long as a call to Slack. */
export const MAX_OWNERS = 8;

/** One direct message, and the rows that it tells of. */
interface Notice {
  table: 'digest' | 'digest_occurrence';
  workspace: string;
  owner: string;
  rows: readonly { id: string; notify_attempts: number }[];
  message: Message;
}

const [PAUSES, OCCURRENCES] = [
  { table: 'digest', setAsideBy: ['id'], by: 'owner' },
  { table: 'digest_occurrence', setAsideBy: ['id', 'digest'], by: 'owner' },
] as const satisfies NoticeTable[];

/** What one owner is to learn goes into one notification. */
export const NOTICES: readonly NoticeTable[] = [PAUSES, OCCURRENCES];

/**
 * What owners are to learn and nobody has told them yet, each owner's by itself. A notice may come twice where it was
 * cut off, never not.
 */
export async function claimNotifications(machine: Machine, room: number): Promise<(() => Promise<void>)[]> {
  const { db, clock, pace, setAside } = machine;
  const until = later(clock(), pace.notifyMs);
  const claim = { at: clock(), until, rows: MAX_ROWS, setAside: setAside.ids() };
  const pauses = await claimNotices<DigestRow>(db, PAUSES, { ...claim, groups: room });
  const groups = room - new Set(pauses.map(keyOf)).size;
  const occurrences =
    groups > 0 ? await claimNotices<OccurrenceRow>(db, OCCURRENCES, { ...claim, groups }) : [];
  const settings = await digestsById(db, [...new Set(occurrences.map(({ digest }) => digest))]);
  const notices = [...pausesOf(machine, pauses), ...occurrencesOf(machine, occurrences, settings)];
  const byOwner = Object.values(Object.groupBy(notices, keyOf));
  return byOwner.map(
    (own = []) =>
      () =>
        tellInTurn(machine, own, until),
  );
}

async function tellInTurn(machine: Machine, notices: readonly Notice[], until: Date): Promise<void> {
  for (const notice of notices) await tell(machine, notice, until);
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
  // What was removed is told of all the same; what cannot be read is told of by whoever can.
  const occurrences = claimed.filter(({ digest }) => !byId.has(digest) || byId.get(digest) !== undefined);
  const shown = (row: OccurrenceRow) => ({ row, digest: byId.get(row.digest) });
  const table = 'digest_occurrence';
  const at = { now: machine.now() };
  const missed = occurrences.filter(({ state }) => state === 'missed');
  const uncertain = occurrences.filter(({ state }) => state === 'uncertain');
  const grouped = Object.values(Object.groupBy(missed, keyOf)).flatMap((rows = []) => {
    const [first] = rows;
    if (!first) return [];
    const { workspace, owner } = first;
    return [{ table, workspace, owner, rows, message: missedNotice(rows.map(shown), at) } as const];
  });
  const asked = uncertain.map((row) => {
    const { workspace, owner } = row;
    return { table, workspace, owner, rows: [row], message: uncertainNotice(shown(row), at) } as const;
  });
  return [...grouped, ...asked];
}

function keyOf({ workspace, owner }: { workspace: string; owner: string }): string {
  return `${workspace} ${owner}`;
}

async function tell(machine: Machine, notice: Notice, until: Date): Promise<void> {
  const { db, clock, pace, limits } = machine;
  const { table, workspace, owner, rows, message } = notice;
  const ids = rows.map(({ id }) => id);
  // Many are told one after the other: meanwhile another instance may have taken over.
  const next = later(clock(), pace.notifyMs);
  if ((await postponeNotices(db, table, { ids, until }, { at: next })) < ids.length) return;
  const claimed = { ids, until: next };
  const close = async () => void (await closeNotices(db, table, claimed));
  const again = async (ms: number, also: { notify_attempts?: unknown } = {}) =>
    void (await postponeNotices(db, table, claimed, { at: later(clock(), ms), ...also }));
  const client = await machine.slackFor(workspace);
  if (client === 'unknown') return again(pace.notifyMs);
  if (!client) return again(pace.tellAgainMs);
  const ticket = limits.enter({ workspace, channel: owner });
  if ('waitMs' in ticket) return again(ticket.waitMs);
  await pace.at?.('before-telling');
  const sent = await postMessage(client, { channel: owner, message });
  ticket.leave(sent.kind === 'posted' || sent.kind === 'unknown');
  await pace.at?.('after-telling');
  switch (sent.kind) {
    case 'later':
      limits.hold(workspace, sent.waitMs);
      return again(sent.waitMs);
    // Whatever was uncertain while Slack let nobody in does not count: that may last for days.
    case 'no-access':
    case 'inactive':
      return again(pace.tellAgainMs, { notify_attempts: 0 });
    case 'not-reached':
      return again(pace.notifyMs);
    // What Slack refuses today for a reason of its own it may take later; not for ever, as with what nobody knows.
    case 'refused':
    case 'unknown': {
      const notify_attempts = Math.max(...rows.map((row) => row.notify_attempts));
      const ms = pace.tellWaitsMs[notify_attempts];
      return ms === undefined ? close() : again(ms, { notify_attempts: sql`notify_attempts + 1` });
    }
    case 'no-place':
      await tellTheOwners(machine, client, notice);
      return close();
    default:
      return close();
  }
}

/** Its owner has left: whoever runs the workspace is told instead. */
async function tellTheOwners(machine: Machine, client: WebClient, { message, owner }: Notice): Promise<void> {
  try {
    await notifySlackOwners(client, message);
  } catch (error) {
    machine.log.warn({ owner, err: error }, 'nobody could be told of a digest');
  }
}
