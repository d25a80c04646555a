import type { DateTime } from 'luxon';
import type { Expression, TimeExpression } from '../expression.ts';
import { PARTS_OF_DAY, type PartOfDay } from '../grammar/piece.ts';

const NOON = 12 * 60;
const DAY = 24 * 60;

/** "Half past 11 at midday" is before noon, and "1 at midday" after it. */
const FIRST_OF_MIDDAY = 10 * 60;

/** Before this time of the day, people still call it the night before. */
export const END_OF_NIGHT = 6 * 60;

/**
 * The minutes of the day that a time can mean, the likeliest first. 1440 and more are in the night that follows. A part
 * of the day, or am and pm, settle it; if they contradict each other, both are candidates. Office hours settle it only
 * with `isAhead`, which tells whether a minute is still to come: the ends of a range settle each other.
 */
export function candidateMinutes(
  time: TimeExpression,
  { part, isToday, day }: Expression,
  isAhead?: (minute: number) => boolean,
): readonly number[] {
  const minute = time.hour * 60 + time.minute;
  if (time.isMidnight) return midnights(isToday || part?.endsWith('night') === true, day !== undefined);
  const early = minute % NOON;
  if (part !== undefined) {
    const ofPart = timesOfPart(early, part, isToday ? isAhead : undefined);
    return time.halfOfDay === 'settled' ? settledBeside(ofPart, minute, part) : ofPart;
  }
  if (time.halfOfDay === 'settled' || time.halfOfDay === 'as-shown') return [minute];
  if (time.hour === 12) return [NOON + early];
  const [likelier, other] = time.hour < 7 ? [early + NOON, early] : [early, early + NOON];
  const isOfficeHour = time.halfOfDay === 'office-hours' && time.hour !== 6 && time.hour !== 7;
  const isSettled = isOfficeHour && isAhead !== undefined && (isAhead(likelier) || !isAhead(other));
  return isSettled ? [likelier] : [likelier, other];
}

/** "Friday midnight" may be the end or the beginning of Friday. */
function midnights(isEndOfDay: boolean, hasDay: boolean): readonly number[] {
  if (isEndOfDay) return [DAY];
  return hasDay ? [DAY, 0] : [0];
}

/** A time that needs no part of the day, beside one: "friday night 1am" is on Saturday, or else on Friday. */
function settledBeside(ofPart: readonly number[], minute: number, part: PartOfDay): readonly number[] {
  if (part.endsWith('night') && minute < END_OF_NIGHT) return [DAY + minute, minute];
  return ofPart.includes(minute) ? [minute] : [minute, ...ofPart];
}

/** `isAhead` is set if the part is today's. */
function timesOfPart(
  early: number,
  part: PartOfDay,
  isAhead: ((minute: number) => boolean) | undefined,
): readonly number[] {
  const isTwelve = early < 60;
  if (part.endsWith('morning') || part === 'breakfast') return isTwelve ? [NOON + early, early] : [early];
  if (part === 'midday') return [early < FIRST_OF_MIDDAY ? early + NOON : early];
  if (part.endsWith('afternoon') || part === 'late') return [early + NOON];
  if (isTwelve) return [DAY + early];
  const isSmallHour = part.endsWith('night') && early < 4 * 60;
  if (!isSmallHour) return [early + NOON];
  if (isAhead === undefined) return [DAY + early, early];
  // "Tonight at 3" can be a slip of the pen for "today at 3".
  return isAhead(early) ? [early, DAY + early] : [DAY + early, early + NOON];
}

const DEFAULT_HOUR = 9;

/** The last hour of a part of the day: 11:00 is still "this morning". */
const LAST_HOURS: Readonly<Partial<Record<PartOfDay, number>>> = {
  morning: 11,
  afternoon: 17,
  evening: 21,
  night: 23,
};

const OTHER_MINUTES: Readonly<Partial<Record<PartOfDay, number>>> = {
  'dead-of-night': DAY,
  late: PARTS_OF_DAY['late-evening'] * 60,
};

/**
 * The minutes of the day for a day without a time, the likelier first: 09:00, or the hour of the part of the day. If
 * that has passed today, the next full hour within the part, or else the same hour nevertheless.
 */
export function defaultMinutes(
  day: DateTime,
  part: PartOfDay | undefined,
  now: DateTime,
): readonly [number, ...number[]] {
  const usual = part === undefined ? DEFAULT_HOUR : PARTS_OF_DAY[part];
  const last = part === undefined ? 23 : (LAST_HOURS[part] ?? usual);
  const hasPassed = now.hour >= usual && now.hour < last && +day === +now.startOf('day');
  const other = part === undefined ? undefined : OTHER_MINUTES[part];
  return [(hasPassed ? now.hour + 1 : usual) * 60, ...(other === undefined ? [] : [other])];
}

/** "09:00" for 540. */
export function sayMinute(minute: number): string {
  const ofDay = minute % DAY;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}
