import { DateTime } from 'luxon';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { periodDate, saidDate } from './said-date.ts';

/** "2026-W50", "2026W503", "2026-W50-3T09:30", "week 50", "calendar week 7 of 2027" (ISO 8601): its Monday or Friday, or the day named. */
export const isoWeeks = rule(
  '(?<year>20\\d\\d)-?w(?<week>\\d\\d)(?:-?(?<day>[1-7])(?:T(?<hour>[01]\\d|2[0-3]):?(?<minute>[0-5]\\d)(?::?[0-5]\\d)?)?)?|(?:(?:in\\s)?(?:calendar\\s)?(?:week|wk|cw|kw)\\s?(?:no\\.?\\s|number\\s|#)?(?<number>\\d\\d?))(?:(?:,?\\s(?:of|in)?\\s?|/)(?<after>20\\d\\d))?',
  ({ year, week, day, hour, minute, number, after }, today) => {
    const weekNumber = Number(week ?? number);
    const named = year ?? after;
    if (weekNumber < 1 || weekNumber > 53) return undefined;
    const inYear = (weekYear: number): DateTime =>
      DateTime.fromObject({ weekYear, weekNumber }, { zone: 'utc' });
    const thisYears = inYear(Number(named ?? today.weekYear));
    const isOver = named === undefined && thisYears.endOf('week') < today;
    const monday = isOver ? inYear(today.weekYear + 1) : thisYears;
    if (!monday.isValid) return undefined;
    if (day !== undefined)
      return { ...saidDate(monday.plus({ days: Number(day) - 1 })), ...timeOf(hour, minute) };
    return periodDate(monday, [monday.plus({ days: 4 })]);
  },
);

/** "2026-359": the 359th day of the year (ISO 8601). */
export const isoDays = rule(
  '(?<year>20\\d\\d)-(?<day>[0-3]\\d\\d)(?!-)(?:T(?<hour>[01]\\d|2[0-3]):?(?<minute>[0-5]\\d)(?::?[0-5]\\d)?)?',
  ({ year, day, hour, minute }) => {
    const date = DateTime.fromObject({ year: Number(year), ordinal: Number(day) }, { zone: 'utc' });
    return date.isValid ? { ...saidDate(date), ...timeOf(hour, minute) } : undefined;
  },
);

function timeOf(hour?: string, minute?: string): Meaning {
  return hour === undefined ? {} : { hour: Number(hour), minute: Number(minute) };
}

/** "20261225090000", "202612251430": date and time in one figure, as machines write them. */
export const runTogether = rule(
  '(?<year>20\\d\\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\\d|3[01])(?<hour>[01]\\d|2[0-3])(?<minute>[0-5]\\d)(?:[0-5]\\d)?',
  ({ year, month, day, hour, minute }) => ({
    ...{ year: Number(year), month: Number(month), day: Number(day) },
    ...{ hour: Number(hour), minute: Number(minute) },
  }),
);
