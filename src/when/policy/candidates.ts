import { DateTime, type Duration } from 'luxon';
import type { Expression } from '../expression.ts';
import { hasHours } from '../grammar/piece.ts';
import type { WallClock } from '../zones/wall-clock.ts';
import { type CandidateDays, candidateDays, daysBeside } from './candidate-days.ts';
import { candidateMinutes, defaultMinutes, END_OF_NIGHT, sayMinute } from './minutes.ts';

/** A wall clock, or now where there is none, and the time to pass after it (ms): hours and minutes are elapsed time. */
export interface Candidate {
  wall?: WallClock;
  elapsed: number;
}

export interface Candidates {
  walls: readonly Candidate[];
  notes: readonly string[];
}

/** The current time in the zone, and the author's today, which can be another date. Both are wall times, as if in UTC. */
interface Clock {
  now: DateTime;
  today: DateTime;
}

/** All wall clocks that the words can mean, the likeliest first. */
export function findCandidates(expression: Expression, clock: Clock): Candidates {
  const first = firstMeant(expression, clock);
  const { orFromNow } = expression;
  const atHour = readNumberAsHour(expression);
  const others = [
    ...(orFromNow === undefined ? [] : afterNow(expression, orFromNow, clock.now).walls),
    ...(atHour === undefined ? [] : firstMeant(atHour, clock).walls),
  ];
  return { walls: [...first.walls, ...others], notes: first.notes };
}

/** "Tue 14" at 14:00 on a Tuesday, if the 14th can be meant too. */
function readNumberAsHour({ day, ...rest }: Expression): Expression | undefined {
  if (day?.kind !== 'day-of-month' || rest.time !== undefined || rest.part !== undefined) return undefined;
  const { weekday, orHour: hour } = day;
  if (weekday === undefined || hour === undefined) return undefined;
  const halfOfDay = hour > 12 ? 'settled' : 'office-hours';
  return {
    ...rest,
    day: { kind: 'weekday', weekday },
    time: { hour, minute: 0, halfOfDay, isMidnight: false },
  };
}

function firstMeant(expression: Expression, clock: Clock): Candidates {
  if (expression.fromNow !== undefined) return afterNow(expression, expression.fromNow, clock.now);
  if (expression.minutePastHour !== undefined) return atMinutePastHour(expression.minutePastHour, clock.now);
  const { days, elapsed } = expression.plus === undefined ? { elapsed: 0 } : parted(expression.plus);
  const { walls, notes } = atNamed(expression, clock, days);
  return { walls: walls.map((wall) => ({ wall, elapsed })), notes };
}

interface NamedWalls {
  walls: readonly WallClock[];
  notes: readonly string[];
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** "At quarter past" is the next time that the clock's minutes are at 15. */
function atMinutePastHour(minute: number, now: DateTime): Candidates {
  const inThisHour = now.startOf('hour').plus({ minutes: minute });
  const ahead = inThisHour > now ? inThisHour : inThisHour.plus({ hours: 1 });
  return { walls: [{ wall: ahead.toMillis(), elapsed: 0 }], notes: [] };
}

function afterNow(expression: Expression, after: Duration, now: DateTime): Candidates {
  const { days, elapsed } = parted(after);
  if (days.as('days') === 0) return { walls: [{ elapsed }], notes: [] };
  const day = now.plus(days);
  if (expression.time === undefined && expression.part === undefined) {
    const notes = elapsed === 0 ? ['No time given: the same time as now.'] : [];
    return { walls: [{ wall: day.startOf('minute').toMillis(), elapsed }], notes };
  }
  const { walls, notes } = on({ days: [day.startOf('day')], notes: [] }, expression, now);
  return { walls: walls.map((wall) => ({ wall, elapsed: 0 })), notes };
}

/** The candidates for a named day or time, plus the duration. */
function atNamed(expression: Expression, { now, today }: Clock, plus: Duration | undefined): NamedWalls {
  const { day } = expression;
  if (day === undefined) {
    const { walls, notes } = nextTime(expression, now);
    if (plus === undefined) return { walls, notes };
    const moved = walls.map((wall) => DateTime.fromMillis(wall, { zone: 'utc' }).plus(plus).toMillis());
    return { walls: moved, notes };
  }
  const isOpen = (candidate: DateTime): boolean =>
    minutesOn(candidate, expression, now).some((minute) => wallAt(candidate, minute) > +now);
  // A date is the calendar's in its zone; "friday" is counted from the author's today.
  const from = day.kind === 'weekday' ? today : now.startOf('day');
  const { days, notes } = candidateDays(day, { today: from, isOpen });
  const { beside } = expression;
  const meant = beside === undefined ? days : days.flatMap((each) => daysBeside(each, beside));
  const moved = plus === undefined ? meant : meant.map((each) => each.plus(plus));
  return on({ days: moved, notes }, expression, now);
}

function wallAt(day: DateTime, minute: number): WallClock {
  return +day + minute * MINUTE_MS;
}

/** A time without a day: today, or tomorrow when it is over. */
function nextTime(expression: Expression, now: DateTime): NamedWalls {
  const today = now.startOf('day');
  const minutes = minutesOn(today, expression, now);
  const isAhead = (minute: number): boolean => wallAt(today, minute) > +now;
  const walls = minutes.map((minute) => wallAt(today, isAhead(minute) ? minute : minute + DAY_MINUTES));
  const [minute = 0] = minutes;
  // "In the morning", typed in a morning, is today or tomorrow.
  const isMorning = expression.time === undefined && expression.part?.endsWith('morning') === true;
  if (isMorning && isAhead(minute) && now.hour >= END_OF_NIGHT / 60) {
    const [other] = defaultMinutes(today.plus({ days: 1 }), expression.part, now);
    const both = [wallAt(today, minute), wallAt(today, other + DAY_MINUTES)];
    return { walls: minute > other ? both.reverse() : both, notes: [] };
  }
  const isMoved = !minutes.some(isAhead) && expression.time?.isMidnight !== true;
  return { walls, notes: isMoved ? [`${sayMinute(minute)} has passed, so tomorrow.`] : [] };
}

function on({ days, notes }: CandidateDays, expression: Expression, now: DateTime): NamedWalls {
  const walls = days.flatMap((day) => minutesOn(day, expression, now).map((minute) => wallAt(day, minute)));
  const [day] = days;
  const minute =
    day === undefined || expression.time !== undefined || expression.isSameTime
      ? undefined
      : minutesOn(day, expression, now)[0];
  return { walls, notes: minute === undefined ? notes : [...notes, `No time given: ${sayMinute(minute)}.`] };
}

function minutesOn(day: DateTime, expression: Expression, now: DateTime): readonly number[] {
  // "5 hours before tomorrow" is counted from its beginning, "2 hours from tomorrow" rather from the time that it is now.
  if (isCountedInHours(expression)) return [0, now.hour * 60 + now.minute];
  if (expression.isSameTime) return [now.hour * 60 + now.minute];
  const { time, part } = expression;
  if (time === undefined) return defaultMinutes(day, part, now);
  return candidateMinutes(time, expression, (minute) => wallAt(day, minute) > +now);
}

function isCountedInHours({ plus, time, part, isSameTime }: Expression): boolean {
  return plus !== undefined && hasHours(plus) && (time ?? part) === undefined && !isSameTime;
}

/** Days and longer units are wall time, hours and shorter ones elapsed time. */
function parted(duration: Duration): { days: Duration; elapsed: number } {
  const days = duration.set({ hours: 0, minutes: 0, seconds: 0, milliseconds: 0 });
  return { days, elapsed: duration.minus(days).toMillis() };
}
