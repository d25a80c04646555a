import { DateTime } from 'luxon';
import type { Meaning } from './piece.ts';

/** The day of a feast (a midnight in UTC) in a year; undefined if that year has none. */
export type InYear = (year: number) => DateTime | undefined;

/** The meaning of a feast's name: one day of the year, or either of two, the likelier first. */
export type Feast = InYear | readonly [InYear, InYear];

/** The feast's day in that year, or without a year the next one, today included. */
export function feastDay(feast: Feast, today: DateTime, year: number | undefined): Meaning | undefined {
  const [inYear, other] = typeof feast === 'function' ? [feast] : feast;
  const date = comingDate(today, year, inYear);
  const or = other && comingDate(today, year, other);
  if (date === undefined) return undefined;
  const meaning = { year: date.year, month: date.month, day: date.day };
  return or === undefined ? meaning : { ...meaning, otherDates: [or] };
}

/** The date in that year. Without a year, this year's date, or next year's once it's over. */
export function comingDate(today: DateTime, year: number | undefined, inYear: InYear): DateTime | undefined {
  const date = inYear(year ?? today.year);
  const isMissing = date === undefined || date < today;
  return year === undefined && isMissing ? inYear(today.year + 1) : date;
}

/** The same date in each year. */
export const onDate =
  (month: number, day: number): InYear =>
  (year) =>
    DateTime.utc(year, month, day);

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** The nth such weekday of a month, counted from its end if nth is negative. */
export const nthOf =
  (nth: number, weekday: (typeof WEEKDAYS)[number], month: number): InYear =>
  (year) =>
    nthWeekday(year, month, WEEKDAYS.indexOf(weekday), nth);

/** So many days after another feast, or before it. */
export const daysAfter =
  (days: number, from: InYear): InYear =>
  (year) =>
    from(year)?.plus({ days });

/**
 * The nth such weekday (Sunday is 0) of a month, undefined if the month has no fifth. A negative nth counts from the
 * month's end: -1 is the last one.
 */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): DateTime | undefined {
  const first = DateTime.utc(year, month, 1);
  const last = first.endOf('month').startOf('day');
  const day =
    nth < 0
      ? last.minus({ days: ((last.weekday - weekday + 7) % 7) + (-nth - 1) * 7 })
      : first.plus({ days: ((weekday - first.weekday + 7) % 7) + (nth - 1) * 7 });
  return day.month === month ? day : undefined;
}

const SATURDAY = 6;

/** So many days from Monday to Friday after a day, or before it. */
export function workingDay(day: DateTime, step: 1 | -1, count: number): DateTime {
  if (count === 0) return day;
  const next = day.plus({ days: step });
  return workingDay(next, step, count - (next.weekday < SATURDAY ? 1 : 0));
}

/** Easter Sunday of the Gregorian calendar (the "anonymous" computus; Meeus, Astronomical Algorithms, chapter 8). */
export function easterSunday(year: number): DateTime {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const leapCenturies = Math.floor(century / 4);
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moon = (19 * golden + century - leapCenturies - moonShift + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - moon - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * moon + 22 * toSunday) / 451);
  const days = moon + toSunday - 7 * late + 114;
  return DateTime.utc(year, Math.floor(days / 31), (days % 31) + 1);
}

/** Easter Sunday of the Julian calendar, by its Gregorian date until 2099 (Meeus, chapter 8). */
export function orthodoxEasterSunday(year: number): DateTime {
  const moon = (19 * (year % 19) + 15) % 30;
  const toSunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  const days = moon + toSunday + 114;
  return DateTime.utc(year, Math.floor(days / 31), (days % 31) + 1).plus({ days: 13 });
}

const afterEaster = (days: number): InYear => daysAfter(days, easterSunday);

/** The nth Sunday of Advent. The fourth is the last Sunday before Christmas Day. */
const advent =
  (nth: number): InYear =>
  (year) =>
    DateTime.utc(year, 12, 25)
      .startOf('week')
      .minus({ days: 1, weeks: 4 - nth });

/** Movable feasts of the Western churches, counted from Easter or back from Christmas. */
export const CHURCH_FEASTS = {
  fatThursday: afterEaster(-52),
  carnivalSunday: afterEaster(-49),
  roseMonday: afterEaster(-48),
  shroveTuesday: afterEaster(-47),
  ashWednesday: afterEaster(-46),
  palmSunday: afterEaster(-7),
  maundyThursday: afterEaster(-3),
  goodFriday: afterEaster(-2),
  holySaturday: afterEaster(-1),
  easter: easterSunday,
  easterMonday: afterEaster(1),
  ascension: afterEaster(39),
  whitSunday: afterEaster(49),
  whitMonday: afterEaster(50),
  trinitySunday: afterEaster(56),
  corpusChristi: afterEaster(60),
  firstAdvent: advent(1),
  secondAdvent: advent(2),
  thirdAdvent: advent(3),
  fourthAdvent: advent(4),
} as const satisfies Readonly<Record<string, InYear>>;

/** 5 U.S.C. § 6103: the fourth Thursday in November. */
const thanksgiving = nthOf(4, 'thursday', 11);

/** Shopping days that other countries have taken over from the United States, counted from Thanksgiving there. */
export const SHOPPING_DAYS = {
  thanksgiving,
  blackFriday: daysAfter(1, thanksgiving),
  cyberMonday: daysAfter(4, thanksgiving),
} as const;

const RULES: ReadonlyMap<string, InYear> = new Map(Object.entries({ ...CHURCH_FEASTS, ...SHOPPING_DAYS }));

/** Names after a date as month and day, or after a rule: "01-06 epiphany; goodFriday good friday; blackFriday black friday". */
export function namedDays(list: string): readonly (readonly [names: string, InYear])[] {
  return list.split(/;\s+/).map((entry) => {
    const [, day = '', names = ''] = /^(\S+) (.*)$/s.exec(entry) ?? [];
    const inYear = /^\d/.test(day) ? onDate(Number(day.slice(0, 2)), Number(day.slice(3))) : RULES.get(day);
    if (inYear === undefined) throw new Error(`no rule for the feast ${entry}`);
    return [names, inYear];
  });
}
