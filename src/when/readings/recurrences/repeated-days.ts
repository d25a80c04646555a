import { DateTime } from 'luxon';
import { spelled } from '../../grammar/european/spelling.ts';
import { readWords } from '../../grammar/read-words.ts';
import { allMatches } from '../../grammar/word-edges.ts';
import { wallClockAt } from '../../zones/wall-clock.ts';
import type { Question } from '../question.ts';
import {
  anywhere,
  fromTemplates,
  ORDINAL_ENDING,
  perLanguage,
  type ReadingLexicon,
} from '../words/reading-lexicon.ts';
import type { CountedUnit } from '../words/reading-words.ts';
import type { MonthDay, RepeatedDays } from './recurrence.ts';
import { repeatedWeekdays, toIsoWeekday } from './repeated-weekdays.ts';

/** Repeated days, and the other words. */
export interface FoundDays {
  /** Undefined if the words give only an interval, such as "every two weeks". */
  on: RepeatedDays | undefined;
  unit: RepeatedDays['unit'];
  interval: number;
  rest: string;
  /** "Every" means every day only before a part of the day: "every morning". */
  needsPart?: boolean;
}

/** Stands for the words of an interval. */
const MARK = '§';

const UNITS: Readonly<Partial<Record<CountedUnit, RepeatedDays['unit']>>> = {
  days: 'day',
  weeks: 'week',
  months: 'month',
  years: 'year',
};
const MAX_INTERVAL = 366;
const LAST = -1;
const ORDINALS = 4;

/** The longest date in words. */
const MAX_DATE_WORDS = 6;

const DAY_NUMBER = '(?<![\\d.:/-])(?:3[01]|[12]\\d|[1-9])(?!\\d)';
const NOT_A_TIME = '(?!\\s?(?:[ap]\\.?m|[:.h]\\d|h\\b|uhr|時))';

const patternsOf = perLanguage((lexicon) => {
  const { ordinals, weekdays, weekday, months, between, gap, start, end } = lexicon;
  const { repeats } = lexicon.words;
  const [of, theMonth] = repeats.ofMonth.map(spelled);
  const nth = `(?:${ordinals.pattern}|[1-4]${ORDINAL_ENDING})${gap}(?:${weekday}|${spelled(repeats.day)})`;
  const onDate = spelled(repeats.onDate);
  const marked = `${onDate}(?:${nth}|${ordinals.pattern}|${DAY_NUMBER}${ORDINAL_ENDING})`;
  const numbered = `(?:${onDate})${DAY_NUMBER}${ORDINAL_ENDING}`;
  const bare = `(?:${marked}|${onDate}${DAY_NUMBER})`;
  const introduced = `(?:${marked}|(?!\\d)${onDate}${DAY_NUMBER}${NOT_A_TIME})`;
  const listOf = (item: string): string => `(?<days>${item}(?:${between}${item})*)`;
  const every = spelled(repeats.everyPart);
  const pattern = (source: string): RegExp => new RegExp(`${start}${source}`, 'i');
  return {
    every: anywhere(lexicon, repeats.everyPart),
    fixed: repeats.fixedIntervals.map(([words, meaning]) => [anywhere(lexicon, words), meaning] as const),
    intervals: repeats.intervals.map((each) => anywhere(lexicon, fromTemplates(lexicon, [each]))),
    monthDays: [
      pattern(`${listOf(bare)}${gap}${of}${gap}(?:${theMonth}${end}|${MARK})`),
      pattern(`${listOf(marked)}${gap}${MARK}`),
      new RegExp(`${MARK},?${gap}${listOf(introduced)}${end}`, 'i'),
      pattern(
        `(?:${every})${gap}(?<days>${numbered}(?:${between}(?:${nth}|${numbered}))*)${end}(?!${gap}(?:${months.pattern}|${weekdays.pattern}))`,
      ),
    ],
    nthWeekday: pattern(`(?:${every})${gap}(?<days>${nth})${end}`),
    monthDay: new RegExp(
      `(?:(?<ordinal>${ordinals.pattern})|(?<number>${DAY_NUMBER})${ORDINAL_ENDING}?)(?:${gap}(?:(?<weekday>${weekdays.pattern})(?:${spelled(repeats.weekdayEnding)})|(?<day>${spelled(repeats.day)}))${end})?`,
      'gi',
    ),
  };
});

/** Finds repeated days in text without accents, or a date that repeats every year, such as "every december 1st". */
export function findDays(text: string, lexicon: ReadingLexicon, question: Question): readonly FoundDays[] {
  const found = repeatedDays(text, lexicon);
  const [first] = found;
  if (first?.unit === 'year') return findDate(first, question);
  const match = patternsOf(lexicon).every.exec(text);
  if (match === null || first?.needsPart === false) return found;
  const rest = text.replace(match[0], ' ');
  return [...found, ...findDate({ on: undefined, unit: 'year', interval: 1, rest }, question)];
}

/** Completes days of every year with a date from the other words. */
function findDate(found: FoundDays, { now, zone, locale = 'en-US' }: Question): readonly FoundDays[] {
  const words = found.rest.trim().split(' ');
  const today = DateTime.fromMillis(wallClockAt(now.getTime(), zone), { zone: 'utc' }).startOf('day');
  for (let length = Math.min(words.length, MAX_DATE_WORDS); length > 0; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const phrase = words.slice(start, start + length).join(' ');
      if (/\d:\d/.test(phrase) || phrase.includes(MARK)) continue;
      const read = readWords(phrase, today, { locale });
      if (read.kind === 'not-understood') continue;
      const rest = [...words.slice(0, start), ...words.slice(start + length)].join(' ');
      const days = read.expressions.flatMap(({ day, time, part, isToday }) => {
        const isDate = day?.kind === 'date' && !day.isPeriod && day.year === undefined && !isToday;
        if (!isDate || (time ?? part) !== undefined) return [];
        return [{ ...found, on: { unit: 'year' as const, month: day.month, day: day.day }, rest }];
      });
      if (days.length > 0) return days;
    }
  }
  return [];
}

