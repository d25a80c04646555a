import { type DateTime, Duration } from 'luxon';
import type { PartOfDay } from '../grammar/rule.ts';
import type { Spoken, SpokenTime } from '../spoken.ts';
import type { WallClock } from '../zones/wall-clock.ts';
import { daysBeside } from './days-beside.ts';
import { defaultMinute, sayMinute } from './default-times.ts';
import { type PossibleDays, possibleDays } from './possible-days.ts';

/** A wall clock, or now where there is none, and the time to pass after it (ms): hours and minutes are elapsed time. */
export interface PossibleWall {
  wall?: WallClock;
  elapsed: number;
}

export interface PossibleWalls {
  walls: readonly PossibleWall[];
  notes: readonly string[];
}

/** The wall clock of the zone, and the day that is today for the one who writes (wall clocks in UTC, both). */
interface Clock {
  now: DateTime;
  today: DateTime;
}

/** All wall clocks that the words can mean, the likeliest first. */
export function possibleWalls(spoken: Spoken, clock: Clock): PossibleWalls {
  const first = firstMeant(spoken, clock);
  if (spoken.orAfter === undefined) return first;
  const other = afterNow(spoken, spoken.orAfter, clock.now);
  return { walls: [...first.walls, ...other.walls], notes: first.notes };
}

function firstMeant(spoken: Spoken, clock: Clock): PossibleWalls {
  if (spoken.after !== undefined) return afterNow(spoken, spoken.after, clock.now);
  if (spoken.pastHour !== undefined) return pastHour(spoken.pastHour, clock.now);
  const { days, elapsed } = parted(spoken.plus ?? Duration.fromMillis(0));
  const { walls, notes } = atNamed(spoken, clock, days);
  return { walls: walls.map((wall) => ({ wall: wall.toMillis(), elapsed })), notes };
}

/** Wall clocks, in UTC. */
interface NamedWalls {
  walls: readonly DateTime[];
  notes: readonly string[];
}

/** "At quarter past" is the next time that the clock's minutes are at 15. */
function pastHour(minute: number, now: DateTime): PossibleWalls {
  const inThisHour = now.startOf('hour').plus({ minutes: minute });
  const ahead = inThisHour > now ? inThisHour : inThisHour.plus({ hours: 1 });
  return { walls: [{ wall: ahead.toMillis(), elapsed: 0 }], notes: [] };
}

function afterNow(spoken: Spoken, after: Duration, now: DateTime): PossibleWalls {
  const { days, elapsed } = parted(after);
  if (days.as('days') === 0) return { walls: [{ elapsed }], notes: [] };
  const day = now.plus(days);
  if (spoken.time === undefined && spoken.part === undefined) {
    const notes = elapsed === 0 ? ['No time given: the same time as now.'] : [];
    return { walls: [{ wall: day.startOf('minute').toMillis(), elapsed }], notes };
  }
  const { walls, notes } = on({ days: [day.startOf('day')], notes: [] }, spoken, now);
  return { walls: walls.map((wall) => ({ wall: wall.toMillis(), elapsed: 0 })), notes };
}

/** What is named, moved on by so many days. */
function atNamed(spoken: Spoken, { now, today }: Clock, plus: Duration): NamedWalls {
  const { day } = spoken;
  if (day === undefined) {
    const { walls, notes } = nextTime(spoken, now);
    return { walls: walls.map((wall) => wall.plus(plus)), notes };
  }
  const isOpen = (candidate: DateTime): boolean =>
    minutesOn(candidate, spoken, now).some((minute) => candidate.plus({ minutes: minute }) > now);
  // A date is the calendar's in its zone; "friday" is counted from the day of the one who writes.
  const from = day.kind === 'weekday' ? today : now.startOf('day');
  const { days, notes } = possibleDays(day, from, isOpen);
  const { beside } = spoken;
  const meant = beside === undefined ? days : days.flatMap((each) => daysBeside(each, beside));
  return on({ days: meant.map((each) => each.plus(plus)), notes }, spoken, now);
}

/** A time without a day: today, or tomorrow when it is over. */
function nextTime(spoken: Spoken, now: DateTime): NamedWalls {
  const today = now.startOf('day');
  const times = minutesOn(today, spoken, now).map((minute) => today.plus({ minutes: minute }));
  const walls = times.map((time) => (time > now ? time : time.plus({ days: 1 })));
  const [time] = times;
  const isMoved = times.every((each) => each <= now) && spoken.time?.isMidnight !== true;
  const notes = isMoved && time !== undefined ? [`${time.toFormat('HH:mm')} has passed, so tomorrow.`] : [];
  return { walls, notes };
}

function on({ days, notes }: PossibleDays, spoken: Spoken, now: DateTime): NamedWalls {
  const walls = days.flatMap((day) =>
    minutesOn(day, spoken, now).map((minute) => day.plus({ minutes: minute })),
  );
  const [day] = days;
  const minute =
    day === undefined || spoken.time !== undefined || spoken.isSameTime
      ? undefined
      : minutesOn(day, spoken, now)[0];
  return { walls, notes: minute === undefined ? notes : [...notes, `No time given: ${sayMinute(minute)}.`] };
}

function minutesOn(day: DateTime, spoken: Spoken, now: DateTime): readonly number[] {
  // "5 hours before tomorrow" is counted from its beginning, "2 hours from tomorrow" rather from the time that it is now.
  if (isCountedInHours(spoken)) return [0, now.hour * 60 + now.minute];
  if (spoken.isSameTime) return [now.hour * 60 + now.minute];
  if (spoken.time === undefined) return [defaultMinute(day, spoken.part, now)];
  return possibleTimes(spoken.time, spoken);
}

function isCountedInHours({ plus, time, part, isSameTime }: Spoken): boolean {
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
 * The minutes of the day that a spoken time can mean, the likeliest first; 1440 and more are of the night that
 * follows. "At 5" is in the afternoon, "at 9" in the morning, and the other is offered too; a part of the day,
 * or am and pm, settle it, and where these two contradict each other, both are offered.
 */
export function possibleTimes(time: SpokenTime, { part, isToday, day }: Spoken): readonly number[] {
  const minute = time.hour * 60 + time.minute;
  if (time.isMidnight) return midnights(isToday || part === 'night', day !== undefined);
  const early = minute % NOON;
  if (part !== undefined) {
    const ofPart = timesOfPart(early, part, isToday);
    return time.halves === 'settled' ? settledBeside(ofPart, minute, part) : ofPart;
  }
  if (time.halves !== 'open') return [minute];
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
