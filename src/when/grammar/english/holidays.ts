import { DateTime } from 'luxon';
import {
  CHURCH_FEASTS,
  daysAfter,
  easterSunday,
  type InYear,
  namedDays,
  nthOf,
  orthodoxEasterSunday,
  SHOPPING_DAYS,
} from '../feasts.ts';
import { dateOf, eitherDateOf, type Meaning, periodOf } from '../piece.ts';
import { type Rule, rule } from '../rule.ts';
import { WEEKDAY, weekdayOf } from './vocabulary.ts';

/**
 * Days of the Western and Eastern churches (the Eastern until 2100), of the United Nations (un.org/en/observances), of
 * the United States (5 U.S.C. § 6103 and 36 U.S.C. chapter 1, Cal. Gov. Code § 6721) and of other countries, and days
 * that people keep without a law.
 */
const LISTED_HOLIDAYS = namedDays(
  `01-01 new year's day|new year; 01-05 twelfth night; 01-06 epiphany|three kings' day; 01-07 orthodox christmas;
   01-14 orthodox new year; 01-25 burns night; 01-26 australia day; 01-28 data privacy day;
   02-02 candlemas|groundhog day; 02-04 world cancer day; 02-06 waitangi day; 02-12 lincoln's birthday|darwin day;
   02-13 galentine's day|world radio day; 02-14 valentine's day|valentine's|v-day|st valentine's day;
   02-29 leap day;
   03-01 st david's day|zero discrimination day; 03-03 world wildlife day;
   03-08 international women's day|women's day; 03-14 white day|pi day; 03-15 ides of march;
   03-17 st patrick's day|st paddy's day; 03-20 international day of happiness; 03-21 world poetry day;
   03-22 world water day; 03-25 lady day; 03-27 world theatre day;
   03-31 transgender day of visibility|trans day of visibility;
   04-01 april fool's day|april fool's; 04-02 world autism awareness day; 04-07 world health day;
   04-21 world creativity and innovation day; 04-22 earth day; 04-23 st george's day|world book day;
   04-25 anzac day; 04-27 king's day; 04-30 walpurgis night|international jazz day;
   05-01 workers' day|international workers' day|loyalty day|may day|mayday; 05-03 world press freedom day;
   05-04 star wars day; 05-05 cinco de mayo; 05-08 ve day; 05-09 europe day; 05-12 international nurses day;
   05-15 international day of families; 05-18 international museum day; 05-20 world bee day;
   05-21 international tea day; 05-22 harvey milk day; 05-25 towel day; 05-31 world no tobacco day;
   06-01 children's day|international children's day; 06-03 world bicycle day; 06-05 world environment day;
   06-06 d-day; 06-08 world oceans day|world ocean day; 06-14 world blood donor day|flag day; 06-19 juneteenth;
   06-20 world refugee day; 06-21 world music day|international yoga day; 06-24 midsummer's day;
   06-30 social media day;
   07-01 canada day; 07-07 world chocolate day; 07-12 orangemen's day; 07-14 bastille day; 07-17 world emoji day;
   07-18 mandela day; 07-30 friendship day;
   08-08 international cat day; 08-12 international youth day|youth day;
   08-15 feast of the assumption|assumption day; 08-19 world photography day; 08-26 international dog day;
   09-08 literacy day|international literacy day; 09-11 patriot day; 09-17 constitution day;
   09-19 talk like a pirate day; 09-21 international day of peace|world peace day; 09-27 world tourism day;
   09-29 michaelmas|world heart day; 09-30 day for truth and reconciliation|truth and reconciliation day;
   10-01 international coffee day|world vegetarian day; 10-03 german unity day|day of german unity;
   10-04 world animal day; 10-05 world teachers' day|teachers' day; 10-10 world mental health day;
   10-11 coming out day|international day of the girl; 10-16 world food day; 10-24 united nations day;
   10-31 halloween|hallowe'en|all hallows' eve;
   11-01 all saints' day|world vegan day; 11-02 day of the dead|dia de los muertos|all souls' day;
   11-05 guy fawkes|guy fawkes night|guy fawkes day|bonfire night;
   11-11 veterans' day|armistice day|remembrance day|singles' day; 11-13 world kindness day;
   11-14 world diabetes day; 11-19 international men's day|men's day; 11-20 world children's day;
   11-21 world television day; 11-30 st andrew's day;
   12-01 world aids day; 12-05 international volunteer day; 12-06 st nicholas' day; 12-07 pearl harbor day;
   12-08 immaculate conception; 12-10 human rights day; 12-13 st lucy's day; 12-24 christmas eve|xmas eve;
   12-25 christmas|christmas day|xmas|x-mas|xmas day; 12-26 st stephen's day|boxing day|kwanzaa;
   12-31 new year's eve|nye|hogmanay;
   shroveTuesday shrove tuesday|fat tuesday|mardi gras|pancake day|pancake tuesday;
   ashWednesday ash wednesday; palmSunday palm sunday; maundyThursday maundy thursday|holy thursday;
   goodFriday good friday; holySaturday holy saturday|easter saturday;
   easter easter|easter day|easter sunday; easterMonday easter monday; ascension ascension day;
   whitSunday pentecost|whit sunday|whitsun; whitMonday whit monday; trinitySunday trinity sunday;
   corpusChristi corpus christi; thanksgiving thanksgiving|thanksgiving day; blackFriday black friday;
   cyberMonday cyber monday; firstAdvent advent sunday|first advent|first sunday of advent;
   secondAdvent second sunday of advent; thirdAdvent third sunday of advent;
   fourthAdvent fourth sunday of advent`,
);

