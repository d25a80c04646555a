import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import { nthWeekday } from '../feasts.ts';
import type { Meaning, PartOfDay } from '../piece.ts';
import { ruleWithoutSpaces } from '../rule.ts';
import { anyOf, japaneseNumber, NUMBER } from './times.ts';

/** The year before the first of the era that began in 2019. */
const REIWA = 2018;

/** 3月25日, 2027年3月25日, 令和9年3月25日. */
const dates = ruleWithoutSpaces(
  `(?:(?:(?<year>\\d{4})|令和(?<reiwa>${NUMBER}|元))年の?)?(?<month>${NUMBER})月の?(?<day>${NUMBER})日(?!間|後|前|以内)`,
  ({ year, reiwa, month, day }) => {
    const era = reiwa === '元' ? 1 : japaneseNumber(reiwa);
    return dateIn(japaneseNumber(month), japaneseNumber(day), era === undefined ? year : String(REIWA + era));
  },
);

/** "3/25", "2027/3/25", "2027.3.25": the month comes first. */
const datesInFigures = ruleWithoutSpaces(
  '(?<![/.\\d])(?:(?:(?<year>\\d{4})/)?(?<month>\\d{1,2})/(?<day>\\d{1,2})|(?<year>\\d{4})\\.(?<month>\\d{1,2})\\.(?<day>\\d{1,2}))(?![/.\\d])',
  ({ year, month, day }): Meaning | undefined => {
    const asWritten = dateIn(Number(month), Number(day), year);
    const turned = dateIn(Number(day), Number(month), year);
    if (year !== undefined || asWritten === undefined || turned === undefined || month === day)
      return asWritten ?? turned;
    return { ...asWritten, isEitherOrder: true };
  },
);

function dateIn(month?: number, day?: number, year?: string): Meaning | undefined {
  if (month === undefined || day === undefined || month < 1 || month > 12 || day < 1 || day > 31)
    return undefined;
  return year === undefined ? { month, day } : { month, day, year: Number(year) };
}

/** 25日, 今月の27日, 来月の二十日. */
const daysOfMonth = ruleWithoutSpaces(
  `(?:(?<this>今月)の?|(?<next>来月|次の月|翌月)の?)?(?<day>${NUMBER})日(?!間|後|前|以内|目|と|で)`,
  ({ this: these, next, day }, today) => {
    const number = japaneseNumber(day);
    if (number === undefined || number < 1 || number > 31) return undefined;
    if (these === undefined && next === undefined) return { day: number };
    const month = today.startOf('month').plus({ months: next === undefined ? 0 : 1 });
    return { year: month.year, month: month.month, day: number };
  },
);

/** 月末, 今月末, 来月末. */
const monthEnds = ruleWithoutSpaces('(?:今?月末|(?<next>来月末))', ({ next }, today) =>
  dateOf(today.plus({ months: next === undefined ? 0 : 1 }).endOf('month')),
);

const WEEKDAYS = ['日', '月', '火', '水', '木', '金', '土'];
const SPELLED_WEEKDAYS = ['にち', 'げつ', 'か', 'すい', 'もく', 'きん', 'ど'];

/** 月曜日, げつようび, (月). */
const WEEKDAY = `(?:(?<kanji>[${WEEKDAYS.join('')}])曜日?|(?<kana>${SPELLED_WEEKDAYS.join('|')})よう(?:び|日)?|\\((?<short>[${WEEKDAYS.join('')}])曜?日?\\))`;

type Found = Readonly<Record<string, string | undefined>>;

function weekdayIn({ kanji, short, kana }: Found): number {
  return kana === undefined ? WEEKDAYS.indexOf(kanji ?? short ?? '') : SPELLED_WEEKDAYS.indexOf(kana);
}

/** 今週の金曜日, 来週月曜日, 再来週の月曜日, 次の木曜日, 火曜. */
const weekdays = ruleWithoutSpaces(
  `(?:(?:(?<this>今週|こんしゅう)|(?<afterNext>再来週|さらいしゅう)|(?<nextWeek>来週|翌週|らいしゅう)|(?<next>次|つぎ|今度))の?)?${WEEKDAY}`,
  (found): Meaning => {
    const weekday = weekdayIn(found);
    if (found.this !== undefined) return { weekday, week: 'this-week' };
    if (found.nextWeek !== undefined) return { weekday, week: 'next-week' };
    if (found.afterNext !== undefined) return { weekday, week: 'week-after-next' };
    return found.next === undefined ? { weekday } : { weekday, week: 'next' };
  },
);

/** 来月の第2月曜日, 7月の第一金曜日. */
const nthWeekdays = ruleWithoutSpaces(
  `(?:(?<which>今月|来月|次の月)|(?:(?<year>\\d{4})年)?(?<month>${NUMBER})月)の?第?(?<nth>${NUMBER}|最初の|最終|最後の)${WEEKDAY}`,
  (found, today) => {
    const first = monthOf(found, today);
    if (first === undefined) return undefined;
    const weekday = weekdayIn(found);
    const isLast = found.nth === '最終' || found.nth === '最後の';
    const nth = found.nth === '最初の' ? 1 : japaneseNumber(found.nth);
    if (!isLast && (nth === undefined || nth < 1)) return undefined;
    const date = nthWeekday(first.year, first.month, weekday, isLast ? -1 : (nth ?? 1));
    return date === undefined ? undefined : dateOf(date);
  },
);

function monthOf({ which, year, month }: Found, today: DateTime): DateTime | undefined {
  const start = today.startOf('month');
  if (which !== undefined) return start.plus({ months: which === '今月' ? 0 : 1 });
  const number = japaneseNumber(month);
  if (number === undefined || number < 1 || number > 12) return undefined;
  const next = today.year + (number < today.month ? 1 : 0);
  return DateTime.utc(year === undefined ? next : Number(year), number);
}

interface NamedDay {
  ahead: number;
  part?: PartOfDay;
}

const DAYS: Readonly<Record<string, NamedDay>> = {
  今日: { ahead: 0 },
  きょう: { ahead: 0 },
  本日: { ahead: 0 },
  ほんじつ: { ahead: 0 },
  明日: { ahead: 1 },
  あした: { ahead: 1 },
  あす: { ahead: 1 },
  みょうにち: { ahead: 1 },
  翌日: { ahead: 1 },
  明後日: { ahead: 2 },
  あさって: { ahead: 2 },
  明々後日: { ahead: 3 },
  しあさって: { ahead: 3 },
  今朝: { ahead: 0, part: 'morning' },
  今晩: { ahead: 0, part: 'evening' },
  今夜: { ahead: 0, part: 'evening' },
  明朝: { ahead: 1, part: 'morning' },
  明晩: { ahead: 1, part: 'evening' },
};

const dayNames = ruleWithoutSpaces(
  `(?<name>${anyOf(Object.keys(DAYS))})(?!中|以内)`,
  ({ name }, today): Meaning | undefined => {
    const day = DAYS[name ?? ''];
    if (day === undefined) return undefined;
    return {
      ...dateOf(today.plus({ days: day.ahead })),
      isNamedDay: true,
      ...(day.ahead === 0 && { isToday: true }),
      ...(day.part !== undefined && { part: day.part }),
    };
  },
);

function dateOf({ year, month, day }: DateTime): Meaning {
  return { year, month, day };
}

export const japaneseDays: readonly Parser[] = [
  dayNames,
  weekdays,
  nthWeekdays,
  monthEnds,
  dates,
  daysOfMonth,
  datesInFigures,
];
