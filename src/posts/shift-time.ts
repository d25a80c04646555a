import { instantAfterGap, instantsShowing, wallClockAt } from '../when/when.ts';

/** How far a post is moved. A day keeps the time on the clock, even if the clock changes in between. */
export interface TimeShift {
  days: number;
  minutes: number;
}

const UNITS: readonly (readonly [names: RegExp, shift: TimeShift])[] = [
  [/^m(?:in(?:ute)?s?)?$/, { days: 0, minutes: 1 }],
  [/^h(?:(?:ou)?rs?)?$/, { days: 0, minutes: 60 }],
  [/^d(?:ays?)?$/, { days: 1, minutes: 0 }],
  [/^w(?:(?:ee)?ks?)?$/, { days: 7, minutes: 0 }],
];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A year. A longer shift is a typing error. */
const MAX_DAYS = 366;

/**
 * Parses how far a post is moved: "+1 day", "-2h", "by 90 min", "1 hour 30 min later". Undefined for any other text, and
 * without a sign or a word for the direction, because "2 hours" may also mean a time.
 */
export function parseTimeShift(text: string): TimeShift | undefined {
  const [, sign, amounts, direction] =
    /^(\+|-|−|by\s|by -)?\s*((?:\d{1,4}\s*[a-z]+[\s,]*)+?)\s*(earlier|later)?$/i.exec(text.trim()) ?? [];
  if (amounts === undefined || (sign === undefined && direction === undefined)) return undefined;
  const isEarlier = /[-−]/.test(sign ?? '') !== (direction?.toLowerCase() === 'earlier');
  const shift = { days: 0, minutes: 0 };
  for (const [, count = '', name = ''] of amounts.toLowerCase().matchAll(/(\d+)\s*([a-z]+)/g)) {
    const unit = UNITS.find(([names]) => names.test(name))?.[1];
    if (!unit) return undefined;
    const factor = isEarlier ? -Number(count) : Number(count);
    shift.days += factor * unit.days;
    shift.minutes += factor * unit.minutes;
  }
  const isTooLong = Math.abs(shift.days) + Math.abs(shift.minutes) / (24 * 60) > MAX_DAYS;
  return isTooLong || (shift.days === 0 && shift.minutes === 0) ? undefined : shift;
}

/** Moves an instant. `zone`: an IANA name. */
export function shiftTime(instant: Date, zone: string, { days, minutes }: TimeShift): Date {
  const wall = wallClockAt(instant.getTime(), zone) + days * DAY_MS;
  const [shifted = instantAfterGap(wall, zone)] =
    days === 0 ? [instant.getTime()] : instantsShowing(wall, zone);
  return new Date(shifted + minutes * MINUTE_MS);
}
