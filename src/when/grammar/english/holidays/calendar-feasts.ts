import type { DateTime } from 'luxon';
import { rule } from '../../rule.ts';
import { eitherDate } from '../said-date.ts';
import { feastFrom, feastPattern } from './named-feast.ts';

/** A month and day as the runtime's CLDR data prints them in English for a calendar. */
interface FeastDay {
  calendar: 'hebrew' | 'persian' | 'islamic-umalqura';
  month: string;
  day: number;
}

const hebrew = (month: string, day: number): FeastDay => ({ calendar: 'hebrew', month, day });
/** Saudi Arabia's calendar is reckoned ahead. */
const islamic = (month: string, day: number): FeastDay => ({ calendar: 'islamic-umalqura', month, day });

const TISHA_BAV = "tisha\\sb'?av";

const DAYS: readonly (readonly [string, FeastDay])[] = [
  ['purim', hebrew('Adar', 14)],
  ['passover|pesach', hebrew('Nisan', 15)],
  ["lag\\sb[a']{0,2}omer", hebrew('Iyar', 18)],
  ['shavuot', hebrew('Sivan', 6)],
  [TISHA_BAV, hebrew('Av', 9)],
  ['rosh\\shashanah?', hebrew('Tishri', 1)],
  ['yom\\skippur', hebrew('Tishri', 10)],
  ['sukkot', hebrew('Tishri', 15)],
  ['simchat\\storah', hebrew('Tishri', 23)],
  ['c?hann?uk+ah?', hebrew('Kislev', 25)],
  ["tu\\sb[i']?she?vat", hebrew('Shevat', 15)],
  ['now?ruz|persian\\snew\\syear', { calendar: 'persian', month: '1', day: 1 }],
  ['ramadh?an|ramzan', islamic('9', 1)],
  ['eid[\\s-](?:al|ul)[\\s-]?fitr', islamic('10', 1)],
  ['eid[\\s-](?:al|ul)[\\s-]?a[dz]h?a', islamic('12', 10)],
  ['(?:islamic|hijri|muslim)\\snew\\syear', islamic('1', 1)],
  ['ashura', islamic('1', 10)],
  ['mawlid|milad[\\s-]un[\\s-]nabi', islamic('3', 12)],
];

/** "Eid" by itself is the one that comes first. */
const EID = 'eid(?:\\smubarak)?';
const SATURDAY = 6;
const EIDS = [islamic('10', 1), islamic('12', 10)];

/**
 * "First day of hanukkah", "passover 2027", "nowruz", "eid al-fitr". Jewish days begin at sunset: the day before is
 * meant as well. Where the moon must be seen, the day may be the next one: it is asked about.
 */
export const calendarFeasts = rule(
  feastPattern([...DAYS.map(([names]) => names), EID]),
  ({ name = '', ...asked }, today) => {
    const [names, only] = DAYS.find(([one]) => new RegExp(`^(?:${one})$`).test(name)) ?? [];
    const meant = only === undefined ? EIDS : [only];
    const { calendar } = only ?? { calendar: 'islamic-umalqura' };
    // Where the moon was seen a day later, today may be its day.
    const from = calendar === 'islamic-umalqura' ? today.minus({ days: 1 }) : today;
    const keep = names === TISHA_BAV ? afterSabbath : (day: DateTime) => day;
    const date = feastFrom(from, asked, (day) => {
      const first = firstOf(meant, day);
      return first && keep(first);
    });
    return date && eitherDate(date, besideOf(calendar, date));
  },
);

/** No fast but Yom Kippur is kept on a Sabbath. */
function afterSabbath(date: DateTime): DateTime {
  return date.weekday === SATURDAY ? date.plus({ days: 1 }) : date;
}

function besideOf(calendar: string, date: DateTime): readonly DateTime[] {
  if (calendar === 'hebrew') return [date.minus({ days: 1 })];
  return calendar === 'persian' ? [] : [date.plus({ days: 1 })];
}

function firstOf(days: readonly FeastDay[], from: DateTime): DateTime | undefined {
  const dates = days.map((day) => firstFrom(from, day)).filter((date) => date !== undefined);
  return dates.toSorted((a, b) => a.toMillis() - b.toMillis())[0];
}

/** From day to day of interest, of which a month has at most four and a year thirteen months. */
const MOST_STEPS = 60;
const LONGEST_MONTH = 30;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The first such day from that day on. */
function firstFrom(from: DateTime, { calendar, month, day }: FeastDay): DateTime | undefined {
  const format = formats.get(calendar) ?? formatOf(calendar);
  formats.set(calendar, format);
  let date = from;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const shown = shownBy(format, date);
    const isMonth = shown.month === month || (month === 'Adar' && shown.month === 'Adar II');
    if (isMonth && shown.day === day) return date;
    const days = isMonth && shown.day < day ? day - shown.day : LONGEST_MONTH - shown.day;
    date = date.plus({ days: Math.max(1, days) });
  }
  return undefined;
}

function formatOf(calendar: string): Intl.DateTimeFormat {
  const options = { timeZone: 'UTC', day: 'numeric', month: 'numeric' } as const;
  return new Intl.DateTimeFormat(`en-u-ca-${calendar}`, options);
}

function shownBy(format: Intl.DateTimeFormat, date: DateTime): { month: string; day: number } {
  const parts = format.formatToParts(date.toMillis());
  const partOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return { month: partOf('month'), day: Number(partOf('day')) };
}