/** The fourth Sunday of Lent. */
const mothering = daysAfter(-21, CHURCH_FEASTS.easter);

const { thanksgiving } = SHOPPING_DAYS;

function taxDay(year: number): DateTime {
  const emancipation = DateTime.utc(year, 4, 16);
  const shift = emancipation.weekday === 6 ? -1 : Number(emancipation.weekday === 7);
  const isOff = (day: DateTime): boolean =>
    day.weekday >= 6 || day.hasSame(emancipation.plus({ days: shift }), 'day');
  const days = [0, 1, 2, 3].map((later) => DateTime.utc(year, 4, 15).plus({ days: later }));
  return days.find((day) => !isOff(day)) ?? DateTime.utc(year, 4, 18);
}

/** Names of one day in the United States, and of either of two days elsewhere. */
const TWO_DAYS_ELSEWHERE: Readonly<Record<string, readonly [InYear, InYear]>> = {
  "mother's day": [mothering, nthOf(2, 'sunday', 5)],
  'labour day': [(year) => DateTime.utc(year, 5, 1), nthOf(1, 'monday', 9)],
};

/** Holidays without a fixed date that other languages don't have, by their names. */
const MOVING_HOLIDAYS: Readonly<Record<string, InYear>> = {
  'mothering sunday': mothering,
  'orthodox easter|greek easter': orthodoxEasterSunday,
  'orthodox easter monday': daysAfter(1, orthodoxEasterSunday),
  'orthodox good friday': daysAfter(-2, orthodoxEasterSunday),
  // 5 U.S.C. § 6103, the United States' holidays.
  'martin luther king day|martin luther king jr day|mlk day': nthOf(3, 'monday', 1),
  "presidents' day|washington's birthday": nthOf(3, 'monday', 2),
  'memorial day': nthOf(-1, 'monday', 5),
  'labor day|labour day': nthOf(1, 'monday', 9),
  "columbus day|indigenous peoples' day": nthOf(2, 'monday', 10),
  // 2 U.S.C. § 7: the Tuesday next after the first Monday in November.
  'election day': daysAfter(1, nthOf(1, 'monday', 11)),
  // 26 U.S.C. § 6072 and § 7503: 15 April, or the next day that is neither of a weekend nor the capital's holiday.
  'tax day': taxDay,
  // The 20th Amendment: 20 January of the year after a presidential election.
  'inauguration day': (year) => (year % 4 === 1 ? DateTime.utc(year, 1, 20) : undefined),
  // 36 U.S.C. § 117, § 109 and § 125.
  "mother's day": nthOf(2, 'sunday', 5),
  "father's day": nthOf(3, 'sunday', 6),
  "grandparents' day": daysAfter(6, nthOf(1, 'monday', 9)),
  // The Arbor Day Foundation's, and most states'.
  'arbor day': nthOf(-1, 'friday', 4),
  // Counted from Thanksgiving: the National Retail Federation's, American Express's and GivingTuesday's.
  'small business saturday': daysAfter(2, thanksgiving),
  'giving tuesday': daysAfter(5, thanksgiving),
  // 36 U.S.C. § 104 (a proclamation of 1950): Armed Forces Day.
  'armed forces day': nthOf(3, 'saturday', 5),
  // Holidays Act, R.S.C. 1985, c. H-5: Canada; the Monday before 25 May, and the second in October.
  'victoria day': (year) => DateTime.utc(year, 5, 24).startOf('week'),
  'canadian thanksgiving': nthOf(2, 'monday', 10),
  // Banking and Financial Dealings Act 1971, and gov.uk/bank-holidays: England and Wales.
  'early may bank holiday|may bank holiday|may day bank holiday': nthOf(1, 'monday', 5),
  'spring bank holiday|late may bank holiday': nthOf(-1, 'monday', 5),
  'summer bank holiday|august bank holiday|late summer bank holiday': nthOf(-1, 'monday', 8),
  'native american heritage day': daysAfter(1, thanksgiving),
  // The second Sunday in November, as the Cenotaph's service is held.
  'remembrance sunday': nthOf(2, 'sunday', 11),
  // The National Football League's, the second Sunday in February since 2022.
  'super bowl|super bowl sunday|superbowl|superbowl sunday': nthOf(2, 'sunday', 2),
  // As their founders have set them: days of trades.
  'world password day': nthOf(1, 'thursday', 5),
  'national donut day': nthOf(1, 'friday', 6),
  'sysadmin day|system administrator appreciation day': nthOf(-1, 'friday', 7),
  'world smile day': nthOf(1, 'friday', 10),
  // The 256th day of the year.
  "programmers' day|day of the programmer": (year) => DateTime.utc(year).plus({ days: 255 }),
  // Canada's provinces: the third Monday in February.
  'family day': nthOf(3, 'monday', 2),
  'civic holiday': nthOf(1, 'monday', 8),
  // Melbourne's race: the first Tuesday in November (Public Holidays Act 1993, Victoria).
  'melbourne cup day': nthOf(1, 'tuesday', 11),
};

