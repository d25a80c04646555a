/**
 * Computes the instants of wall times from the platform's zone data, without any code of the bot.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FIRST_INSTANT = Date.UTC(2025, 11, 1);
const LAST_INSTANT = Date.UTC(2028, 1, 1);

/** A period with a constant offset (ms). */
interface OffsetPeriod {
  from: number;
  to: number;
  offset: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function computeOffset(instant: number, zone: string): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  formats.set(zone, format);
  const parts = Object.fromEntries(
    format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) - instant;
}

const cachedPeriods = new Map<string, OffsetPeriod[]>();

/** Finds the periods of a zone. Compares the offsets of all days, and then finds each change to the minute. */
function findPeriods(zone: string): OffsetPeriod[] {
  const cached = cachedPeriods.get(zone);
  if (cached) return cached;
  const periods: OffsetPeriod[] = [];
  let from = FIRST_INSTANT;
  let offset = computeOffset(FIRST_INSTANT, zone);
  for (let day = FIRST_INSTANT + DAY; day <= LAST_INSTANT; day += DAY) {
    if (computeOffset(day, zone) === offset) continue;
    let [low, high] = [day - DAY, day];
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE;
      if (computeOffset(middle, zone) === offset) low = middle;
      else high = middle;
    }
    periods.push({ from, to: high, offset });
    from = high;
    offset = computeOffset(high, zone);
  }
  periods.push({ from, to: LAST_INSTANT, offset });
  cachedPeriods.set(zone, periods);
  return periods;
}

/** Computes the instant (ms) of a minute on a date such as 2026-03-29. Undefined if the zone skips that date. */
function toInstant(date: string, minute: number, zone: string): number | undefined {
  const wallTime = Date.parse(`${date}T00:00:00Z`) + minute * MINUTE;
  const periods = findPeriods(zone);
  for (const { from, to, offset } of periods) {
    const instant = wallTime - offset;
    if (instant >= from && instant < to) return instant;
  }
  for (const [index, { to, offset }] of periods.entries()) {
    const next = periods[index + 1];
    const isInGap = next && wallTime >= to + offset && wallTime < to + next.offset;
    if (isInGap) return next.offset - offset >= DAY ? undefined : wallTime - offset;
  }
  throw new Error(`${date} is outside of the supported years`);
}

/** Lists all slots of a rule after `after` and not after `until`. `days` are ISO weekdays. */
export function listSlots(
  rule: { days: readonly number[]; minute: number; zone: string },
  after: number,
  until: number,
): { date: string; instant: number }[] {
  const slots: { date: string; instant: number }[] = [];
  const first = Math.floor(after / DAY) * DAY - 2 * DAY;
  for (let day = first; day <= until + 2 * DAY; day += DAY) {
    if (!rule.days.includes(new Date(day).getUTCDay() || 7)) continue;
    const date = new Date(day).toISOString().slice(0, 10);
    const instant = toInstant(date, rule.minute, rule.zone);
    if (instant !== undefined && instant > after && instant <= until) slots.push({ date, instant });
  }
  return slots;
}

/** Formats the calendar date in the zone, such as 2026-12-01. */
export function formatDate(instant: number, zone: string): string {
  return new Date(instant + computeOffset(instant, zone)).toISOString().slice(0, 10);
}

/** Formats the time of day in the zone, such as 06:15. */
export function formatTime(instant: number, zone: string): string {
  return new Date(instant + computeOffset(instant, zone)).toISOString().slice(11, 16);
}
