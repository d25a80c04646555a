import { DateTime } from 'luxon';
import { eitherDateOf } from '../../piece.ts';
import { rule } from '../../rule.ts';

/** Words before a feast: none, a preposition, or a time. "for" only at the beginning of the text. */
const BEFORE =
  '(?<=^[\\s(]*(?:for\\s)?|\\b(?:on|next|this|the|before|after|by|of|from)\\s|(?:\\d(?:\\s?[ap]\\.?m\\.?)?|\\b(?:noon|midday|midnight|morning|afternoon|evening|night)),?\\s)';
/** Words after a feast. Other words can make a place or an activity of it. */
const AFTER =
  '(?=[\\s)]*$|\\s?[,;.!?()@-]|\\s(?:at|by|around|about|from|in|on|please|noon|midday|midnight|morning|afternoon|evening|night|half|quarter|\\d))';

/**
 * "first day of hanukkah", "next diwali", "passover 2027", "lunar new year's eve", with the groups `name`, `eve`, `year`
 * and `which`. Doesn't match names of people and places ("lunch at Pongal House").
 */
export function feastPattern(names: readonly string[]): string {
  return `${BEFORE}(?:(?:the\\s)?(?:first\\sday|start|beginning)\\sof\\s)?(?:(?:the|next|this)\\s)?(?<name>${names.join('|')})(?:(?<eve>(?:'?s)?\\seve)|(?:'?s)?\\sday)?(?:,?\\s(?:of\\s|in\\s)?(?<year>20\\d\\d)(?!\\s?h(?:rs?|ours?)?\\b)|\\s(?<which>this|next)\\syear)?${AFTER}`;
}

interface FeastWords {
  eve?: string | undefined;
  year?: string | undefined;
  which?: string | undefined;
}

/** The next such day, including today, or the one in the named year. */
export function feastFrom(
  today: DateTime,
  { eve, year, which }: FeastWords,
  firstFrom: (from: DateTime) => DateTime | undefined,
): DateTime | undefined {
  const before = { days: eve === undefined ? 0 : 1 };
  const named = which === undefined ? year && Number(year) : today.year + (which === 'next' ? 1 : 0);
  if (named === undefined || named === '') return firstFrom(today.plus(before))?.minus(before);
  const first = DateTime.utc(named, 1, 1);
  // A year can have two of them.
  const dates = [today > first ? today : first, first].map((from) => firstFrom(from.plus(before)));
  return dates.find((date) => date?.year === named)?.minus(before);
}

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

/** "Eid" alone is the next of the two. */
const EID = 'eid(?:\\smubarak)?';
const SATURDAY = 6;
const EIDS = [islamic('10', 1), islamic('12', 10)];

/**
 * "first day of hanukkah", "passover 2027", "nowruz", "eid al-fitr". Jewish days begin at sunset of the day before.
 * Islamic days begin when the moon is seen, perhaps a day later.
 */
export const calendarFeasts = rule(
  feastPattern([...DAYS.map(([names]) => names), EID]),
  ({ name = '', ...asked }, today) => {
    const [names, only] = DAYS.find(([one]) => new RegExp(`^(?:${one})$`).test(name)) ?? [];
    const meant = only === undefined ? EIDS : [only];
    const { calendar } = only ?? { calendar: 'islamic-umalqura' };
    // If the moon was seen a day later, it may be today.
    const from = calendar === 'islamic-umalqura' ? today.minus({ days: 1 }) : today;
    const keep = names === TISHA_BAV ? afterSabbath : (day: DateTime) => day;
    const date = feastFrom(from, asked, (day) => {
      const first = firstOf(meant, day);
      return first && keep(first);
    });
    return date && eitherDateOf(date, besideOf(calendar, date));
  },
);

/** Tisha B'Av isn't on a Sabbath. */
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

/** At most four steps for each of the 13 months. */
const MOST_STEPS = 60;
const LONGEST_MONTH = 30;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The first such day from `from` on. */
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
