import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import { nthWeekday } from '../feasts.ts';
import type { Meaning, PartOfDay } from '../piece.ts';
import { ruleWithoutSpaces } from '../rule.ts';
import { japaneseNumber, NUMBER } from './japanese-numbers.ts';

const WEEKDAYS = ['日', '月', '火', '水', '木', '金', '土'];
const SPELLED_WEEKDAYS = ['にち', 'げつ', 'か', 'すい', 'もく', 'きん', 'ど'];

/** 月曜日, げつようび, (月). */
const WEEKDAY = `(?:(?<kanji>[${WEEKDAYS.join('')}])曜日?|(?<kana>${SPELLED_WEEKDAYS.join('|')})よう(?:び|日)?|\\((?<short>[${WEEKDAYS.join('')}])曜?日?\\))`;

type Found = Readonly<Record<string, string | undefined>>;

function weekdayIn({ kanji, short, kana }: Found): number {
  return kana === undefined ? WEEKDAYS.indexOf(kanji ?? short ?? '') : SPELLED_WEEKDAYS.indexOf(kana);
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

const longestFirst = Object.keys(DAYS).toSorted((a, b) => b.length - a.length);

const dayNames = ruleWithoutSpaces(`(?<name>${longestFirst.join('|')})(?!中|以内)`, ({ name }, today) => {
  const day = DAYS[name ?? ''];
  if (day === undefined) return undefined;
  return {
    ...dateOf(today.plus({ days: day.ahead })),
    isNamedDay: true,
    ...(day.ahead === 0 && { isToday: true }),
    ...(day.part !== undefined && { part: day.part }),
  };
});

/** 今週の金曜日, 来週月曜日, 次の木曜日, 火曜. */
const weekdays = ruleWithoutSpaces(
  `(?:(?:(?<this>今週|こんしゅう)|(?<nextWeek>来週|翌週|らいしゅう)|(?<next>次|つぎ|今度))の?)?${WEEKDAY}`,
  (found): Meaning => {
    const weekday = weekdayIn(found);
    if (found.this !== undefined) return { weekday, week: 'this-week' };
    if (found.nextWeek !== undefined) return { weekday, week: 'next-week' };
    return found.next === undefined ? { weekday } : { weekday, week: 'next' };
  },
);

/** 再来週の月曜日: of the week after next. */
const weekAfterNext = ruleWithoutSpaces(`(?:再来週|さらいしゅう)の?${WEEKDAY}`, (found, today) => {
  const monday = today.startOf('week').plus({ weeks: 2 });
  return dateOf(monday.plus({ days: (weekdayIn(found) + 6) % 7 }));
});

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

/** 月末, 今月末, 来月末, 年末. */
const ends = ruleWithoutSpaces('(?:(?<month>今月末|月末)|(?<next>来月末))', ({ next }, today) =>
  dateOf(today.plus({ months: next === undefined ? 0 : 1 }).endOf('month')),
);

function monthOf({ which, year, month }: Found, today: DateTime): DateTime | undefined {
  const start = today.startOf('month');
  if (which !== undefined) return start.plus({ months: which === '今月' ? 0 : 1 });
  const number = japaneseNumber(month);
  if (number === undefined || number < 1 || number > 12) return undefined;
  const next = today.year + (number < today.month ? 1 : 0);
  return DateTime.utc(year === undefined ? next : Number(year), number);
}

function dateOf(date: DateTime): Meaning {
  return { year: date.year, month: date.month, day: date.day };
}

export const japaneseDays: readonly Parser[] = [dayNames, weekdays, weekAfterNext, nthWeekdays, ends];
