import { takeSteps } from '../../limits.ts';
import { instantAfterGap, instantsShowing, wallClockAt } from '../../zones/wall-clock.ts';
import type { Recurrence } from './recurrence.ts';

export type ZonedRecurrence = Recurrence & { zone: string };

/**
 * One occurrence. `date` (2026-12-01) is the intended local date, and the key under which it's stored. A clock change
 * can move the instant to another date.
 */
interface Occurrence {
  date: string;
  instant: Date;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A zone skips at most one date, and a week holds every weekday: past this many days there is nothing to find. */
const DAYS_TO_NEXT = 16;

/** The cost of about ten lookups of a zone's offset. */
const STEPS_PER_OCCURRENCE = 5;

/** Later than `after`, and no later than `until`. */
interface Between {
  after: Date;
  until: Date;
}

/** Those between, in order: all of them, or the first `most`. */
export function occurrencesOf(
  recurrence: ZonedRecurrence,
  { after, until, most = Number.POSITIVE_INFINITY }: Between & { most?: number },
): readonly Occurrence[] {
  const first = dayBefore(after, recurrence.zone);
  const last = until.getTime() + 2 * DAY_MS;
  const found: Occurrence[] = [];
  for (let day = first; day <= last && found.length < most; day += DAY_MS) {
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

/** How many there are between, without going through them: words such as "until 2099" name decades of days. */
export function countOccurrences(recurrence: ZonedRecurrence, { after, until }: Between): number {
  const { days } = recurrence;
  const first = nextOccurrence(recurrence, after);
  const last = lastOccurrence(recurrence, until);
  if (first === undefined || last === undefined || first.instant > last.instant) return 0;
  const start = dayOf(first);
  const length = (dayOf(last) - start) / DAY_MS + 1;
  const beyondWeeks = Array.from({ length: length % 7 }, (_, index) => weekdayOf(start + index * DAY_MS));
  return Math.floor(length / 7) * days.length + beyondWeeks.filter((day) => days.includes(day)).length;
}

/** The last that comes no later than `until`. */
function lastOccurrence(recurrence: ZonedRecurrence, until: Date): Occurrence | undefined {
  const last = dayBefore(until, recurrence.zone) + 3 * DAY_MS;
  for (let back = 0; back <= DAYS_TO_NEXT; back += 1) {
    const occurrence = occurrenceOn(last - back * DAY_MS, recurrence);
    if (occurrence !== undefined && occurrence.instant <= until) return occurrence;
  }
  return undefined;
}

function dayOf({ date }: Occurrence): number {
  return Date.parse(`${date}T00:00Z`);
}

/** ISO: 1 is Monday and 7 Sunday. */
function weekdayOf(day: number): number {
  return new Date(day).getUTCDay() || 7;
}

/** The midnight before the local date of an instant, on the wall: a gap can move the evening before into this day. */
function dayBefore(instant: Date, zone: string): number {
  const wall = wallClockAt(instant.getTime(), zone);
  return Math.floor(wall / DAY_MS) * DAY_MS - DAY_MS;
}

/** A gap moves it later, an overlap takes the first; a date that the zone skips has none. */
function occurrenceOn(day: number, { days, time, zone }: ZonedRecurrence): Occurrence | undefined {
  if (!days.includes(weekdayOf(day))) return undefined;
  takeSteps(STEPS_PER_OCCURRENCE);
  const wall = day + (time.hour * 60 + time.minute) * MINUTE_MS;
  const [shown] = instantsShowing(wall, zone);
  if (shown === undefined && isSkipped(day, zone)) return undefined;
  return {
    date: new Date(day).toISOString().slice(0, 10),
    instant: new Date(shown ?? instantAfterGap(wall, zone)),
  };
}

/** Pacific/Apia went from 29 to 31 December 2011: neither end of the 30th is ever shown. */
function isSkipped(day: number, zone: string): boolean {
  const lastMinute = day + DAY_MS - MINUTE_MS;
  return instantsShowing(day, zone).length === 0 && instantsShowing(lastMinute, zone).length === 0;
}
