import { DateTime } from 'luxon';
import { wordList } from '../european/vocabulary.ts';
import { eitherDateOf } from '../piece.ts';
import { rule } from '../rule.ts';

/** Words before a feast: none, a preposition, or a time. "for" only at the beginning of the text. */
const BEFORE =
  '(?<=^[\\s(]*(?:for\\s)?|\\b(?:on|next|this|the|before|after|by|of|from)\\s|(?:\\d(?:\\s?[ap]\\.?m\\.?)?|\\b(?:noon|midday|midnight|morning|afternoon|evening|night)),?\\s)';
/** Words after a feast. Other words can make a place or an activity of it. */
const AFTER =
  '(?=[\\s)]*$|\\s?[,;.!?()@-]|\\s(?:at|by|around|about|from|in|on|please|noon|midday|midnight|morning|afternoon|evening|night|half|quarter|\\d))';

/** A feast that isn't on a date of our calendar. */
interface MovingFeast {
  /** Islamic days begin when the moon is seen, perhaps a day later: then yesterday's may be today. */
  isSeen?: boolean;
  firstFrom(from: DateTime): DateTime | undefined;
  /** Other days that are meant by some. */
  othersOf(date: DateTime): readonly DateTime[];
}

/** Names after the month and day as the runtime's CLDR data prints them in English. "Eid" alone is the next of the two. */
const DAYS: Readonly<Record<string, string>> = {
  hebrew: `Adar.14 purim; Nisan.15 passover|pesach; Iyar.18 lag\\sb[a']{0,2}omer; Sivan.6 shavuot;
    Av.9 tisha\\sb'?av; Tishri.1 rosh\\shashanah?; Tishri.10 yom\\skippur; Tishri.15 sukkot;
    Tishri.23 simchat\\storah; Kislev.25 c?hann?uk+ah?; Shevat.15 tu\\sb[i']?she?vat`,
  persian: '1.1 now?ruz|persian\\snew\\syear',
  // Saudi Arabia's calendar is reckoned ahead.
  'islamic-umalqura': `9.1 ramadh?an|ramzan; 10.1 eid[\\s-](?:al|ul)[\\s-]?fitr;
    12.10 eid[\\s-](?:al|ul)[\\s-]?a[dz]h?a; 1.1 (?:islamic|hijri|muslim)\\snew\\syear;
    10.1/12.10 eid(?:\\smubarak)?; 1.10 ashura; 3.12 mawlid|milad[\\s-]un[\\s-]nabi`,
};

const SATURDAY = 6;

function ofCalendar([calendar, list]: readonly [string, string]): readonly (readonly [
  string,
  MovingFeast,
])[] {
  const isSeen = calendar === 'islamic-umalqura';
  return list.split(/;\s+/).map((entry) => {
    const [days = '', names = ''] = entry.split(' ');
    const firstFrom = (from: DateTime): DateTime | undefined => {
      const dates = days.split('/').map((day) => firstInCalendar(calendar, day, from));
      const date = DateTime.min(...dates.filter((each) => each !== undefined));
      // Tisha B'Av isn't on a Sabbath.
      return days === 'Av.9' && date?.weekday === SATURDAY ? date.plus({ days: 1 }) : date;
    };
    // Jewish days begin at sunset of the day before.
    const others = { hebrew: -1, 'islamic-umalqura': 1 }[calendar];
    const othersOf = (date: DateTime) => (others === undefined ? [] : [date.plus({ days: others })]);
    return [names, { isSeen, firstFrom, othersOf }];
  });
}

