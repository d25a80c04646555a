import { DateTime } from 'luxon';
import { eitherDateOf, type Meaning } from './piece.ts';

/** The day of a feast (a midnight in UTC) in a year; undefined if that year has none. */
export type InYear = (year: number) => DateTime | undefined;

/** The days that a feast's name can mean, the likeliest first. */
export type Feast = readonly InYear[];

/** The feast's day in that year, or without a year the next one, today included, and the one before it. */
export function feastDay(feast: Feast, today: DateTime, year: number | undefined): Meaning | undefined {
  const found = feast.flatMap((inYear) => {
    const coming = comingDate(today, year, inYear);
    return coming === undefined ? [] : [{ coming, inYear }];
  });
  // The likeliest first, unless it's months after the other: this year's is over, and the other's isn't.
  const soonest = DateTime.min(...found.map(({ coming }) => coming));
  const isFar = ({ coming }: { coming: DateTime }): boolean =>
    soonest !== undefined && coming > soonest.plus({ months: 6 });
  const ordered = found.toSorted((a, b) => Number(isFar(a)) - Number(isFar(b)));
  const [date, ...others] = ordered.map(({ coming }) => coming);
  if (date === undefined) return undefined;
  const isNewYearsEve = others.length === 0 && date.month === 12 && date.day === 31;
  const days = { ...eitherDateOf(date, others), ...(isNewYearsEve && { isNewYearsEve }) };
  if (year !== undefined) return days;
  const pastDates = ordered
    .map(({ inYear }) => nearestDate(inYear, today.year, -1, (each) => each < today))
    .filter((each) => each !== undefined);
  return { ...days, pastDates };
}

/** 29 February comes every four years, and once only after eight years. */
const YEARS_AWAY = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** The date in that year, or without a year the next one, today included. */
export function comingDate(today: DateTime, year: number | undefined, inYear: InYear): DateTime | undefined {
  if (year !== undefined) return inYear(year);
  return nearestDate(inYear, today.year, 1, (date) => date >= today);
}

function nearestDate(
  inYear: InYear,
  firstYear: number,
  step: 1 | -1,
  isMeant: (date: DateTime) => boolean,
): DateTime | undefined {
  for (const years of YEARS_AWAY) {
    const date = inYear(firstYear + years * step);
    if (date && isMeant(date)) return date;
  }
  return undefined;
}

/** The nth such weekday (Sunday is 0) of several days. A negative nth counts from the last of them. */
export function nthWeekday(
  weekday: number,
  nth: number,
  [first, last]: readonly [first: DateTime, last: DateTime],
): DateTime {
  return nth < 0
    ? last.minus({ days: ((last.weekday - weekday + 7) % 7) + (-nth - 1) * 7 })
    : first.plus({ days: ((weekday - first.weekday + 7) % 7) + (nth - 1) * 7 });
}

const SATURDAY = 6;

export function isWeekend({ weekday }: DateTime): boolean {
  return weekday >= SATURDAY;
}

/**
 * Counts `count` days after a day, or before it, and skips free days. By default, weekends and New Year's Day are free.
 */
