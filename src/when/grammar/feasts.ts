import { DateTime } from 'luxon';
import { eitherDateOf, type Meaning } from './piece.ts';

/** The day of a feast (a midnight in UTC) in a year; undefined if that year has none. */
export type InYear = (year: number) => DateTime | undefined;

/** The days that a feast's name can mean, the likeliest first. */
export type Feast = readonly InYear[];

/** The feast's day in that year, or without a year the next one, today included. */
export function feastDay(feast: Feast, today: DateTime, year: number | undefined): Meaning | undefined {
  const [date, ...others] = feast
    .map((inYear) => comingDate(today, year, inYear))
    .filter((each) => each !== undefined);
  return date && eitherDateOf(date, others);
}

/** 29 February comes every four years, and once only after eight years. */
const YEARS_AHEAD = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** The date in that year, or without a year the next one, today included. */
export function comingDate(today: DateTime, year: number | undefined, inYear: InYear): DateTime | undefined {
  if (year !== undefined) return inYear(year);
  return YEARS_AHEAD.map((ahead) => inYear(today.year + ahead)).find((date) => date && date >= today);
}

/**
 * The nth such weekday (Sunday is 0) of a month, undefined if the month has no fifth. A negative nth counts from the
 * month's end: -1 is the last one.
 */
function nthWeekday(year: number, month: number, weekday: number, nth: number): DateTime | undefined {
  const first = DateTime.utc(year, month, 1);
  const last = first.endOf('month').startOf('day');
  const day =
    nth < 0
      ? last.minus({ days: ((last.weekday - weekday + 7) % 7) + (-nth - 1) * 7 })
      : first.plus({ days: ((weekday - first.weekday + 7) % 7) + (nth - 1) * 7 });
  return day.month === month ? day : undefined;
}

const SATURDAY = 6;

export function isWeekend({ weekday }: DateTime): boolean {
  return weekday >= SATURDAY;
}

/** A holiday in all countries of the languages. Others depend on the country. */
function isNewYear({ ordinal }: DateTime): boolean {
  return ordinal === 1;
}