const MONDAY = 1;
const SATURDAY = 6;

/** 29 February comes every four years, and once only after eight years. */
const YEARS_AHEAD = 9;

/** "christmas eve", "next easter", "black friday 2027", "valentine's day next year", "new years". */
export function holidays(isAmerican: boolean): Rule {
  const byName = holidaysByName(isAmerican);
  const names = [...byName.keys()].sort((a, b) => b.length - a.length).map(patternOf);
  const days = new Map([...byName].map(([name, inYear]) => [plain(name), inYear]));
  const pairs = new Map(
    isAmerican ? [] : Object.entries(TWO_DAYS_ELSEWHERE).map(([name, pair]) => [plain(name), pair]),
  );
  const readName = (
    { lead, before, name, eve, newYears, year, which = lead }: Readonly<Record<string, string | undefined>>,
    today: DateTime,
  ): Meaning | undefined => {
    // "New year's" is the eve or the day.
    if (newYears !== undefined)
      return year === undefined
        ? either(DateTime.utc(today.year + 1), DateTime.utc(today.year, 12, 31))
        : undefined;
    const inYear = days.get(plain(name ?? ''));
    if (inYear === undefined) return undefined;
    const pair = eve === undefined ? pairs.get(plain(name ?? '')) : undefined;
    const each: readonly InYear[] = pair ?? [eve === undefined ? inYear : eveOf(inYear)];
    if (year !== undefined || which !== undefined) {
      const named = year === undefined ? today.year + (which === 'next' ? 1 : 0) : Number(year);
      return either(...each.map((dateIn) => dateIn(named)));
    }
    const [first, second] = each.map((dateIn) => comingDays(dateIn, today));
    // "Next christmas" before christmas can be this year's or next year's.
    if (second === undefined && before === 'next' && first?.[0]?.year === today.year)
      return either(first[0], first[1]);
    return either(first?.[0], second?.[0]);
  };
  return rule(
    `(?:(?<lead>this|next)\\syear(?:'s|,)?\\s(?:on\\s)?)?(?:(?<before>this(?:\\scoming)?|next|(?:the\\s)?(?:coming|upcoming)|the)\\s)?(?:(?<name>${names.join('|')})|(?<newYears>new\\syear'?s))(?<eve>\\seve(?!\\sof))?(?!\\sday\\b)(?:,?\\s(?:of\\s|in\\s)?(?<year>\\d{4})(?!\\s?h(?:rs?|ours?)?\\b)|\\s(?:of\\s)?(?<which>this|next)\\syear)?(?<weekend>\\sweek-?end(?:,?\\s(?:on\\s)?(?<day>${WEEKDAY}))?)?`,
    ({ weekend, day, ...words }, today) => {
      const meaning = readName(words, today);
      if (meaning === undefined) return undefined;
      return weekend === undefined ? { ...meaning, isNamedDay: true } : inWeekend(meaning, weekdayOf(day));
    },
  );
}

