import { Chrono, en, type Parser, type Refiner } from 'chrono-node';
import { dropLooseHours } from '../drop-loose-hours.ts';
import { mergePieces } from '../merge-pieces.ts';
import { yearsThatAreTimes } from '../years-that-are-times.ts';
import {
  atHours,
  clockTimes,
  dottedTimes,
  figureTimes,
  hourTimes,
  letterTimes,
  looseHours,
} from './clock-times.ts';
import { dayNames } from './day-names.ts';
import { daysOfMonth, daysOfNamedMonth } from './days-of-month.ts';
import { isFiller } from './fillers.ts';
import { bareDuration, fromAnother, fromNow } from './from-now.ts';
import { dayMonthShortYear, dayThenMonth, monthThenDay, yearThenMonth } from './month-dates.ts';
import { halvesOfDay, midnight, namedTimes, partsOfDay } from './named-times.ts';
import { nthWeekdays } from './nth-weekdays.ts';
import { dottedDates, dottedDatesOfWeekdays, slashedDates } from './numeric-dates.ts';
import { monthEnds, periodEnds } from './period-ends.ts';
import { halfHours, hourAndMinutes, minutesPastHour } from './spoken-times.ts';
import { weekBeforeWeekday, weekdays } from './weekdays.ts';

/** English, as written where the month comes first or where the day does. */
export function english({ dayFirst }: { dayFirst: boolean }): Chrono {
  const parsers: Parser[] = [
    ...chronosOwn('ISOFormatParser', 'ENYearMonthDayParser'),
    bareDuration,
    dayNames,
    weekdays,
    weekBeforeWeekday,
    monthThenDay,
    dayThenMonth,
    dayMonthShortYear,
    yearThenMonth,
    slashedDates(dayFirst),
    dottedDates,
    dottedDatesOfWeekdays,
    daysOfMonth,
    daysOfNamedMonth,
    periodEnds,
    monthEnds,
    nthWeekdays,
    clockTimes,
    dottedTimes,
    hourTimes,
    atHours,
    figureTimes,
    letterTimes,
    looseHours,
    minutesPastHour,
    halfHours,
    hourAndMinutes,
    namedTimes,
    midnight,
    partsOfDay,
    halvesOfDay,
    fromNow,
    fromAnother,
  ];
  const refiners: Refiner[] = [...overlapRemoval(), yearsThatAreTimes, mergePieces(isFiller), dropLooseHours];
  return new Chrono({ parsers, refiners });
}

const casual = en.configuration.createCasualConfiguration();

/** Those of chrono's parsers that are right as they are: figures with the year first. */
function chronosOwn(...names: readonly string[]): Parser[] {
  return casual.parsers.filter((parser) => names.includes(parser.constructor.name));
}

/** Of pieces that overlap, the longest stays. */
function overlapRemoval(): Refiner[] {
  return casual.refiners
    .filter((refiner) => refiner.constructor.name === 'OverlapRemovalRefiner')
    .slice(0, 1);
}
