import { Chrono } from 'chrono-node/en';
import {
  dropLooseHours,
  dropNamedMeals,
  dropTimesOffTheClock,
  dropWhatLeadsNowhere,
  yearsThatAreTimes,
} from '../chrono-corrections.ts';
import { overlapRemoval, yearFirstDates } from '../chrono-parts.ts';
import { mergePieces } from '../merge-pieces.ts';
import { looseDottedTimes } from './clock-times.ts';
import { dayRules } from './day-rules.ts';
import { pairedDates } from './numeric-dates.ts';
import { isFiller, isPlainFiller } from './spell-out.ts';
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
      ...yearFirstDates,
      ...dayRules(dayFirst),
      ...timeRules,
      dots === 'dates' ? pairedDates : looseDottedTimes,
    ],
    refiners: [
      ...overlapRemoval,
      dropTimesOffTheClock,
      yearsThatAreTimes,
      mergePieces(isFiller, isPlainFiller),
      dropNamedMeals,
      dropLooseHours,
      dropWhatLeadsNowhere,
    ],
  });
}
