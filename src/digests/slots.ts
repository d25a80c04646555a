import { nextOccurrence, occurrencesOf, toRecurrence } from '../when/recurrence.ts';
import type { DigestSettings } from './digest.ts';
import type { DigestPace } from './pace.ts';

/** A schedule: weekdays, and a time of day in a zone. */
export type Schedule = Pick<DigestSettings, 'days' | 'time' | 'zone'>;

/** A scheduled time: the date in the schedule's zone, and the instant. */
export interface Slot {
  date: string;
  instant: Date;
}

/**
 * Maximum number of dates that the search for a free date checks. The maximum is never reached, because occurrences are
 * created only a few dates ahead.
 */
const MAX_CHECKED_SLOTS = 400;

/** Finds the first slot after `after` whose date isn't in `taken`. Undefined if the schedule has no days. */
export function findFreeSlot(
  schedule: Schedule,
  after: Date,
  taken: ReadonlySet<string> = new Set(),
): Slot | undefined {
  const recurrence = toRecurrence(schedule);
  let slot = nextOccurrence(recurrence, after);
  for (
    let checkedCount = 0;
    slot && taken.has(slot.date) && checkedCount < MAX_CHECKED_SLOTS;
    checkedCount += 1
  ) {
    slot = nextOccurrence(recurrence, slot.instant);
  }
  return slot;
}

/** Finds all slots after `first` until `now`, and the next slot. */
export function findSlotsSince(
  schedule: Schedule,
  first: Date,
  now: Date,
): { passed: readonly Slot[]; next: Slot | undefined } {
  return {
    passed: occurrencesOf(toRecurrence(schedule), { after: first, until: now }),
    next: nextOccurrence(toRecurrence(schedule), now),
  };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Converts an instant to the calendar date in the zone: 2026-12-01. */
export function toLocalDate(instant: Date, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(zone, format);
  return format.format(instant);
}

/**
 * Whether a message would be too late: more than `tooLateMs` after `dueAt`, or on a later local date than `dueAt`. A
 * later date is accepted within `midnightGraceMs` of `dueAt`.
 */
export function isTooLate(
  pace: Pick<DigestPace, 'tooLateMs' | 'midnightGraceMs'>,
  { dueAt, zone, now }: { dueAt: Date; zone: string; now: Date },
): boolean {
  const delayMs = now.getTime() - dueAt.getTime();
  if (delayMs <= pace.midnightGraceMs) return false;
  return delayMs > pace.tooLateMs || toLocalDate(now, zone) !== toLocalDate(dueAt, zone);
}
