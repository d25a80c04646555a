import { LRUCache } from 'lru-cache';
import { limitEntries } from '../../cache/cache.ts';
import { DAY_MS, MINUTE_MS } from '../../durations.ts';
import { formatOffsetAt, instantAfterGap, instantsShowing, offsetAt, wallClockAt } from '../../when/zones.ts';
import { toLocalDate } from '../digest.ts';

/** A local date: 2026-12-01. */
export type LocalDate = string;

const MAX_CACHED_TEXTS = 20_000;
const WEEKDAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const WEEKDAYS = WEEKDAY_NAMES.map((name) => name.slice(0, 3));
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Caches the results of `render` by zone and minute, because digests of the same morning show the same posts. */
function cachePerMinute(
  render: (instant: Date, zone: string) => string,
): (instant: Date, zone: string) => string {
  const texts = new LRUCache<string, string, { instant: Date; zone: string }>({
    ...limitEntries(MAX_CACHED_TEXTS),
    memoMethod: (_key, _stale, { context: { instant, zone } }) => render(instant, zone),
  });
  return (instant, zone) => {
    const minute = Math.floor(instant.getTime() / MINUTE_MS);
    return texts.memo(`${zone} ${minute}`, { context: { instant, zone } });
  };
}

/** Converts a date to its midnight in UTC, in ms since 1970. */
function toUtcMidnight(date: LocalDate): number {
  return Date.parse(`${date}T00:00:00Z`);
}

export function addDays(date: LocalDate, days: number): LocalDate {
  return new Date(toUtcMidnight(date) + days * DAY_MS).toISOString().slice(0, 10);
}

export const getLocalDate: (instant: Date, zone: string) => LocalDate = cachePerMinute(toLocalDate);

/** Finds the first instant of a date, which isn't always 00:00: some zones change their clocks at midnight. */
export function findStartOfDay(date: LocalDate, zone: string): Date {
  const [firstInstant] = instantsShowing(toUtcMidnight(date), zone);
  return new Date(firstInstant ?? instantAfterGap(toUtcMidnight(date), zone));
}

export function isMondayToFriday(date: LocalDate): boolean {
  const day = new Date(toUtcMidnight(date)).getUTCDay();
  return day > 0 && day < 6;
}

/** Renders a date: "Tue 1 Dec". */
export function renderDay(date: LocalDate): string {
  const day = new Date(toUtcMidnight(date));
  return `${WEEKDAYS[day.getUTCDay()]} ${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`;
}

export function renderWeekday(date: LocalDate): string {
  return WEEKDAY_NAMES[new Date(toUtcMidnight(date)).getUTCDay()] ?? '';
}

/** Renders a time of day: "09:00", or "02:30 (UTC+01:00)" if the clock shows that time twice on that day. */
export const renderTime = cachePerMinute((instant, zone) => {
  const wallTime = wallClockAt(instant.getTime(), zone);
  const wallMinute = Math.floor(wallTime / MINUTE_MS) * MINUTE_MS;
  const time = formatWallTime(wallMinute);
  return instantsShowing(wallMinute, zone).length > 1
    ? `${time} (${formatOffsetAt(instant.getTime(), zone)})`
    : time;
});

function formatWallTime(wallTime: number): string {
  return new Date(wallTime).toISOString().slice(11, 16);
}

/** Finds the clock change on a date: "02:00 → 03:00". Undefined if there is none. */
export function findClockChange(date: LocalDate, zone: string): string | undefined {
  const [start, end] = [
    findStartOfDay(date, zone).getTime(),
    findStartOfDay(addDays(date, 1), zone).getTime(),
  ];
  const startOffset = offsetAt(start, zone);
  if (offsetAt(end - 1, zone) === startOffset) return undefined;
  let [low, high] = [start, end - 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle, zone) === startOffset) low = middle;
    else high = middle;
  }
  return `${formatWallTime(high + startOffset * MINUTE_MS)} → ${formatWallTime(wallClockAt(high, zone))}`;
}
