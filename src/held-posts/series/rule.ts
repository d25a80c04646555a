import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '../../durations.ts';
import { recurrenceSchema, type ZonedRecurrence } from '../../preferences/posting-times.ts';
import { nextOccurrence, occurrencesOf } from '../../when/recurrence.ts';
import { instantAfterGap, instantsShowing, wallClockAt } from '../../when/zones.ts';

/** The stored content of a series: its rule, and the content of a post for each of its texts, which take turns. */
export const seriesContentSchema = z.object({
  recurrence: recurrenceSchema,
  /** Contents of the held kind, without a time. */
  contents: z.array(z.unknown()).min(1),
  /** The number of days within which no text goes out twice on a platform. 0: a text may follow itself. */
  gapDays: z.number(),
  /** The key of the first date to which an edit applied it. Undefined in a series that wasn't edited. */
  from: z.number().optional(),
});
export type SeriesContent = z.infer<typeof seriesContentSchema>;

/** How many days ahead the posts of a series are made, so that people can see, change and review them. */
export const HORIZON_DAYS = 35;
/** Maximum number of posts of a series that are made ahead: about four a day. */
export const MAX_MADE_AHEAD = 150;
/** Delivered posts are stored for 90 days, so an earlier use of a text isn't known. */
export const MAX_GAP_DAYS = 90;

/**
 * A date of a series. `key` is what the clock shows in the series' zone at that instant, in minutes since 1970: with the
 * series' id, it identifies a post. Two times of a day that a change of the clocks makes one have the same key.
 */
export interface SeriesDate {
  key: number;
  instant: Date;
}

export function computeDateKey(instant: Date, zone: string): number {
  return Math.round(wallClockAt(instant.getTime(), zone) / MINUTE_MS);
}

/** The instant of a key. A time that the clocks skip is moved forward. */
export function toInstant(key: number, zone: string): Date {
  const wall = key * MINUTE_MS;
  return new Date(instantsShowing(wall, zone)[0] ?? instantAfterGap(wall, zone));
}

export function getDay(key: number): number {
  return Math.floor((key * MINUTE_MS) / DAY_MS);
}

/** The key of the midnight at which the day of a key begins. */
export function getDayStart(key: number): number {
  return (getDay(key) * DAY_MS) / MINUTE_MS;
}

/** The dates of a rule that are still made. */
export interface DateLimits {
  /** The key of the first date. Defaults to all. */
  from?: number | undefined;
  /** The key of the first date that isn't made any more. */
  before?: number | null | undefined;
}

/** Lists the dates after an instant, in order: all until another, or the first `most`. */
export function listDates(
  recurrence: ZonedRecurrence,
  { after, until, most }: { after: Date; until: Date; most?: number },
  { from = Number.NEGATIVE_INFINITY, before }: DateLimits = {},
): SeriesDate[] {
  const dates = new Map<number, SeriesDate>();
  const occurrences = occurrencesOf(recurrence, { after, until, ...(most !== undefined && { most }) });
  for (const { instant } of occurrences) {
    const key = computeDateKey(instant, recurrence.zone);
    const isMade = key >= from && key < (before ?? Number.POSITIVE_INFINITY);
    if (isMade && !dates.has(key)) dates.set(key, { key, instant });
  }
  return [...dates.values()];
}

/** Lists the dates whose posts are made ahead, at most one more than may be. */
export function listHorizonDates(
  recurrence: ZonedRecurrence,
  now: Date,
  limits: DateLimits = {},
): SeriesDate[] {
  const until = new Date(now.getTime() + HORIZON_DAYS * DAY_MS);
  return listDates(recurrence, { after: now, until, most: MAX_MADE_AHEAD + 1 }, limits);
}

/** Long exceptions can hide the next date of a rule, and a rule for 29 February has one in eight years. */
const MAX_SEARCHED_DAYS = 400;

/** Finds the next date of a rule. Undefined if there is none. */
export function findNextDate(
  recurrence: ZonedRecurrence,
  after: Date,
  limits: DateLimits = {},
): SeriesDate | undefined {
  const start = limits.from === undefined ? 0 : toInstant(limits.from, recurrence.zone).getTime() - 1;
  if (after.getTime() < start) return findNextDate(recurrence, new Date(start), limits);
  const until = new Date(after.getTime() + MAX_SEARCHED_DAYS * DAY_MS);
  const next = nextOccurrence(recurrence, after) ?? occurrencesOf(recurrence, { after, until, most: 1 })[0];
  if (!next) return undefined;
  const key = computeDateKey(next.instant, recurrence.zone);
  return key < (limits.before ?? Number.POSITIVE_INFINITY) ? { key, instant: next.instant } : undefined;
}

/** Lists the next dates of a rule, however far ahead. */
export function listNextDates(
  recurrence: ZonedRecurrence,
  after: Date,
  { most, ...limits }: DateLimits & { most: number },
): SeriesDate[] {
  const next = most > 0 ? findNextDate(recurrence, after, limits) : undefined;
  return next ? [next, ...listNextDates(recurrence, next.instant, { ...limits, most: most - 1 })] : [];
}

/** A use of a text on a platform of the series: by its posts, or by others of the project. */
export interface TextUse {
  text: string;
  /** See `SeriesDate`, so that a change of the clocks doesn't shorten a gap. */
  key: number;
}

/**
 * Chooses the text of each date: the one that wasn't used for the longest time, so that texts take turns. A text that is
 * used within the gap before or after the date isn't chosen; a date without any other text gets none.
 */
export function chooseTexts(
  dates: readonly SeriesDate[],
  { texts, gapDays, uses }: { texts: readonly string[]; gapDays: number; uses: readonly TextUse[] },
): { date: SeriesDate; index: number | undefined }[] {
  const gapMinutes = (gapDays * DAY_MS) / MINUTE_MS;
  const keysByText = new Map(
    texts.map((text) => [text, uses.filter((use) => use.text === text).map(({ key }) => key)]),
  );
  return dates.map((date) => {
    const candidates = texts.flatMap((text, index) => {
      const keys = keysByText.get(text) ?? [];
      const isTooClose = keys.some((key) => Math.abs(key - date.key) < gapMinutes);
      return isTooClose
        ? []
        : [{ keys, index, lastUse: Math.max(0, ...keys.filter((key) => key < date.key)) }];
    });
    const [chosen] = candidates.toSorted(
      (one, other) => one.lastUse - other.lastUse || one.index - other.index,
    );
    chosen?.keys.push(date.key);
    return { date, index: chosen?.index };
  });
}
