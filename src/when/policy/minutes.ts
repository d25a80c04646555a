import type { DateTime } from 'luxon';
import type { Expression, TimeExpression } from '../expression.ts';
import { PARTS_OF_DAY, type PartOfDay } from '../grammar/piece.ts';
import { formatTime, MINUTE_MS, midnightOf } from '../zones/wall-clock.ts';

const NOON = 12 * 60;
export const DAY_MINUTES = 24 * 60;

/** Before this time of the day, people still call it the night before. */
export const END_OF_NIGHT = 6 * 60;

/**
 * The minutes of the day that a time can mean, the likeliest first. 1440 and more are in the night that follows. A part
 * of the day settles an hour that lies in it, and am and pm settle any; if they contradict each other, both are
 * candidates. Office hours settle it only with `isAhead`, which tells whether a minute is still to come: the ends of a
 * range settle each other.
 */
export function candidateMinutes(
  time: TimeExpression,
  { part, isToday, day }: Expression,
  isAhead?: (minute: number) => boolean,
): readonly number[] {
  const minute = time.hour * 60 + time.minute;
  const isSettled = time.halfOfDay === 'settled' || time.halfOfDay === 'by-name';
  if (time.isMidnight === 'or-noon') return [DAY_MINUTES, NOON];
  // "Friday midnight" may be the end or the beginning of Friday.
  if (time.isMidnight && (isToday || part?.endsWith('night') === true)) return [DAY_MINUTES];
  if (time.isMidnight) return day === undefined ? [0] : [DAY_MINUTES, 0];
  const early = minute % NOON;
  if (part !== undefined) {
    const ofPart = timesOfPart(early, part, isToday ? isAhead : undefined);
    return isSettled ? settledBeside(ofPart, minute, part) : ofPart;
  }
  if (isSettled || time.halfOfDay === 'as-shown') return [minute];
  if (time.hour === 12) return [NOON + early];
  if (time.halfOfDay === 'or-evening') {
    const hasPassed = day !== undefined && isAhead !== undefined && !isAhead(early);
    return hasPassed && isAhead(early + NOON) ? [early + NOON] : [early];
  }
  const [likelier, other] = time.hour < 7 ? [early + NOON, early] : [early, early + NOON];
  const isOfficeHour = time.halfOfDay === 'office-hours' && time.hour !== 6 && time.hour !== 7;
  const isLikelier = isOfficeHour && isAhead !== undefined && (isAhead(likelier) || !isAhead(other));
  return isLikelier ? [likelier] : [likelier, other];
}

/** A time that needs no part of the day, beside one: "friday night 1am" is on Saturday, or else on Friday. */
function settledBeside(ofPart: readonly number[], minute: number, part: PartOfDay): readonly number[] {
  if (part.endsWith('night') && minute < END_OF_NIGHT) return [DAY_MINUTES + minute, minute];
  // "9am tomorrow afternoon" contradicts itself; "7pm tomorrow afternoon" is only late.
  return isInSameHalf(minute, part) ? [minute] : [minute, ...ofPart.filter((other) => other !== minute)];
}

function isInSameHalf(minute: number, part: PartOfDay): boolean {
  const [first] = PARTS_OF_DAY[part].times;
  return minute >= NOON === first >= 12;
}

/** What people should know about the hour that was chosen. `isAhead` tells whether a minute is still to come. */
export function notesAboutHour(
  minutes: readonly number[],
  { time, part }: Expression,
  isAhead: (minute: number) => boolean,
): readonly string[] {
  const [minute = 0] = minutes;
  if (time === undefined || time.isMidnight || minutes.length === 0) return [];
  if (part !== undefined) {
    if (minute >= DAY_MINUTES) return ['That’s after midnight, so on the next day.'];
    return minutes.some((each) => isInPart(each, part)) ? [] : ['That hour isn’t in that part of the day.'];
  }
  if (time.halfOfDay === 'settled' || time.halfOfDay === 'as-shown' || time.hour % 12 === 0) return [];
  if (time.halfOfDay === 'by-name') return [`Read as ${sayMinute(minute)}.`];
  if (time.halfOfDay === 'or-evening' && minute < NOON) return [];
  const open = minutes.length === 1 ? minutes : minutes.filter(isAhead);
  const [chosen = 0] = open;
  return open.length === 1
    ? [`Read as ${sayMinute(chosen)}, not ${sayMinute((chosen + NOON) % DAY_MINUTES)}.`]
    : [];
}