export function workingDay(
  day: DateTime,
  step: 1 | -1,
  count: number,
  isFree = (each: DateTime): boolean => isWeekend(each) || each.ordinal === 1,
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
  (year) => {
    const first = DateTime.utc(year, month);
    const last = first.endOf('month').startOf('day');
    return nthWeekday(WEEKDAYS.indexOf(weekday), NTH.indexOf(nth) - 1, [first, last]);
  };

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
    const day = nthOf('last', 'sunday', 5)(year);
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

/** A feast that isn't on a date of our calendar. */
interface MovingFeast {
  /** Islamic days begin when the moon is seen, perhaps a day later: then yesterday's may be today. */
  isSeen?: boolean;
  firstFrom(from: DateTime): DateTime | undefined;
  /** Other days that are meant by some. */
  othersOf(date: DateTime): readonly DateTime[];
}

/** Other calendars, by the runtime's names for them, and a day beside a feast that is meant by some. */
const CALENDARS: Readonly<Record<string, { name: string; other?: number }>> = {
  // Jewish days begin at sunset of the day before.
  hebrew: { name: 'hebrew', other: -1 },
  persian: { name: 'persian' },
  // Saudi Arabia's calendar is reckoned ahead.
  islamic: { name: 'islamic-umalqura', other: 1 },
};

/**
 * Names after the days that they mean in other calendars ("hebrew:Adar.14 purim", "islamic:10.1/12.10 eid"), or after a
 * feast of an almanac ("diwali diwali|divali"). Months are named as the runtime's CLDR data prints them in English.
 */
export function movingFeasts(list: string): readonly (readonly [names: string, MovingFeast])[] {
  return list.split(/;\s+/).map((entry) => {
    const [, calendar = '', days, names = ''] = /^(\w+)(?::(\S+))? (.*)$/s.exec(entry) ?? [];
    return [names, days === undefined ? inAlmanac(calendar) : inCalendar(calendar, days)];
  });
}

function inCalendar(calendar: string, days: string): MovingFeast {
  const { name, other } = CALENDARS[calendar] ?? { name: calendar };
  return {
    isSeen: calendar === 'islamic',
    firstFrom(from) {
      const dates = days.split('/').map((day) => firstInCalendar(name, day, from));
      const date = DateTime.min(...dates.filter((each) => each !== undefined));
      // Tisha B'Av isn't on a Sabbath.
      return days === 'Av.9' && date?.weekday === SATURDAY ? date.plus({ days: 1 }) : date;
    },
    othersOf: (date) => (other === undefined ? [] : [date.plus({ days: other })]),
  };
}

/** At most four steps for each of the 13 months. */
const MAX_STEPS = 60;
const LONGEST_MONTH = 30;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The first day of a month and day in a calendar ("Adar.14") from `from` on. */
function firstInCalendar(calendar: string, monthAndDay: string, from: DateTime): DateTime | undefined {
  const options = { timeZone: 'UTC', day: 'numeric', month: 'numeric' } as const;
  const format = formats.get(calendar) ?? new Intl.DateTimeFormat(`en-u-ca-${calendar}`, options);
  formats.set(calendar, format);
  const [month, day] = monthAndDay.split('.');
  let date = from;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const parts = format.formatToParts(date.toMillis());
    const partOf = (type: string) => parts.find((part) => part.type === type)?.value;
    const isMonth = partOf('month') === month || (month === 'Adar' && partOf('month') === 'Adar II');
    const ahead = Number(day) - Number(partOf('day'));
    if (isMonth && ahead === 0) return date;
    const days = isMonth && ahead > 0 ? ahead : LONGEST_MONTH - Number(partOf('day'));
    date = date.plus({ days: Math.max(1, days) });
  }
  return undefined;
}

/** Feasts whose dates are only in almanacs. */
interface Almanac {
  /** Source of these days, and of later years. */
  source: string;
  /** The first and the last listed year. */
  years: readonly [first: number, last: number];
  /** The day (MM-DD) in each year, or two days if countries differ. */
  feasts: Readonly<Record<string, string>>;
}

