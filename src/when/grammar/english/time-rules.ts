import type { Parser } from 'chrono-node';
import {
  atHours,
  bareHours,
  clockTimes,
  dottedTimes,
  figureTimes,
  hourTimes,
  letterTimes,
  looseHours,
  secondTimes,
} from './clock-times.ts';
import { bareDuration, fromAnother, fromNow, partBesideDay, primes, weeksOnDay } from './from-now.ts';
import { halvesOfDay, midnight, namedTimes, occasions, partsOfDay } from './named-times.ts';
import { sameTime, sameTimeLater } from './same-time.ts';
import { halfHours, hourAndMinutes, hundredHours, minutesPastHour } from './spoken-times.ts';

/** All that names a time of the day, a part of it, or the time from one moment to another. */
export const timeRules: readonly Parser[] = [
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
  occasions,
  halvesOfDay,
  sameTime,
  sameTimeLater,
  fromNow,
  fromAnother,
  partBesideDay,
  weeksOnDay,
  primes,
];
