import { instantAfterGap, instantsShowing, wallClockAt } from '../../zones/wall-clock.ts';
import type { Recurrence } from './recurrence.ts';

/** A recurrence where its zone is settled. */
export type ZonedRecurrence = Recurrence & { zone: string };

/**
 * One time that a recurrence comes. `date` (2026-12-01) is the local date that was meant: the key by which it is
 * kept, since a clock change can move the instant to another date.
 */
interface Occurrence {
  date: string;
  instant: Date;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A zone skips at most one date, and a week holds every weekday: past this many days there is nothing to find. */
const DAYS_TO_NEXT = 16;

/** All that come later than `after` and no later than `until`, in order. */
export function occurrencesOf(
  recurrence: ZonedRecurrence,
  { after, until }: { after: Date; until: Date },
): readonly Occurrence[] {
  const first = dayBefore(after, recurrence.zone);
  const last = until.getTime() + 2 * DAY_MS;
  const found: Occurrence[] = [];
  for (let day = first; day <= last; day += DAY_MS) {
    const occurrence = occurrenceOn(day, recurrence);
    if (occurrence !== undefined && occurrence.instant > after && occurrence.instant <= until)
      found.push(occurrence);
  }
  return found;
}

/** The first that comes later than `after`; undefined where there are no days. */
export function nextOccurrence(recurrence: ZonedRecurrence, after: Date): Occurrence | undefined {
  const first = dayBefore(after, recurrence.zone);
  for (let ahead = 0; ahead <= DAYS_TO_NEXT; ahead += 1) {
    const occurrence = occurrenceOn(first + ahead * DAY_MS, recurrence);
    if (occurrence !== undefined && occurrence.instant > after) return occurrence;
  }
  return undefined;
}

/** The midnight before the local date of an instant, on the wall: a gap can move the evening before into this day. */
function dayBefore(instant: Date, zone: string): number {
  const wall = wallClockAt(instant.getTime(), zone);
  return Math.floor(wall / DAY_MS) * DAY_MS - DAY_MS;
}

/** A gap moves it later, an overlap takes the first; a date that the zone skips has none. */
function occurrenceOn(day: number, { days, time, zone }: ZonedRecurrence): Occurrence | undefined {
  const date = new Date(day);
  if (!days.includes(date.getUTCDay() === 0 ? 7 : date.getUTCDay())) return undefined;
  const wall = day + (time.hour * 60 + time.minute) * MINUTE_MS;
  const [shown] = instantsShowing(wall, zone);
  if (shown === undefined && isSkipped(day, zone)) return undefined;
  return { date: date.toISOString().slice(0, 10), instant: new Date(shown ?? instantAfterGap(wall, zone)) };
}

/** Pacific/Apia went from 29 to 31 December 2011: neither end of the 30th is ever shown. */
function isSkipped(day: number, zone: string): boolean {
  const lastMinute = day + DAY_MS - MINUTE_MS;
  return instantsShowing(day, zone).length === 0 && instantsShowing(lastMinute, zone).length === 0;
}
