import type { Parser } from 'chrono-node';
import { businessDays } from './business-days.ts';
import { weekAfterWeekday, weekdaysFromNow, weekdaysInWeeks, weekdaysWithDay } from './counted-weekdays.ts';
import { dayNames } from './day-names.ts';
import { daysBesideMonth, daysOfMonth, daysOfNamedMonth } from './days-of-month.ts';
import { holidays } from './holidays/holidays.ts';
import { dayMonthShortYear, dayThenMonth, monthThenDay, yearThenMonth } from './month-dates.ts';
import { nthWeekdays, nthWeekdaysOfMonths, nthWeekdaysOfYears } from './nth-weekdays.ts';
import { compactDates, dashedDates, dottedDates, slashedDates } from './numeric-dates.ts';
import { monthEnds, periodEnds, weekEnds } from './period-ends.ts';
import { namedStarts, periodStarts } from './period-starts.ts';
import { weekBeforeWeekday, weekdays } from './weekdays.ts';
import { weekdaysBeside } from './weekdays-beside.ts';
import { yearsAfterTimes } from './years-after-times.ts';

/** All that names a day, as written where the day comes first or where the month does. */
export function dayRules(dayFirst: boolean): readonly Parser[] {
  return [
    dayNames,
    businessDays,
    weekdays,
    weekBeforeWeekday,
    weekAfterWeekday,
    weekdaysWithDay,
    weekdaysFromNow,
    weekdaysInWeeks,
    weekdaysBeside,
    monthThenDay,
    dayThenMonth,
    dayMonthShortYear,
    yearThenMonth,
    yearsAfterTimes,
    slashedDates(dayFirst),
    dottedDates,
    dashedDates,
    compactDates,
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
    holidays(!dayFirst),
  ];
}
