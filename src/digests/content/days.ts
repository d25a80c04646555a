import { instantAfterGap, instantsShowing, offsetAt, sayOffsetAt, wallClockAt } from '../../when/when.ts';

/** A local date: 2026-12-01. */
export type LocalDate = string;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_CACHED = 20_000;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Caches a text by zone and minute: digests of the same morning show the same posts. */
function cachePerMinute(
  render: (instant: Date, zone: string) => string,
): (instant: Date, zone: string) => string {
  const cache = new Map<string, string>();
  return (instant, zone) => {
    const key = `${zone} ${Math.floor(instant.getTime() / MINUTE_MS)}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    if (cache.size >= MAX_CACHED) cache.clear();
    const text = render(instant, zone);
    cache.set(key, text);
    return text;
  };
}

function midnight(date: LocalDate): number {
  return Date.parse(`${date}T00:00:00Z`);
}

export function dateAfter(date: LocalDate, days: number): LocalDate {
  return new Date(midnight(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The calendar date in a zone. */
export const dateIn = cachePerMinute((instant, zone): LocalDate => {
  return new Date(wallClockAt(instant.getTime(), zone)).toISOString().slice(0, 10);
});

/** The first instant of a date. It isn't always 00:00, because some zones change their clocks at midnight. */
export function startOf(date: LocalDate, zone: string): Date {
  const [shown] = instantsShowing(midnight(date), zone);
  return new Date(shown ?? instantAfterGap(midnight(date), zone));
}

export function isWeekday(date: LocalDate): boolean {
  const day = new Date(midnight(date)).getUTCDay();
  return day > 0 && day < 6;
}

/** "Tue 1 Dec". */
export function dayText(date: LocalDate): string {
  const day = new Date(midnight(date));
  return `${WEEKDAYS[day.getUTCDay()]} ${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`;
}

/** "09:00"; "02:30 (UTC+01:00)" if the clock shows that time twice on that day. */
export const timeText = cachePerMinute((instant, zone) => {
  const wall = wallClockAt(instant.getTime(), zone);
  const shown = Math.floor(wall / MINUTE_MS) * MINUTE_MS;
  const time = clock(shown);
  return instantsShowing(shown, zone).length > 1 ? `${time} (${sayOffsetAt(instant.getTime(), zone)})` : time;
});

function clock(wall: number): string {
  return new Date(wall).toISOString().slice(11, 16);
}

/** The clock change on a date: "02:00 → 03:00"; undefined if there is none. */
export function clockChange(date: LocalDate, zone: string): string | undefined {
  const [first, end] = [startOf(date, zone).getTime(), startOf(dateAfter(date, 1), zone).getTime()];
  const before = offsetAt(first, zone);
  if (offsetAt(end - 1, zone) === before) return undefined;
  let [low, high] = [first, end - 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle, zone) === before) low = middle;
    else high = middle;
  }
  return `${clock(high + before * MINUTE_MS)} → ${clock(wallClockAt(high, zone))}`;
}
