import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { addMs } from '../delivery/add-ms.ts';
import { buildEntryColumns } from '../delivery/lifecycle.ts';
import type { BotSchema } from '../store/schema.ts';
import { RESTORED } from './lasting-reasons.ts';
import { isTooLate } from './lateness.ts';
import { LIFECYCLE } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { readDigest } from './read-digest.ts';
import { findFreeSlot, findSlotsSince, localDate, type Slot } from './slots.ts';
import {
  type DigestRow,
  listDigestsAfter,
  lockDueDigests,
  type NextSlot,
  setNextSlots,
} from './sql/digests.ts';
import { addOccurrences, findTakenSlots, type NewOccurrence } from './sql/occurrences.ts';

/** Digests per transaction. */
const BATCH_SIZE = 500;
/** Slots of one digest per transaction. After a long outage, the next transactions create the rest. */
const MAX_SLOTS_PER_BATCH = 50;

const DAY_MS = 24 * 60 * 60 * 1000;

type Clocks = Pick<Machine, 'db' | 'now' | 'clock' | 'pace' | 'exclusions'>;
/** Set after a restored backup: another instance may have sent what was due since the backup was made. */
type RestoreReason = typeof RESTORED | undefined;

/**
 * Creates an occurrence for each slot that has passed, in the same transaction that sets the digest's next slot, so that
 * no slot is lost. A slot that already has an occurrence gets no second one. Returns the number created.
 */
export async function createDueOccurrences(machine: Clocks, reason?: RestoreReason): Promise<number> {
  let created = 0;
  for (;;) {
    const batch = await machine.db
      .transaction()
      .execute((transaction) => createBatch(machine, transaction, reason));
    created += batch.created;
    if (!batch.hasMore) return created;
  }
}

async function createBatch(
  machine: Clocks,
  db: Kysely<BotSchema>,
  reason: RestoreReason,
): Promise<{ created: number; hasMore: boolean }> {
  const now = machine.now();
  const rows = await lockDueDigests(db, {
    now,
    limit: BATCH_SIZE,
    excludedIds: machine.exclusions.listIds(),
  });
  const occurrences: NewOccurrence[] = [];
  const next: NextSlot[] = [];
  for (const row of rows) {
    if (!row.next_at || row.next_date === null) continue;
    const rule = readDigest(machine, row);
    if (!rule) continue;
    const first = { date: row.next_date, instant: row.next_at };
    const { passed, next: after } = findSlotsSince(rule, first.instant, now);
    const slots = [first, ...passed.slice(0, MAX_SLOTS_PER_BATCH)];
    const follows = passed[MAX_SLOTS_PER_BATCH] ?? after;
    occurrences.push(...slots.map((slot) => newOccurrence(machine, row, slot, reason)));
    next.push({ id: row.id, was: row.next_at, at: follows?.instant ?? null, date: follows?.date ?? null });
  }
  const created = await addOccurrences(db, occurrences);
  await setNextSlots(db, next);
  await machine.pace.at?.('after-due');
  // A digest with more slots than MAX_SLOTS_PER_BATCH is still due.
  const hasMore = rows.length === BATCH_SIZE || next.some(({ at }) => at !== null && at <= now);
  return { created, hasMore };
}

function newOccurrence(machine: Clocks, digest: DigestRow, slot: Slot, reason: RestoreReason): NewOccurrence {
  const at = machine.clock();
  const late = { since: slot.instant, zone: digest.zone, now: machine.now() };
  const isOver = isTooLate(machine.pace, late);
  const state = isOver ? 'missed' : reason === RESTORED ? 'uncertain' : 'due';
  return {
    id: randomUUID(),
    workspace: digest.workspace,
    digest: digest.id,
    slot: slot.date,
    channel: digest.channel,
    owner: digest.owner,
    due_at: slot.instant,
    ...buildEntryColumns(LIFECYCLE, state, at),
    reason: reason ?? (isOver ? 'late' : null),
    created_at: at,
  };
}

/** Smaller steps back are corrections of the clock (ms). Our own choice. */
const SET_BACK_MS = 60_000;

/**
 * Returns a function that creates due occurrences before each scan, and reschedules digests after the clock was set
 * back. It resolves to true if either happened.
 */
export function createSchedule(machine: Machine): (next: Date | undefined) => Promise<boolean> {
  let lastNow = Number.POSITIVE_INFINITY;
  return async (next) => {
    const now = machine.now();
    const isSetBack = now.getTime() < lastNow - SET_BACK_MS;
    if (isSetBack) await rescheduleAfterSetBack(machine);
    lastNow = now.getTime();
    const isDue = isSetBack || (next !== undefined && next <= now);
    if (isDue) await createDueOccurrences(machine);
    return isDue;
  };
}

/** Moves each digest to an earlier slot if the clock was set back and that slot's date has no occurrence yet. */
export async function rescheduleAfterSetBack(machine: Machine): Promise<void> {
  const now = machine.now();
  let from = '';
  for (;;) {
    const rows = await listDigestsAfter(machine.db, { after: now, from, limit: BATCH_SIZE });
    const readable = rows.flatMap((row) => {
      const rule = readDigest(machine, row);
      return rule ? [{ row, rule }] : [];
    });
    const candidates = readable.filter(({ row, rule }) => isEarlier(findFreeSlot(rule, now), row));
    const taken = await findTakenSlots(machine.db, {
      digests: candidates.map(({ row }) => row.id),
      since: firstDate(
        candidates.map(({ row }) => row),
        now,
      ),
    });
    const earlier = candidates.flatMap(({ row, rule }): NextSlot[] => {
      const slot = findFreeSlot(rule, now, taken.get(row.id));
      if (!row.next_at || !isEarlier(slot, row)) return [];
      return [{ id: row.id, was: row.next_at, at: slot.instant, date: slot.date }];
    });
    await setNextSlots(machine.db, earlier);
    if (rows.length < BATCH_SIZE) return;
    from = rows.at(-1)?.id ?? '';
  }
}

function isEarlier(slot: Slot | undefined, { next_at }: DigestRow): slot is Slot {
  return slot !== undefined && next_at !== null && slot.instant < next_at;
}

/** The dates of a digest, from about now on, that already have an occurrence. */
export async function findTakenDates(
  db: Kysely<BotSchema>,
  digest: { id: string; zone: string },
  now: Date,
): Promise<ReadonlySet<string> | undefined> {
  const taken = await findTakenSlots(db, { digests: [digest.id], since: firstDate([digest], now) });
  return taken.get(digest.id);
}

/** A date before every future date of these digests, in any of their zones. */
function firstDate(digests: readonly { zone: string }[], now: Date): string {
  const dates = digests.map(({ zone }) => localDate(addMs(now, -2 * DAY_MS), zone));
  return dates.toSorted()[0] ?? '';
}
