import { type DateTime, Duration } from 'luxon';
import type { Expression, TimeExpression } from '../expression.ts';
import type { PartOfDay } from '../grammar/piece.ts';
import type { WallClock } from '../zones/wall-clock.ts';
import { type CandidateDays, candidateDays, daysBeside } from './candidate-days.ts';
import { defaultMinutes, sayMinute } from './default-times.ts';

/** A wall clock, or now where there is none, and the time to pass after it (ms): hours and minutes are elapsed time. */
export interface Candidate {
  wall?: WallClock;
  elapsed: number;
}

export interface Candidates {
  walls: readonly Candidate[];
  notes: readonly string[];
}

/** The wall clock of the zone, and the day that is today for the one who writes (wall clocks in UTC, both). */
interface Clock {
  now: DateTime;
  today: DateTime;
}

/** All wall clocks that the words can mean, the likeliest first. */
export function findCandidates(expression: Expression, clock: Clock): Candidates {
  const first = firstMeant(expression, clock);
  if (expression.orFromNow === undefined) return first;
  const other = afterNow(expression, expression.orFromNow, clock.now);
  return { walls: [...first.walls, ...other.walls], notes: first.notes };
}

function firstMeant(expression: Expression, clock: Clock): Candidates {
  if (expression.fromNow !== undefined) return afterNow(expression, expression.fromNow, clock.now);
  if (expression.minutePastHour !== undefined) return atMinutePastHour(expression.minutePastHour, clock.now);
  const { days, elapsed } = parted(expression.plus ?? Duration.fromMillis(0));
  const { walls, notes } = atNamed(expression, clock, days);
  return { walls: walls.map((wall) => ({ wall: wall.toMillis(), elapsed })), notes };
}

/** Wall clocks, in UTC. */
interface NamedWalls {
  walls: readonly DateTime[];
  notes: readonly string[];
}

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
  return { walls: walls.map((wall) => ({ wall: wall.toMillis(), elapsed: 0 })), notes };
}

/** What is named, moved on by so many days. */
function atNamed(expression: Expression, { now, today }: Clock, plus: Duration): NamedWalls {
  const { day } = expression;
  if (day === undefined) {
    const { walls, notes } = nextTime(expression, now);
    return { walls: walls.map((wall) => wall.plus(plus)), notes };
  }
  const isOpen = (candidate: DateTime): boolean =>
    minutesOn(candidate, expression, now).some((minute) => candidate.plus({ minutes: minute }) > now);
  // A date is the calendar's in its zone; "friday" is counted from the day of the one who writes.
  const from = day.kind === 'weekday' ? today : now.startOf('day');
  const { days, notes } = candidateDays(day, from, isOpen);
  const { beside } = expression;
  const meant = beside === undefined ? days : days.flatMap((each) => daysBeside(each, beside));
  return on({ days: meant.map((each) => each.plus(plus)), notes }, expression, now);
}

/** A time without a day: today, or tomorrow when it is over. */
function nextTime(expression: Expression, now: DateTime): NamedWalls {
  const today = now.startOf('day');
  const times = minutesOn(today, expression, now).map((minute) => today.plus({ minutes: minute }));
  const walls = times.map((time) => (time > now ? time : time.plus({ days: 1 })));
  const [time] = times;
  const isMoved = times.every((each) => each <= now) && expression.time?.isMidnight !== true;
  const notes = isMoved && time !== undefined ? [`${time.toFormat('HH:mm')} has passed, so tomorrow.`] : [];
  return { walls, notes };
}

function on({ days, notes }: CandidateDays, expression: Expression, now: DateTime): NamedWalls {
  const walls = days.flatMap((day) =>
    minutesOn(day, expression, now).map((minute) => day.plus({ minutes: minute })),
  );
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
  if (expression.time === undefined) return defaultMinutes(day, expression.part, now);
  return candidateMinutes(expression.time, expression);
}

function isCountedInHours({ plus, time, part, isSameTime }: Expression): boolean {
  return (
    plus !== undefined &&
    parted(plus).elapsed !== 0 &&
    time === undefined &&
    part === undefined &&
    !isSameTime
  );
}

/** Days and longer move the date on the wall, hours and shorter are time that passes. */
function parted(duration: Duration): { days: Duration; elapsed: number } {
  const { hours = 0, minutes = 0, seconds = 0, milliseconds = 0 } = duration.toObject();
  const days = duration.set({ hours: 0, minutes: 0, seconds: 0, milliseconds: 0 });
  return { days, elapsed: ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds };
}

const NOON = 12 * 60;
const DAY = 24 * 60;

/** "Half past 11 at midday" is before noon, and "1 at midday" after it. */
const FIRST_OF_MIDDAY = 10 * 60;

/** Until then it is still the night before to people, though the date is the next. */
const END_OF_NIGHT = 6 * 60;

/**
 * The minutes of the day that a expression time can mean, the likeliest first; 1440 and more are of the night that
 * follows. "At 5" is in the afternoon, "at 9" in the morning, and the other is offered too; a part of the day,
 * or am and pm, settle it, and where these two contradict each other, both are offered.
 */
export function candidateMinutes(
  time: TimeExpression,
  { part, isToday, day }: Expression,
): readonly number[] {
  const minute = time.hour * 60 + time.minute;
  if (time.isMidnight) return midnights(isToday || part?.endsWith('night') === true, day !== undefined);
  const early = minute % NOON;
  if (part !== undefined) {
    const ofPart = timesOfPart(early, part, isToday);
    return time.halfOfDay === 'settled' ? settledBeside(ofPart, minute, part) : ofPart;
  }
  if (time.halfOfDay !== 'open') return [minute];
  if (time.hour === 12) return [NOON + early];
  return time.hour < 7 ? [early + NOON, early] : [early, early + NOON];
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

function timesOfPart(early: number, part: PartOfDay, isToday: boolean): readonly number[] {
  const isTwelve = early < 60;
  if (part.endsWith('morning') || part === 'breakfast') return isTwelve ? [NOON + early, early] : [early];
  if (part === 'midday') return [early < FIRST_OF_MIDDAY ? early + NOON : early];
  if (part.endsWith('afternoon')) return [early + NOON];
  if (isTwelve) return [DAY + early];
  const isSmallHour = part.endsWith('night') && early < 4 * 60;
  if (!isSmallHour) return [early + NOON];
  return isToday ? [DAY + early] : [DAY + early, early];
}
