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
import { businessDayRules } from './business-days.ts';
import { clockTimeRules, looseDottedTimes } from './clock-times.ts';
import { dayNameRules } from './day-names.ts';
import { dayOfMonthRules } from './days-of-month.ts';
import { durationRules } from './durations.ts';
import { isFiller, isPlainFiller } from './fillers.ts';
import { calendarFeasts } from './holidays/calendar-feasts.ts';
import { bankHolidays, holidays } from './holidays/holidays.ts';
import { publishedFeasts } from './holidays/published-feasts.ts';
import { monthDateRules } from './month-dates.ts';
import { numericDateRules, pairedDates } from './numeric-dates.ts';
import { partOfDayRules } from './parts-of-day.ts';
import { periodRules } from './periods.ts';
import { spokenTimeRules } from './spoken-times.ts';
import { weekdayRules } from './weekdays.ts';
import { weekRules } from './weeks.ts';
import { wholePeriodRules } from './whole-periods.ts';

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
      mergePieces(isFiller, isPlainFiller),
      dropNamedMeals,
      dropLooseHours,
      dropWhatLeadsNowhere,
    ],
  });
}
