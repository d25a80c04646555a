import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import { byMeaning } from '../european/word-list.ts';
import { nthWeekday } from '../feasts.ts';
import { dateOf, type Meaning, type PartOfDay, type WeekChoice } from '../piece.ts';
import { ruleWithoutSpaces } from '../rule.ts';
import { MONTHS } from './dates.ts';
import { japaneseNumber, NUMBER, wordsOf } from './times.ts';

const WEEKS = wordsOf<WeekChoice>([
  ['今週 こんしゅう', 'this-week'],
  ['来週 翌週 らいしゅう', 'next-week'],
  ['再来週 さらいしゅう', 'week-after-next'],
]);
const YEARS = wordsOf(byMeaning<number>({ 0: '今年', 1: '来年 翌年', 2: '再来年' }));

/** The week, month or year of a day: 来週の月曜日, 木曜日16時 来週, 来月5日, 来年の1月7日. */
const periods = ruleWithoutSpaces(
  `(?:(?<week>${WEEKS.pattern})|(?<month>${MONTHS.pattern})|(?<year>${YEARS.pattern}))(?![末明中]|まで)`,
  (found, today) => {
    const week = WEEKS.meaningOf(found.week);
    if (week !== undefined) return { week };
    const years = YEARS.meaningOf(found.year);
    if (years !== undefined) return { year: today.year + years };
    const { year, month } = today.startOf('month').plus({ months: MONTHS.meaningOf(found.month) ?? 0 });
    return { year, month };
  },
);

/** 週末, 来週末: Saturday or Sunday. */
const weekends = ruleWithoutSpaces('(?:(?<next>来)週末|(?:今度の|今)?週末)', ({ next }, today) => {
  const saturday = today.startOf('week').plus({ days: 5, weeks: next === undefined ? 0 : 1 });
  return { ...dateOf(saturday), otherDates: [saturday.plus({ days: 1 })] };
});

/** 3営業日後, 翌営業日. */
const workingDays = ruleWithoutSpaces(
  `(?:(?<count>${NUMBER})営業日後|(?:翌|次の|明)営業日)`,
  ({ count }, today) => ({
    ...dateOf(today),
    beside: {
      weekday: 'working',
      count: count === undefined ? 1 : (japaneseNumber(count) ?? 1),
      way: 'after',
    },
  }),
);

const WEEKDAYS = ['日', '月', '火', '水', '木', '金', '土'];
const SPELLED_WEEKDAYS = ['にち', 'げつ', 'か', 'すい', 'もく', 'きん', 'ど'];

const DAY = `[${WEEKDAYS.join('')}]`;

/** 月曜日, げつようび, (月), and 月 alone before a time or a particle. */
const WEEKDAY = `(?:(?<kanji>${DAY})曜日?|(?<kana>${SPELLED_WEEKDAYS.join('|')})よう(?:び|日)?|\\((?<kanji>${DAY})(?:曜日?)?\\)|(?:(?<![\\d一-鿿ぁ-ヿ々])|(?<=週の?))(?<kanji>${DAY})(?=\\s|$|\\d|[午朝昼夕夜のには]))`;

type Found = Readonly<Record<string, string | undefined>>;

function weekdayIn({ kanji = '', kana }: Found): number {
  return kana === undefined ? WEEKDAYS.indexOf(kanji) : SPELLED_WEEKDAYS.indexOf(kana);
}

/** 次の木曜日, 火曜, (水). */
const weekdays = ruleWithoutSpaces(
  `(?:(?<next>次|つぎ|今度)の?)?${WEEKDAY}`,
  (found): Meaning => ({ weekday: weekdayIn(found), ...(found.next !== undefined && { week: 'next' }) }),
);

/** 2週間後の月曜日, 3週先の水曜, 週明け, 来週の頭. Where weeks begin on Sunday, that day is a week earlier. */
const weeksAhead = ruleWithoutSpaces(
  `(?:今から)?(?<count>${NUMBER})週間?(?:後|先)の?${WEEKDAY}|(?:(?<next>来)週の?(?:頭|初め)|週明け(?:の?月曜日?)?)`,
  (found, today): Meaning => {
    if (found.count === undefined)
      return { weekday: 1, ...(found.next !== undefined && { week: { ahead: 1 } }) };
    const weekday = weekdayIn(found);
    const ahead = japaneseNumber(found.count) ?? 0;
    if (weekday !== 0) return { weekday, week: { ahead } };
    const sunday = today.startOf('week').plus({ weeks: ahead, days: 6 });
    return { ...dateOf(sunday), otherDates: [sunday.minus({ weeks: 1 })] };
  },
);

/** 来月の第2月曜日, 7月の第一金曜日. */
const nthWeekdays = ruleWithoutSpaces(
  `(?:(?<which>${MONTHS.pattern})|(?:(?<year>\\d{4})年)?(?<month>${NUMBER})月)の?第?(?<nth>${NUMBER}|最初の|最終|最後の)${WEEKDAY}`,
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
  if (which !== undefined) return start.plus({ months: MONTHS.meaningOf(which) ?? 0 });
  const number = japaneseNumber(month);
  if (number === undefined || number < 1 || number > 12) return undefined;
  const next = today.year + (number < today.month ? 1 : 0);
  return DateTime.utc(year === undefined ? next : Number(year), number);
}

const DAYS = wordsOf<{ ahead: number; part?: PartOfDay }>([
  ['今日 きょう 本日 ほんじつ', { ahead: 0 }],
  ['明日 あした あす みょうにち 翌日', { ahead: 1 }],
  ['明後日 あさって', { ahead: 2 }],
  ['明々後日 しあさって', { ahead: 3 }],
  ['今朝', { ahead: 0, part: 'morning' }],
  ['今晩 今夜', { ahead: 0, part: 'evening' }],
  ['明朝 翌朝', { ahead: 1, part: 'morning' }],
  ['明晩', { ahead: 1, part: 'evening' }],
]);

const dayNames = ruleWithoutSpaces(
  `(?<name>${DAYS.pattern})(?!中|以内)`,
  ({ name }, today): Meaning | undefined => {
    const day = DAYS.meaningOf(name);
    if (day === undefined) return undefined;
    return {
      ...dateOf(today.plus({ days: day.ahead })),
      isNamedDay: true,
      ...(day.ahead === 0 && { isToday: true }),
      ...(day.part !== undefined && { part: day.part }),
    };
  },
);

export const japaneseDays: readonly Parser[] = [
  dayNames,
  weekdays,
  weeksAhead,
  weekends,
  nthWeekdays,
  periods,
  workingDays,
];
