import type { Parser } from 'chrono-node';
import { bareCounts } from './bare-counts.ts';
import {
  atHours,
  bareHours,
  clockTimes,
  dottedTimes,
  figureTimes,
  hourOrDuration,
  hourTimes,
  letterTimes,
  looseHours,
  secondTimes,
} from './clock-times.ts';
import { earlyOrLate } from './early-or-late.ts';
import {
  bareDuration,
  fromAnother,
  fromNow,
  partBesideDay,
  partsFromNow,
  plusDuration,
  primes,
  weeksOnDay,
  withinNext,
} from './from-now.ts';
import { minutesPast } from './minutes-past.ts';
import {
  afterLunch,
  halvesOfDay,
  hoursOfPart,
  midnight,
  namedTimes,
  occasions,
  partsOfDay,
} from './named-times.ts';
import { sameDayLater, sameTime, sameTimeLater } from './same-time.ts';
import { halfHours, hourAndMinutes, hundredHours, minutesPastHour } from './spoken-times.ts';

/** All that names a time of the day, a part of it, or the time from one moment to another. */
export const timeRules: readonly Parser[] = [
  hourOrDuration,
  bareDuration,
  clockTimes,
  dottedTimes,
  hourTimes,
  atHours,
  bareHours,
  figureTimes,
  letterTimes,
  secondTimes,
  looseHours,
  minutesPastHour,
  halfHours,
  hourAndMinutes,
  hundredHours,
  namedTimes,
  midnight,
  partsOfDay,
  hoursOfPart,
  occasions,
  afterLunch,
  halvesOfDay,
  sameTime,
  sameTimeLater,
  sameDayLater,
  partsFromNow,
  fromNow,
  withinNext,
  fromAnother,
  partBesideDay,
  weeksOnDay,
  primes,
  plusDuration,
  earlyOrLate,
  minutesPast,
  bareCounts,
];
