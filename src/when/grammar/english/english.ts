import { Chrono } from 'chrono-node/en';
import {
  dropLooseHours,
  dropNamedMeals,
  dropNumbersOfThings,
  dropTimesOffTheClock,
  dropWhatLeadsNowhere,
  eveningsOnTwelveHours,
  overlapRemoval,
  yearFirstDates,
  yearsThatAreTimes,
} from '../chrono-corrections.ts';
import { mergePieces } from '../merge-pieces.ts';
import { isPlainFiller, isSentence } from './around.ts';
import { clockTimeRules, looseDottedTimes, partOfDayRules, spokenTimeRules } from './clock.ts';
import { dayOfMonthRules, monthDateRules, numericDateRules, pairedDates } from './dates.ts';
import { businessDayRules, dayNameRules, weekdayRules } from './days.ts';
import { durationRules } from './durations.ts';
import { calendarFeasts, publishedFeasts } from './feasts.ts';
import { bankHolidays, holidays } from './holidays.ts';
import { periodRules, weekRules, wholePeriodRules } from './periods.ts';

interface Style {
  /** Whether the day comes before the month in 03/04. */
  dayFirst: boolean;
  /** Whether "16.12" is a date or a time. */
  dots: 'dates' | 'times';
}

/** English as written in that style. Of pieces that are as long, the first rule's wins. */
export function english({ dayFirst, dots }: Style): Chrono {
  return new Chrono({
    parsers: [
      ...yearFirstDates,
      ...dayNameRules,
      ...businessDayRules,
      ...weekdayRules,
      ...monthDateRules,
      ...numericDateRules(dayFirst),
      ...dayOfMonthRules,
      ...weekRules,
      ...periodRules,
      ...wholePeriodRules,
      holidays(!dayFirst),
      calendarFeasts,
      publishedFeasts,
      ...(dayFirst ? [bankHolidays] : []),
      ...durationRules,
      ...clockTimeRules,
      ...spokenTimeRules,
      ...partOfDayRules,
      dots === 'dates' ? pairedDates : looseDottedTimes,
    ],
    refiners: [
      ...overlapRemoval,
      dropTimesOffTheClock,
      yearsThatAreTimes,
      dropNumbersOfThings,
      ...(dayFirst ? [] : [eveningsOnTwelveHours]),
      mergePieces(isSentence, isPlainFiller),
      dropNamedMeals,
      dropLooseHours,
      dropWhatLeadsNowhere,
    ],
  });
}
