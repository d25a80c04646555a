import { DateTime } from 'luxon';
import { easterSunday } from '../../easter.ts';
import { nthWeekday } from '../../nth-weekday.ts';

type InYear = (year: number) => DateTime | undefined;

const [SUNDAY, MONDAY, TUESDAY, THURSDAY, FRIDAY, SATURDAY] = [0, 1, 2, 4, 5, 6] as const;

const nth =
  (count: number, weekday: number, month: number): InYear =>
  (year) =>
    nthWeekday(year, month, weekday, count);

const later =
  (days: number, from: InYear): InYear =>
  (year) =>
    from(year)?.plus({ days });

const afterEaster = (days: number): InYear => later(days, easterSunday);

/** 5 U.S.C. § 6103: the fourth Thursday in November. The days of shopping are counted from it. */
const thanksgiving = nth(4, THURSDAY, 11);

/** The Sundays after which the church's year is counted, and what shops and parliaments have set to a weekday. */
export const MOVING_HOLIDAYS: Readonly<Record<string, InYear>> = {
  // The Western churches' calendar.
  'shrove tuesday': afterEaster(-47),
  'fat tuesday': afterEaster(-47),
  'mardi gras': afterEaster(-47),
  'pancake day': afterEaster(-47),
  'ash wednesday': afterEaster(-46),
  'mothering sunday': afterEaster(-21),
  'palm sunday': afterEaster(-7),
  'maundy thursday': afterEaster(-3),
  'holy thursday': afterEaster(-3),
  'good friday': afterEaster(-2),
  'holy saturday': afterEaster(-1),
  'easter saturday': afterEaster(-1),
  easter: easterSunday,
  'easter day': easterSunday,
  'easter sunday': easterSunday,
  'easter monday': afterEaster(1),
  'ascension day': afterEaster(39),
  pentecost: afterEaster(49),
  'whit sunday': afterEaster(49),
  whitsun: afterEaster(49),
  'whit monday': afterEaster(50),
  'trinity sunday': afterEaster(56),
  'corpus christi': afterEaster(60),
  // 5 U.S.C. § 6103, the United States' holidays.
  'martin luther king day': nth(3, MONDAY, 1),
  'martin luther king jr day': nth(3, MONDAY, 1),
  'mlk day': nth(3, MONDAY, 1),
  "presidents' day": nth(3, MONDAY, 2),
  "washington's birthday": nth(3, MONDAY, 2),
  'memorial day': nth(-1, MONDAY, 5),
  'labor day': nth(1, MONDAY, 9),
  'columbus day': nth(2, MONDAY, 10),
  "indigenous peoples' day": nth(2, MONDAY, 10),
  thanksgiving,
  'thanksgiving day': thanksgiving,
  // 2 U.S.C. § 7: the Tuesday next after the first Monday in November.
  'election day': later(1, nth(1, MONDAY, 11)),
  // 36 U.S.C. § 117, § 109 and § 125.
  "mother's day": nth(2, SUNDAY, 5),
  "father's day": nth(3, SUNDAY, 6),
  "grandparents' day": later(6, nth(1, MONDAY, 9)),
  // The Arbor Day Foundation's, and most states'.
  'arbor day': nth(-1, FRIDAY, 4),
  // Counted from Thanksgiving: the National Retail Federation's, American Express's and GivingTuesday's.
  'black friday': later(1, thanksgiving),
  'small business saturday': later(2, thanksgiving),
  'cyber monday': later(4, thanksgiving),
  'giving tuesday': later(5, thanksgiving),
  // 36 U.S.C. § 104 (a proclamation of 1950): Armed Forces Day.
  'armed forces day': nth(3, SATURDAY, 5),
  // Holidays Act, R.S.C. 1985, c. H-5: Canada; the Monday before 25 May, and the second in October.
  'victoria day': (year) => DateTime.utc(year, 5, 24).startOf('week'),
  'canadian thanksgiving': nth(2, MONDAY, 10),
  // Banking and Financial Dealings Act 1971, and gov.uk/bank-holidays: England and Wales.
  'early may bank holiday': nth(1, MONDAY, 5),
  'spring bank holiday': nth(-1, MONDAY, 5),
  'summer bank holiday': nth(-1, MONDAY, 8),
  'august bank holiday': nth(-1, MONDAY, 8),
  // Melbourne's race: the first Tuesday in November (Public Holidays Act 1993, Victoria).
  'melbourne cup day': nth(1, TUESDAY, 11),
};
