import type { Parser } from 'chrono-node';
import { businessDays, nthWorkingDays, workingDaysBeside } from './business-days.ts';
import { closestWeekdays } from './closest-weekdays.ts';
import { weekAfterWeekday, weekdaysFromNow, weekdaysInWeeks, weekdaysWithDay } from './counted-weekdays.ts';
import { dayNames } from './day-names.ts';
import { daysBesideMonth, daysOfMonth, daysOfNamedMonth } from './days-of-month.ts';
import { daysOfWeek } from './days-of-week.ts';
import { bankHolidays } from './holidays/bank-holidays.ts';
import { calendarFeasts } from './holidays/calendar-feasts.ts';
import { holidays } from './holidays/holidays.ts';
import { publishedFeasts } from './holidays/published-feasts.ts';
import { isoDays, isoWeeks, runTogether } from './iso-dates.ts';
import { dayMonthShortYear, dayThenMonth, monthThenDay, yearThenMonth } from './month-dates.ts';
import { daysFromEnd, daysOfYear } from './nth-days.ts';
import { nthWeekdays, nthWeekdaysOfMonths, nthWeekdaysOfYears } from './nth-weekdays.ts';
import {
  bareIsoTimes,
  compactDates,
  dashedDates,
  dottedDates,
  slashedDates,
  spacedDates,
} from './numeric-dates.ts';
import { monthEnds, periodEnds, weekEnds } from './period-ends.ts';
import { partsOfMonths, partsOfWeeks, partsOfYears, weeksOfMonths } from './period-parts.ts';
import { namedStarts, periodStarts } from './period-starts.ts';
import { quarters } from './quarters.ts';
import { seasons, wholeSeasons } from './seasons.ts';
import { weekOfDay } from './week-of-day.ts';
import { weekBeforeWeekday, weekdays } from './weekdays.ts';
import { weekdaysBeside } from './weekdays-beside.ts';
import { nthWeekends, weekends } from './weekends.ts';
import {
  comingDays,
  monthsInFigures,
  nextPeriods,
  nthMonths,
  thisPeriods,
  wholeMonths,
  wholeYears,
} from './whole-periods.ts';
import { yearsAfterTimes } from './years-after-times.ts';

/** All that names a day, as written where the day comes first or where the month does. */
export function dayRules(dayFirst: boolean): readonly Parser[] {
  return [
    dayNames,
    businessDays,
    workingDaysBeside,
    weekdays,
    weekBeforeWeekday,
    weekAfterWeekday,
    weekdaysWithDay,
    weekdaysFromNow,
    weekdaysInWeeks,
    weekdaysBeside,
    weekOfDay,
    closestWeekdays,
    monthThenDay,
    dayThenMonth,
    dayMonthShortYear,
    yearThenMonth,
    yearsAfterTimes,
    slashedDates(dayFirst),
    spacedDates(dayFirst),
    dottedDates,
    dashedDates,
    compactDates,
    bareIsoTimes,
    nthWorkingDays,
    daysOfWeek,
    daysOfMonth,
    daysOfNamedMonth,
    daysBesideMonth,
    periodStarts,
    namedStarts,
    periodEnds,
    weekEnds,
    monthEnds,
    nthWeekdays,
    nthWeekdaysOfMonths,
    nthWeekdaysOfYears,
    quarters,
    seasons,
    wholeSeasons,
    partsOfMonths,
    partsOfWeeks,
    weeksOfMonths,
    partsOfYears,
    weekends,
    nthWeekends,
    daysFromEnd,
    daysOfYear,
    nextPeriods,
    thisPeriods,
    comingDays,
    nthMonths,
    wholeMonths,
    wholeYears,
    monthsInFigures,
    isoWeeks,
    isoDays,
    runTogether,
    holidays(!dayFirst),
    calendarFeasts,
    publishedFeasts,
    ...(dayFirst ? [bankHolidays] : []),
  ];
}