/** "Memorial day weekend": the weekend closest to the day, or the weekday beside it. */
function inWeekend({ year, month, day }: Meaning, weekday: number | undefined): Meaning {
  const date = DateTime.fromObject({ year, month, day }, { zone: 'utc' });
  const closest = (to: number): DateTime => {
    const ahead = (to - date.weekday + 7) % 7;
    return date.plus({ days: ahead > 3 ? ahead - 7 : ahead });
  };
  if (weekday !== undefined) return dateOf(closest(weekday));
  const saturday = closest(SATURDAY);
  return periodOf(saturday, [saturday.plus({ days: 1 })]);
}

function eveOf(inYear: InYear): InYear {
  return (year) => inYear(year)?.minus({ days: 1 });
}

function comingDays(inYear: InYear, today: DateTime): readonly DateTime[] {
  return Array.from({ length: YEARS_AHEAD }, (_, ahead) => inYear(today.year + ahead))
    .filter((date) => date !== undefined)
    .filter((date) => date.isValid && date >= today);
}

function either(date?: DateTime, other?: DateTime): Meaning | undefined {
  return date && eitherDateOf(date, other === undefined ? [] : [other]);
}

function holidaysByName(isAmerican: boolean): ReadonlyMap<string, InYear> {
  // Other countries have their own.
  const american = isAmerican ? namedDays('07-04 independence day') : [];
  return new Map(
    [...LISTED_HOLIDAYS, ...american, ...Object.entries(MOVING_HOLIDAYS)].flatMap(([names, inYear]) =>
      names.split('|').map((name) => [name, inYear] as const),
    ),
  );
}

/** A name without apostrophes, dots, hyphens and plural s, and with "st" for saint. */
function plain(name: string): string {
  return name
    .replaceAll(/['.]/g, '')
    .replaceAll(/[\s-]+/g, ' ')
    .replaceAll(/s(?= |$)/g, '')
    .replace(/^saint /, 'st ')
    .replace(/^intl /, 'international ');
}

/** "presidents day", "president's day", "mother day": the s and the apostrophe wherever people write them. */
function patternOf(name: string): string {
  return name
    .replace(/^st /, '(?:st\\.?|saint) ')
    .replaceAll(/'s?|s'?(?= |$)/g, "(?:'?s'?)?")
    .replace("hallow(?:'?s'?)?een", 'halloween')
    .replace(/^international /, "int(?:ernational|'?l) ")
    .replaceAll(' ', '[\\s-]');
}

/** "the next bank holiday", "bank holiday monday", "easter bank holiday": England and Wales (gov.uk/bank-holidays). */
export const bankHolidays = rule(
  '(?:the\\s)?(?:(?<easter>easter)\\s|(?:next|coming|upcoming|this|following)\\s)?bank\\sholiday(?<monday>\\smonday)?(?!\\s(?:weekend|week))',
  ({ easter, monday }, today) => {
    const years = [today.year, today.year + 1];
    const open = (days: readonly DateTime[]) => days.filter((day) => day >= today);
    if (easter !== undefined) {
      const [friday, easterMonday] = open(years.flatMap(ofEaster));
      if (friday === undefined || easterMonday === undefined) return undefined;
      return monday === undefined && friday.weekday !== MONDAY
        ? eitherDateOf(friday, [easterMonday])
        : named(friday.weekday === MONDAY ? friday : easterMonday);
    }
    const days = open(years.flatMap(bankHolidaysIn));
    const first = days.find((day) => monday === undefined || day.weekday === MONDAY);
    return first && named(first);
  },
);

function named(date: DateTime): Meaning {
  return { ...dateOf(date), isNamedDay: true };
}

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
    nthOf(1, 'monday', 5)(year),
    nthOf(-1, 'monday', 5)(year),
    nthOf(-1, 'monday', 8)(year),
    // Christmas Day and Boxing Day, or their substitutes after a weekend.
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
