import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { later } from '../delivery/later.ts';
import { entryColumns } from '../delivery/lifecycle.ts';
import type { BotSchema } from '../store/schema.ts';
import { RESTORED } from './kept-marks.ts';
import { isTooLate } from './lateness.ts';
import { LIFECYCLE } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { readDigest } from './read-digest.ts';
import { cameSince, firstFree, localDate, type Slot } from './slots.ts';
import {
  type DigestRow,
  digestsLaterThan,
  digestsToCome,
  type NextTime,
  setNextTimes,
} from './sql/digests.ts';
import { addOccurrences, type NewOccurrence, takenSlots } from './sql/occurrences.ts';

/** Digests in one transaction, and times of one digest in one turn: after a year away the rest comes in the next. */
const TOGETHER = 500;
const MOST_TIMES = 50;

const DAY_MS = 24 * 60 * 60 * 1000;

type Clocks = Pick<Machine, 'db' | 'now' | 'clock' | 'pace' | 'setAside'>;
/** After a backup was restored another instance may have posted what came since. */
type Since = typeof RESTORED | undefined;

/**
 * Every time that has come gets its row, whatever becomes of it, in the transaction that moves its digest to the next
 * time: none is forgotten, and a date that was there before comes to nothing. How many came.
 */
export async function makeDue(machine: Clocks, since?: Since): Promise<number> {
  let came = 0;
  for (;;) {
    const made = await machine.db
      .transaction()
      .execute((transaction) => makeSomeDue(machine, transaction, since));
    came += made.came;
    if (!made.isMore) return came;
  }
}

async function makeSomeDue(
  machine: Clocks,
  db: Kysely<BotSchema>,
  since: Since,
): Promise<{ came: number; isMore: boolean }> {
  const now = machine.now();
  const rows = await digestsToCome(db, { now, limit: TOGETHER, setAside: machine.setAside.ids() });
  const occurrences: NewOccurrence[] = [];
  const next: NextTime[] = [];
  for (const row of rows) {
    if (!row.next_at || row.next_date === null) continue;
    const rule = readDigest(machine, row);
    if (!rule) continue;
    const first = { date: row.next_date, instant: row.next_at };
    const { came, next: after } = cameSince(rule, first.instant, now);
    const slots = [first, ...came.slice(0, MOST_TIMES)];
    const follows = came[MOST_TIMES] ?? after;
    occurrences.push(...slots.map((slot) => occurrence(machine, row, slot, since)));
    next.push({ id: row.id, was: row.next_at, at: follows?.instant ?? null, date: follows?.date ?? null });
  }
  const added = await addOccurrences(db, occurrences);
  await setNextTimes(db, next);
  await machine.pace.at?.('after-due');
  // A digest with more times than one turn takes is due again.
  const isMore = rows.length === TOGETHER || next.some(({ at }) => at !== null && at <= now);
  return { came: added, isMore };
}

function occurrence(machine: Clocks, digest: DigestRow, slot: Slot, since: Since): NewOccurrence {
  const at = machine.clock();
  const late = { since: slot.instant, zone: digest.zone, now: machine.now() };
  const isOver = isTooLate(machine.pace, late);
  const state = isOver ? 'missed' : since === RESTORED ? 'uncertain' : 'due';
  return {
    id: randomUUID(),
    workspace: digest.workspace,
    digest: digest.id,
    slot: slot.date,
    channel: digest.channel,
    owner: digest.owner,
    due_at: slot.instant,
    ...entryColumns(LIFECYCLE, state, at),
    reason: since ?? (isOver ? 'late' : null),
    made_at: at,
  };
}

/** A clock that goes back by less is only being set right (ms). */
const SET_BACK_MS = 60_000;

/** Makes due what has come by now; after the clock was set back, also what comes sooner now. True where it did. */
export function createSchedule(machine: Machine): (next: Date | undefined) => Promise<boolean> {
  let lastNow = Number.POSITIVE_INFINITY;
  return async (next) => {
    const now = machine.now();
    const isSetBack = now.getTime() < lastNow - SET_BACK_MS;
    if (isSetBack) await bringForward(machine);
    lastNow = now.getTime();
    const isDue = isSetBack || (next !== undefined && next <= now);
    if (isDue) await makeDue(machine);
    return isDue;
  };
}

/** A clock was set back: what waits for a later time than there is now comes at the first whose date is not taken. */
export async function bringForward(machine: Machine): Promise<void> {
  const now = machine.now();
  let from = '';
  for (;;) {
    const rows = await digestsLaterThan(machine.db, { after: now, from, limit: TOGETHER });
    const readable = rows.flatMap((row) => {
      const rule = readDigest(machine, row);
      return rule ? [{ row, rule }] : [];
    });
    const may = readable.filter(({ row, rule }) => isSooner(firstFree(rule, now), row));
    const taken = await takenSlots(machine.db, {
      digests: may.map(({ row }) => row.id),
      since: firstDate(
        may.map(({ row }) => row),
        now,
      ),
    });
    const sooner = may.flatMap(({ row, rule }): NextTime[] => {
      const slot = firstFree(rule, now, taken.get(row.id));
      if (!row.next_at || !isSooner(slot, row)) return [];
      return [{ id: row.id, was: row.next_at, at: slot.instant, date: slot.date }];
    });
    await setNextTimes(machine.db, sooner);
    if (rows.length < TOGETHER) return;
    from = rows.at(-1)?.id ?? '';
  }
}

function isSooner(slot: Slot | undefined, { next_at }: DigestRow): slot is Slot {
  return slot !== undefined && next_at !== null && slot.instant < next_at;
}

/** The dates of a digest, from about now on, that were made already. */
export async function takenBy(
  db: Kysely<BotSchema>,
  digest: { id: string; zone: string },
  now: Date,
): Promise<ReadonlySet<string> | undefined> {
  const taken = await takenSlots(db, { digests: [digest.id], since: firstDate([digest], now) });
  return taken.get(digest.id);
}

/** No date that is still to come in any of their zones is earlier. */
function firstDate(digests: readonly { zone: string }[], now: Date): string {
  const dates = digests.map(({ zone }) => localDate(later(now, -2 * DAY_MS), zone));
  return dates.toSorted()[0] ?? '';
}