/** So many days from Monday to Friday after a day, or before it. Nobody works on New Year's Day. */
export function workingDay(
  day: DateTime,
  step: 1 | -1,
  count: number,
  isFree = (each: DateTime): boolean => isWeekend(each) || isNewYear(each),
): DateTime {
  if (count === 0) return day;
  const next = day.plus({ days: step });
  return workingDay(next, step, count - (isFree(next) ? 0 : 1), isFree);
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
function orthodoxEasterSunday(year: number): DateTime {
  const moon = (19 * (year % 19) + 15) % 30;
  const toSunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  const days = moon + toSunday + 114;
  return DateTime.utc(year, Math.floor(days / 31), (days % 31) + 1).plus({ days: 13 });
}

/** So many days after another feast, or before it. */
const daysAfter =
  (days: number, from: InYear): InYear =>
  (year) =>
    from(year)?.plus({ days });

const afterEaster = (days: number): InYear => daysAfter(days, easterSunday);

/** The nth Sunday of Advent. The fourth is the last Sunday before Christmas Day. */
const advent =
  (nth: number): InYear =>
  (year) =>
    DateTime.utc(year, 12, 25)
      .startOf('week')
      .minus({ days: 1, weeks: 4 - nth });

const NTH: readonly string[] = ['last', '', 'first', 'second', 'third', 'fourth'];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const nthOf =
  (nth: string, weekday: string, month: number): InYear =>
  (year) =>
    nthWeekday(year, month, WEEKDAYS.indexOf(weekday), NTH.indexOf(nth) - 1);

/** 5 U.S.C. § 6103: the fourth Thursday in November. */
const thanksgiving = nthOf('fourth', 'thursday', 11);

/** Days that are on no date of each year, and no weekday of a month. */
export const FEAST_RULES = {
  // Movable feasts of the Western churches, counted from Easter or back from Christmas.
  fatThursday: afterEaster(-52),
  carnivalSunday: afterEaster(-49),
  roseMonday: afterEaster(-48),
  shroveTuesday: afterEaster(-47),
  ashWednesday: afterEaster(-46),
  /** The fourth Sunday of Lent. */
  motheringSunday: afterEaster(-21),
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
  orthodoxEaster: orthodoxEasterSunday,
  // Shopping days that other countries have taken over from the United States are counted from Thanksgiving there.
  thanksgiving,
  blackFriday: daysAfter(1, thanksgiving),
  cyberMonday: daysAfter(4, thanksgiving),
  /** 26 U.S.C. § 6072 and § 7503: 15 April, or the next day that is neither of a weekend nor the capital's holiday. */
  taxDay(year) {
    const emancipation = DateTime.utc(year, 4, 16);
    const shift = emancipation.weekday === 6 ? -1 : Number(emancipation.weekday === 7);
    const days = [0, 1, 2, 3].map((later) => DateTime.utc(year, 4, 15).plus({ days: later }));
    return days.find(
      (day) => day.weekday < SATURDAY && !day.hasSame(emancipation.plus({ days: shift }), 'day'),
    );
  },
  /** The 20th Amendment: 20 January of the year after a presidential election. */
  inaugurationDay: (year) => (year % 4 === 1 ? DateTime.utc(year, 1, 20) : undefined),
  /** Holidays Act, R.S.C. 1985, c. H-5: the Monday before 25 May. */
  victoriaDay: (year) => DateTime.utc(year, 5, 24).startOf('week'),
  /** The 256th day of the year. */
  programmersDay: (year) => DateTime.utc(year).plus({ days: 255 }),
  /** Code de l'action sociale et des familles, D215-1: the last Sunday in May, or the next where that is Whit Sunday. */
  frenchMothersDay(year) {
    const day = nthWeekday(year, 5, 0, -1);
    return day?.hasSame(afterEaster(49)(year) ?? day.plus({ days: 1 }), 'day') ? day.plus({ weeks: 1 }) : day;
  },
  /** 27 April, and the day before where that is a Sunday (rijksoverheid.nl, Koningsdag). */
  kingsDay(year) {
    const day = DateTime.utc(year, 4, 27);
    return day.weekday === 7 ? day.minus({ days: 1 }) : day;
  },
} as const satisfies Readonly<Record<string, InYear>>;

const RULES: ReadonlyMap<string, InYear> = new Map(Object.entries(FEAST_RULES));

/**
 * Names after the days that they mean: "01-06 epiphany; goodFriday good friday; 05-last-monday memorial day". A number of
 * days can follow a day ("thanksgiving+5 giving tuesday"), and another day that is meant as well ("12-25/12-24 weihnachten").
 */
export function namedDays(list: string): readonly (readonly [names: string, Feast])[] {
  return list.split(/;\s+/).map((entry) => {
    const [, days = '', names = ''] = /^(\S+) (.*)$/s.exec(entry) ?? [];
    return [names, feastOn(days)];
  });
}

/** The feast on a day of the list's notation, or on either of several. */
export function feastOn(days: string): Feast {
  return days.split('/').map(inYearOf);
}

const DAY =
  /^(?:(?<month>\d\d)-(?:(?<day>\d\d)|(?<nth>[a-z]+)-(?<weekday>[a-z]+))|(?<name>[a-z]+))(?<later>[+-]\d+)?$/i;

function inYearOf(text: string): InYear {
  const { month, day, nth = '', weekday, name = '', later = 0 } = DAY.exec(text)?.groups ?? {};
  const onDate: InYear = (year) => DateTime.utc(year, Number(month), Number(day));
  const isKnown = weekday !== undefined && NTH.includes(nth) && WEEKDAYS.includes(weekday);
  const onWeekday = isKnown ? nthOf(nth, weekday, Number(month)) : RULES.get(name);
  const inYear = day === undefined ? onWeekday : onDate;
  if (inYear === undefined) throw new Error(`no rule for the feast ${text}`);
  return later === 0 ? inYear : daysAfter(Number(later), inYear);
}
