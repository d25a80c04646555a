import { DateTime } from 'luxon';
import {
  CHURCH_FEASTS,
  daysAfter,
  easterSunday,
  type InYear,
  nthOf,
  orthodoxEasterSunday,
  SHOPPING_DAYS,
} from '../../feasts.ts';

const afterEaster = (days: number): InYear => daysAfter(days, easterSunday);

const { thanksgiving, blackFriday, cyberMonday } = SHOPPING_DAYS;

function taxDay(year: number): DateTime {
  const emancipation = DateTime.utc(year, 4, 16);
  const shift = emancipation.weekday === 6 ? -1 : Number(emancipation.weekday === 7);
  const isOff = (day: DateTime): boolean =>
    day.weekday >= 6 || day.hasSame(emancipation.plus({ days: shift }), 'day');
  const days = [0, 1, 2, 3].map((later) => DateTime.utc(year, 4, 15).plus({ days: later }));
  return days.find((day) => !isOff(day)) ?? DateTime.utc(year, 4, 18);
}

/** Names of one day in the United States, and of either of two days elsewhere. */
export const TWO_DAYS_ELSEWHERE: Readonly<Record<string, readonly [InYear, InYear]>> = {
  "mother's day": [afterEaster(-21), nthOf(2, 'sunday', 5)],
  'labour day': [(year) => DateTime.utc(year, 5, 1), nthOf(1, 'monday', 9)],
};

/** Holidays without a fixed date, by their names. */
export const MOVING_HOLIDAYS: Readonly<Record<string, InYear>> = {
  // The Western churches' calendar.
  'shrove tuesday|fat tuesday|mardi gras|pancake day|pancake tuesday': afterEaster(-47),
  'ash wednesday': afterEaster(-46),
  'mothering sunday': afterEaster(-21),
  'palm sunday': afterEaster(-7),
  'maundy thursday|holy thursday': afterEaster(-3),
  'good friday': afterEaster(-2),
  'holy saturday|easter saturday': afterEaster(-1),
  'easter|easter day|easter sunday': easterSunday,
  'easter monday': afterEaster(1),
  'orthodox easter|greek easter': orthodoxEasterSunday,
  'orthodox easter monday': daysAfter(1, orthodoxEasterSunday),
  'orthodox good friday': daysAfter(-2, orthodoxEasterSunday),
  'ascension day': afterEaster(39),
  'pentecost|whit sunday|whitsun': afterEaster(49),
  'whit monday': afterEaster(50),
  'trinity sunday': afterEaster(56),
  'corpus christi': afterEaster(60),
  // 5 U.S.C. § 6103, the United States' holidays.
  'martin luther king day|martin luther king jr day|mlk day': nthOf(3, 'monday', 1),
  "presidents' day|washington's birthday": nthOf(3, 'monday', 2),
  'memorial day': nthOf(-1, 'monday', 5),
  'labor day|labour day': nthOf(1, 'monday', 9),
  "columbus day|indigenous peoples' day": nthOf(2, 'monday', 10),
  'thanksgiving|thanksgiving day': thanksgiving,
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
  'black friday': blackFriday,
  'small business saturday': daysAfter(2, thanksgiving),
  'cyber monday': cyberMonday,
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
  // The fourth Sunday before Christmas Day begins Advent.
  'advent sunday|first advent|first sunday of advent': CHURCH_FEASTS.firstAdvent,
  'second sunday of advent': CHURCH_FEASTS.secondAdvent,
  'third sunday of advent': CHURCH_FEASTS.thirdAdvent,
  'fourth sunday of advent': CHURCH_FEASTS.fourthAdvent,
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
