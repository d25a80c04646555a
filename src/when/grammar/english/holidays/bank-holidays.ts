import { DateTime } from 'luxon';
import { easterSunday, nthOf } from '../../feasts.ts';
import { rule } from '../../rule.ts';
import { eitherDate, saidDate } from '../said-date.ts';

const MONDAY = 1;
const SATURDAY = 6;

/** "The next bank holiday", "bank holiday monday", "easter bank holiday": of England and Wales (gov.uk/bank-holidays). */
export const bankHolidays = rule(
  '(?:the\\s)?(?:(?<easter>easter)\\s|(?:next|coming|upcoming|this|following)\\s)?bank\\sholiday(?<monday>\\smonday)?(?!\\s(?:weekend|week))',
  ({ easter, monday }, today) => {
    const years = [today.year, today.year + 1];
    const open = (days: readonly DateTime[]) => days.filter((day) => day >= today);
    if (easter !== undefined) {
      const [friday, easterMonday] = open(years.flatMap(ofEaster));
      if (friday === undefined || easterMonday === undefined) return undefined;
      return monday === undefined && friday.weekday !== MONDAY
        ? eitherDate(friday, [easterMonday])
        : saidDate(friday.weekday === MONDAY ? friday : easterMonday);
    }
    const days = open(years.flatMap(bankHolidaysIn));
    const first = days.find((day) => monday === undefined || day.weekday === MONDAY);
    return first === undefined ? undefined : saidDate(first);
  },
);

function ofEaster(year: number): readonly DateTime[] {
  const sunday = easterSunday(year);
  return [sunday.minus({ days: 2 }), sunday.plus({ days: 1 })];
}

function bankHolidaysIn(year: number): readonly DateTime[] {
  const christmas = DateTime.utc(year, 12, 25);
  const free = [0, 1, 2, 3].map((days) => christmas.plus({ days })).filter((day) => !isWeekend(day));
  const days = [
    weekdayFrom(DateTime.utc(year, 1, 1)),
    ...ofEaster(year),
    nthOf(1, MONDAY, 5)(year),
    nthOf(-1, MONDAY, 5)(year),
    nthOf(-1, MONDAY, 8)(year),
    // Christmas Day and Boxing Day, or the substitutes of those that fall on a weekend.
    ...free.slice(0, 2),
  ];
  return days.filter((day) => day !== undefined);
}

function weekdayFrom(day: DateTime): DateTime {
  return isWeekend(day) ? weekdayFrom(day.plus({ days: 1 })) : day;
}

function isWeekend(day: DateTime): boolean {
  return day.weekday >= SATURDAY;
}