function isInPart(minute: number, part: PartOfDay): boolean {
  const [first, end] = PARTS_OF_DAY[part].times;
  return first * 60 <= minute && minute < end * 60;
}

/** "Early morning at 10" isn't in the evening. */
const FAR_MINUTES = 6 * 60;

/** How many minutes a time outside a part of the day lies before or after it. */
function minutesAway(minute: number, part: PartOfDay): number {
  const [first, end] = PARTS_OF_DAY[part].times;
  return Math.max(first * 60 - minute, minute - end * 60);
}

/**
 * An hour of a twelve-hour clock that lies in the part, or else the two closest to it: "tonight at 4" is in the afternoon
 * or in the night that follows. `isAhead` is set if the part is today's.
 */
function timesOfPart(
  early: number,
  part: PartOfDay,
  isAhead: ((minute: number) => boolean) | undefined,
): readonly number[] {
  const clocks = [early, early + NOON, early + DAY_MINUTES];
  const inside = clocks.find((minute) => isInPart(minute, part));
  const isSmallHour = part.endsWith('night') && early > 0 && early < END_OF_NIGHT;
  const isVerySmall = isSmallHour && early < 4 * 60;
  // Before the night is over, "tonight at 3" is in this night.
  const inThisNight = isSmallHour && isAhead?.(early) === true ? [early] : [];
  if (isVerySmall && inThisNight.length > 0) return [early, DAY_MINUTES + early];
  // "Friday night at 2" is on Saturday, or else on Friday.
  if (isSmallHour && isAhead === undefined && (isVerySmall || inside !== undefined))
    return [DAY_MINUTES + early, early];
  if (inside !== undefined) return [inside, ...inThisNight];
  const closest = clocks.toSorted((a, b) => minutesAway(a, part) - minutesAway(b, part) || b - a);
  const [nearest = early, next = early] = closest;
  // "In the afternoon at 7" and "4:30 in the evening", unlike "tonight at 4".
  const isOnlyJustOutside =
    !(part.endsWith('night') || nearest % NOON < 60 || nearest >= DAY_MINUTES) &&
    isInSameHalf(nearest, part) &&
    minutesAway(nearest, part) <= 60 &&
    minutesAway(next, part) >= 180;
  if (isOnlyJustOutside) return [nearest];
  const near = closest.filter((minute, index) => index === 0 || minutesAway(minute, part) <= FAR_MINUTES);
  return [...near.slice(0, 2), ...inThisNight];
}

const DEFAULT_HOUR = 9;

/** Parts whose later hours count as well once their usual one has passed: 11:00 is still "this morning". */
const LONG_PARTS: readonly string[] = ['am', 'morning', 'pm', 'afternoon', 'evening', 'night', 'tonight'];

const OTHER_MINUTES: Readonly<Partial<Record<PartOfDay, number>>> = {
  'dead-of-night': DAY_MINUTES,
  late: PARTS_OF_DAY['late-evening'].hour * 60,
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
  const usual = part === undefined ? DEFAULT_HOUR : PARTS_OF_DAY[part].hour;
  const end = part === undefined ? 24 : PARTS_OF_DAY[part].stretch[1];
  const last = part === undefined || LONG_PARTS.includes(part) ? end - 1 : usual;
  const hasPassed = now.hour >= usual && now.hour < last && +day === +midnightOf(now);
  const other = part === undefined ? undefined : OTHER_MINUTES[part];
  return [(hasPassed ? now.hour + 1 : usual) * 60, ...(other === undefined ? [] : [other])];
}

/** "09:00" for 540. */
export function sayMinute(minute: number): string {
  return formatTime(minute * MINUTE_MS);
}