/** Finds repeated days. The likeliest reading is first. */
function repeatedDays(text: string, lexicon: ReadingLexicon): readonly FoundDays[] {
  const found = findInterval(text, lexicon);
  const { unit = 'month', interval = 1, rest = text } = found ?? {};
  const monthly = unit === 'month' ? onMonthDays(rest, interval, lexicon) : undefined;
  if (monthly !== undefined) return [monthly];
  if (found !== undefined) return [{ ...found, ...onDays(found, lexicon) }];
  const nth = onNthWeekday(text, lexicon);
  if (nth.length > 0) return nth;
  const weekly = repeatedWeekdays(text, lexicon);
  if (weekly === undefined) return [];
  const { days, ...others } = weekly;
  return [{ on: { unit: 'week', weekdays: days }, unit: 'week', interval: 1, ...others }];
}

/** "every week", "every 2 days", "every other monday": an interval, with a mark in its place. */
function findInterval(text: string, lexicon: ReadingLexicon): FoundDays | undefined {
  const { fixed, intervals } = patternsOf(lexicon);
  for (const pattern of intervals) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { count, unit: word = '' } = match.groups ?? {};
    const size = count === undefined ? 2 : (lexicon.numberOf(count) ?? 0);
    const weekday = toIsoWeekday(word, lexicon);
    const counted = weekday === undefined ? lexicon.units.meaningOf(word) : 'weeks';
    const unit = counted && UNITS[counted];
    if (size < 1 || size > MAX_INTERVAL || unit === undefined) continue;
    const mark = weekday === undefined ? MARK : `${MARK} ${word}`;
    return { on: undefined, unit, interval: size, rest: text.replace(match[0], mark) };
  }
  for (const [pattern, { unit: words, interval: size }] of fixed) {
    const unit = UNITS[words];
    if (unit !== undefined && pattern.test(text))
      return { on: undefined, unit, interval: size, rest: text.replace(pattern, MARK) };
  }
  return undefined;
}

/** The days of an interval: "every two weeks on friday", "every third day". */
function onDays({ unit, interval, rest }: FoundDays, lexicon: ReadingLexicon): Partial<FoundDays> {
  if (unit === 'day') return { on: { unit }, rest: rest.replace(MARK, ' ') };
  const weekly = unit === 'week' ? repeatedWeekdays(rest.replace(MARK, ' '), lexicon) : undefined;
  if (weekly === undefined || weekly.needsPart) return { interval, rest: rest.replace(MARK, ' ') };
  return { on: { unit: 'week', weekdays: weekly.days }, rest: weekly.rest };
}

/** "the 1st and 15th of every month", "monthly on the last friday", "every 15th". */
function onMonthDays(text: string, interval: number, lexicon: ReadingLexicon): FoundDays | undefined {
  for (const pattern of patternsOf(lexicon).monthDays) {
    const match = pattern.exec(text);
    const monthDays = monthDaysIn(match?.groups?.days ?? '', lexicon);
    if (match === null || monthDays.length === 0) continue;
    const rest = text.replace(match[0], ' ').replace(MARK, ' ');
    return { on: { unit: 'month', monthDays }, unit: 'month', interval, rest };
  }
  return undefined;
}

/** "Every second friday" is every other Friday, or the second of each month. */
function onNthWeekday(text: string, lexicon: ReadingLexicon): readonly FoundDays[] {
  const match = patternsOf(lexicon).nthWeekday.exec(text);
  const [monthDay] = monthDaysIn(match?.groups?.days ?? '', lexicon);
  if (match === null || monthDay === undefined || !('weekday' in monthDay)) return [];
  const { nth, weekday } = monthDay;
  const rest = text.replace(match[0], ' ');
  const on = { unit: 'month', monthDays: [monthDay] } as const;
  const ofMonth: FoundDays = { on, unit: 'month', interval: 1, rest };
  if (nth < 2) return [ofMonth];
  const nthWeek: FoundDays = { on: { unit: 'week', weekdays: [weekday] }, unit: 'week', interval: nth, rest };
  return nth === 2 ? [nthWeek, ofMonth] : [ofMonth, nthWeek];
}

function monthDaysIn(text: string, lexicon: ReadingLexicon): readonly MonthDay[] {
  const { monthDay } = patternsOf(lexicon);
  const items = allMatches(text, monthDay);
  return items.map(({ groups = {} }, index) => {
    const ordinal = lexicon.ordinals.meaningOf(groups.ordinal);
    const number = ordinal === ORDINALS + 1 ? LAST : (ordinal ?? Number(groups.number));
    // "The first and third monday", "2nd and 4th friday".
    const next = items[index + 1]?.groups;
    const isSameKind = (groups.ordinal === undefined) === (next?.ordinal === undefined);
    const isShort = groups.day === undefined && number <= ORDINALS && isSameKind;
    const name = groups.weekday ?? (isShort ? next?.weekday : undefined);
    const weekday = name === undefined ? undefined : toIsoWeekday(name, lexicon);
    return weekday === undefined ? { day: number } : { weekday, nth: number };
  });
}
