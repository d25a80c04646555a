import { Chrono } from 'chrono-node';
import { overlapRemoval, yearFirstDates } from '../chronos-own.ts';
import { dropLooseHours } from '../drop-loose-hours.ts';
import { dropTimesOffTheClock } from '../drop-times-off-the-clock.ts';
import { dropWhatLeadsNowhere } from '../drop-what-leads-nowhere.ts';
import { mergePieces } from '../merge-pieces.ts';
import { yearsThatAreTimes } from '../years-that-are-times.ts';
import { looseDottedTimes } from './clock-times.ts';
import { dayRules } from './day-rules.ts';
import { dropNamedMeals } from './drop-named-meals.ts';
import { isFiller, isPlainFiller } from './fillers.ts';
import { pairedDates } from './numeric-dates.ts';
import { timeRules } from './time-rules.ts';

interface Written {
  /** The day comes first in 03/04, or the month. */
  dayFirst: boolean;
  /** "16.12" is a date, or else a time. */
  dots: 'dates' | 'times';
}

/** English, as written in one of these ways. */
export function english({ dayFirst, dots }: Written): Chrono {
  return new Chrono({
    parsers: [
      ...yearFirstDates(),
      ...dayRules(dayFirst),
      ...timeRules,
      dots === 'dates' ? pairedDates : looseDottedTimes,
    ],
    refiners: [
      ...overlapRemoval(),
      dropTimesOffTheClock,
      yearsThatAreTimes,
      mergePieces(isFiller, isPlainFiller),
      dropNamedMeals,
      dropLooseHours,
      dropWhatLeadsNowhere,
    ],
  });
}