/** At most four steps for each of the 13 months. */
const MOST_STEPS = 60;
const LONGEST_MONTH = 30;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The first day of a month and day in a calendar ("Adar.14") from `from` on. */
function firstInCalendar(calendar: string, monthAndDay: string, from: DateTime): DateTime | undefined {
  const format = formats.get(calendar) ?? formatOf(calendar);
  formats.set(calendar, format);
  const [month, day] = monthAndDay.split('.');
  let date = from;
  for (let step = 0; step < MOST_STEPS; step += 1) {
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

function formatOf(calendar: string): Intl.DateTimeFormat {
  const options = { timeZone: 'UTC', day: 'numeric', month: 'numeric' } as const;
  return new Intl.DateTimeFormat(`en-u-ca-${calendar}`, options);
}

/** Feasts whose dates are only in almanacs. */
interface Almanac {
  /** Source of these days, and of later years. */
  source: string;
  /** The first and the last listed year. */
  years: readonly [first: number, last: number];
  /** By their names: the day (MM-DD) in each year, or two days if countries differ. */
  feasts: Readonly<Record<string, string>>;
}

/** New moons in Beijing. Node's own Chinese calendar is a day late in 2027. */
const CHINA: Almanac = {
  source: 'date-chinese 2.1.4',
  years: [2026, 2040],
  feasts: {
    'chinese\\snew\\syear':
      '02-17 02-06 01-26 02-13 02-03 01-23 02-11 01-31 02-19 02-08 01-28 02-15 02-04 01-24 02-12',
    // Seoul's and Hanoi's new moons may be on another day than Beijing's.
    'lunar\\snew\\syear':
      '02-17 02-06/02-07 01-26/01-27 02-13 02-03/02-02 01-23 02-11 01-31 02-19 02-08 01-28 02-15 02-04 01-24 02-12',
    'lantern\\sfestival':
      '03-03 02-20 02-09 02-27 02-17 02-06 02-25 02-14 03-05 02-22 02-11 03-01 02-18 02-07 02-26',
    'qing\\s?ming(?:\\sfestival)?|tomb[\\s-]sweeping':
      '04-05 04-05 04-04 04-04 04-05 04-05 04-04 04-04 04-05 04-05 04-04 04-04 04-05 04-05 04-04',
    'dragon\\sboat\\sfestival':
      '06-19 06-09 05-28 06-16 06-05 06-24 06-12 06-01 06-20 06-10 05-30 06-18 06-07 05-27 06-14',
    '(?:mid[\\s-]?autumn|moon|mooncake)\\sfestival':
      '09-25 09-15 10-03 09-22 09-12 10-01 09-19 10-07 09-27 09-16 10-04 09-24 09-13 10-02 09-20',
    '(?:double\\s(?:ninth|nine)|chongyang)\\sfestival':
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
    'diwali|divali|deepavali|dipavali':
      '11-08 10-29/10-28 10-17 11-05 10-26/10-25 11-14/11-13 11-02 10-22 11-10/11-09 10-30',
    holi: '03-04 03-22 03-11 03-01 03-20 03-09 03-27 03-16 03-05 03-24',
    'dussehra|dusshera|dasara|vijayadashami': '10-20 10-09 09-27 10-16 10-06 10-25 10-14 10-03 10-22 10-11',
    'nava?ratri|nava?rathri': '10-11 09-30 09-19 10-08 09-28 10-17 10-05 09-24 10-13 10-02',
    'raksha\\sbandhan': '08-28 08-17 08-05 08-23 08-13 08-02 08-20 08-10 08-29 08-18',
    'ganesh\\schaturthi': '09-14 09-04 08-23 09-11 09-01 09-20 09-08 08-28 09-16 09-05',
    '(?:krishna\\s)?janmashtami': '09-04 08-25 08-13 09-01 08-21 08-10 08-28 08-17 09-06 08-26',
    '(?:maha\\s)?shivaratri|maha\\sshivratri': '02-15 03-06 02-23 02-11 03-02 02-20 03-10 02-27 02-17 03-08',
    'rama?\\snavami': '03-26 04-15 04-03 04-22 04-12 04-01 04-19 04-07 03-28 04-16',
    'guru\\snanak\\sjayanti|gurpurab': '11-24 11-14 11-02 11-21 11-10 11-28 11-17 11-06 11-25 11-15',
    onam: '08-26 09-12 09-01 08-22 09-09 08-30 08-20 09-06 08-28 09-14',
    pongal: '01-15 01-15 01-15 01-14 01-15/01-14 01-15 01-15 01-14 01-14 01-15',
  },
};

interface ListedFeast extends Omit<Almanac, 'feasts'> {
  names: string;
  days: string;
}

export const LISTED_FEASTS: readonly ListedFeast[] = [CHINA, INDIA].flatMap(({ feasts, ...almanac }) =>
  Object.entries(feasts).map(([names, days]) => ({ ...almanac, names, days })),
);

/** Each year's day, and the alternative days. */
export function daysOf({
  days,
  years: [first],
}: ListedFeast): readonly (readonly [DateTime, ...DateTime[]])[] {
  return days.split(' ').map((inYear, index) => {
    const utc = (day: string): DateTime => DateTime.fromISO(`${first + index}-${day}`, { zone: 'utc' });
    const [day = '', ...others] = inYear.split('/');
    return [utc(day), ...others.map(utc)];
  });
}

function ofAlmanac(feast: ListedFeast): readonly [string, MovingFeast] {
  const days = daysOf(feast);
  const firstFrom = (from: DateTime) => days.find(([day]) => day >= from)?.[0];
  const othersOf = (date: DateTime) => days.find(([day]) => day.hasSame(date, 'day'))?.slice(1) ?? [];
  return [feast.names, { firstFrom, othersOf }];
}

const FEASTS = wordList([...Object.entries(DAYS).flatMap(ofCalendar), ...LISTED_FEASTS.map(ofAlmanac)]);

/** The next such day, including today, or the one in the named year. */
function feastFrom(
  today: DateTime,
  { year, which }: Readonly<Record<string, string | undefined>>,
  firstFrom: (from: DateTime) => DateTime | undefined,
): DateTime | undefined {
  if (year === undefined && which === undefined) return firstFrom(today);
  const named = which === undefined ? Number(year) : today.year + (which === 'next' ? 1 : 0);
  const first = DateTime.utc(named, 1, 1);
  // A year can have two of them.
  return [today > first ? today : first, first].map(firstFrom).find((date) => date?.year === named);
}

/**
 * "first day of hanukkah", "passover 2027", "eid al-fitr", "lunar new year's eve", "next diwali". Not names of people and
 * places ("lunch at Pongal House").
 */
export const movingFeasts = rule(
  `${BEFORE}(?:(?:the\\s)?(?:first\\sday|start|beginning)\\sof\\s)?(?:(?:the|next|this)\\s)?(?<name>${FEASTS.pattern})(?:(?<eve>(?:'?s)?\\seve)|(?:'?s)?\\sday)?(?:,?\\s(?:of\\s|in\\s)?(?<year>20\\d\\d)(?!\\s?h(?:rs?|ours?)?\\b)|\\s(?<which>this|next)\\syear)?${AFTER}`,
  ({ name, eve, ...words }, today) => {
    const feast = FEASTS.meaningOf(name);
    if (feast === undefined) return undefined;
    const before = { days: eve === undefined ? 0 : 1 };
    const from = feast.isSeen === true ? today.minus({ days: 1 }) : today;
    const date = feastFrom(from, words, (day) => feast.firstFrom(day.plus(before))?.minus(before));
    const others = date && feast.othersOf(date.plus(before)).map((other) => other.minus(before));
    return date && eitherDateOf(date, others ?? []);
  },
);