/** New moons in Beijing. Node's own Chinese calendar is a day late in 2027. */
const CHINA: Almanac = {
  source: 'date-chinese 2.1.4',
  years: [2026, 2040],
  feasts: {
    chineseNewYear:
      '02-17 02-06 01-26 02-13 02-03 01-23 02-11 01-31 02-19 02-08 01-28 02-15 02-04 01-24 02-12',
    // Seoul's and Hanoi's new moons may be on another day than Beijing's.
    lunarNewYear:
      '02-17 02-06/02-07 01-26/01-27 02-13 02-03/02-02 01-23 02-11 01-31 02-19 02-08 01-28 02-15 02-04 01-24 02-12',
    lanternFestival:
      '03-03 02-20 02-09 02-27 02-17 02-06 02-25 02-14 03-05 02-22 02-11 03-01 02-18 02-07 02-26',
    qingming: '04-05 04-05 04-04 04-04 04-05 04-05 04-04 04-04 04-05 04-05 04-04 04-04 04-05 04-05 04-04',
    dragonBoatFestival:
      '06-19 06-09 05-28 06-16 06-05 06-24 06-12 06-01 06-20 06-10 05-30 06-18 06-07 05-27 06-14',
    midAutumnFestival:
      '09-25 09-15 10-03 09-22 09-12 10-01 09-19 10-07 09-27 09-16 10-04 09-24 09-13 10-02 09-20',
    doubleNinthFestival:
      '10-18 10-08 10-26 10-16 10-05 10-24 10-12 10-31 10-20 10-09 10-27 10-17 10-07 10-26 10-14',
  },
};

/**
 * In 2027 and 2030 Singapore, Malaysia and Trinidad keep Diwali a day before India and Mauritius, and may again in 2031
 * and 2034.
 */
const INDIA: Almanac = {
  source: 'https://www.timeanddate.com/holidays/india/',
  years: [2026, 2035],
  feasts: {
    diwali: '11-08 10-29/10-28 10-17 11-05 10-26/10-25 11-14/11-13 11-02 10-22 11-10/11-09 10-30',
    holi: '03-04 03-22 03-11 03-01 03-20 03-09 03-27 03-16 03-05 03-24',
    dussehra: '10-20 10-09 09-27 10-16 10-06 10-25 10-14 10-03 10-22 10-11',
    navratri: '10-11 09-30 09-19 10-08 09-28 10-17 10-05 09-24 10-13 10-02',
    rakshaBandhan: '08-28 08-17 08-05 08-23 08-13 08-02 08-20 08-10 08-29 08-18',
    ganeshChaturthi: '09-14 09-04 08-23 09-11 09-01 09-20 09-08 08-28 09-16 09-05',
    janmashtami: '09-04 08-25 08-13 09-01 08-21 08-10 08-28 08-17 09-06 08-26',
    shivaratri: '02-15 03-06 02-23 02-11 03-02 02-20 03-10 02-27 02-17 03-08',
    ramNavami: '03-26 04-15 04-03 04-22 04-12 04-01 04-19 04-07 03-28 04-16',
    guruNanakJayanti: '11-24 11-14 11-02 11-21 11-10 11-28 11-17 11-06 11-25 11-15',
    onam: '08-26 09-12 09-01 08-22 09-09 08-30 08-20 09-06 08-28 09-14',
    pongal: '01-15 01-15 01-15 01-14 01-15/01-14 01-15 01-15 01-14 01-14 01-15',
  },
};

interface ListedFeast extends Omit<Almanac, 'feasts'> {
  name: string;
  days: string;
}

export const LISTED_FEASTS: readonly ListedFeast[] = [CHINA, INDIA].flatMap(({ feasts, ...almanac }) =>
  Object.entries(feasts).map(([name, days]) => ({ ...almanac, name, days })),
);

/** Each year's day, and the alternative days. */
export function listedDays({
  days,
  years: [first],
}: ListedFeast): readonly (readonly [DateTime, ...DateTime[]])[] {
  return days.split(' ').map((inYear, index) => {
    const utc = (day: string): DateTime => DateTime.fromISO(`${first + index}-${day}`, { zone: 'utc' });
    const [day = '', ...others] = inYear.split('/');
    return [utc(day), ...others.map(utc)];
  });
}

function inAlmanac(feast: string): MovingFeast {
  const listed = LISTED_FEASTS.find(({ name }) => name === feast);
  if (listed === undefined) throw new Error(`no almanac has the feast ${feast}`);
  return {
    firstFrom: (from) => listedDays(listed).find(([day]) => day >= from)?.[0],
    othersOf: (date) =>
      listedDays(listed)
        .find(([day]) => day.hasSame(date, 'day'))
        ?.slice(1) ?? [],
  };
}
