import { type CountedUnit, spelled } from '../../grammar/european/vocabulary.ts';
import { readWords } from '../../grammar/read-words.ts';
import { allMatches } from '../../grammar/rule.ts';
import { type LimitedQuestion, todayOf } from '../question.ts';
import {
  anywhere,
  fromTemplates,
  ORDINAL_ENDING,
  perLanguage,
  type ReadingLexicon,
} from '../reading-lexicon.ts';
import type { MonthDay, RepeatedDays } from './recurrence.ts';

/** Repeated days, and the other words. */
export interface FoundDays {
  /** Undefined if the words give only an interval, such as "every two weeks". */
  on: RepeatedDays | undefined;
  unit: RepeatedDays['unit'];
  interval: number;
  rest: string;
  /** "Every" means every day only before a part of the day: "every morning". */
  needsPart?: boolean;
  /** Whether the first month is the first of a quarter. */
  isQuarter?: boolean;
  /** The minutes of the day of "every 3 hours". */
  minutes?: readonly number[];
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

/** "Every 3 hours", counted from midnight. Undefined for hours into which a day can't be divided, and for every hour. */
function findHours(text: string, lexicon: ReadingLexicon): FoundDays | undefined {
  for (const pattern of patternsOf(lexicon).intervals) {
    const match = pattern.exec(text);
    const { count, unit } = match?.groups ?? {};
    const size = count === undefined ? 2 : (lexicon.numberOf(count) ?? 0);
    if (match === null || lexicon.units.meaningOf(unit) !== 'hours' || size < 2 || 24 % size !== 0) continue;
    const minutes = Array.from({ length: 24 / size }, (_, index) => index * size * 60);
    return { on: { unit: 'day' }, unit: 'day', interval: 1, minutes, rest: text.replace(match[0], ' ') };
  }
  return undefined;
}

/** Finds repeated days in text without accents, or a date that repeats every year, such as "every december 1st". */
export function findDays(
  text: string,
  lexicon: ReadingLexicon,
  question: LimitedQuestion,
): readonly FoundDays[] {
  const hours = findHours(text, lexicon);
  if (hours !== undefined) return [hours];
  const found = repeatedDays(text, lexicon);
  const [first] = found;
  if (first?.unit === 'year') return findDate(first, question);
  const match = patternsOf(lexicon).every.exec(text);
  if (match === null || first?.needsPart === false) return found;
  const rest = text.replace(match[0], ' ');
  return [...found, ...findDate({ on: undefined, unit: 'year', interval: 1, rest }, question)];
}

/** Completes days of every year with a date from the other words. */
function findDate(found: FoundDays, question: LimitedQuestion): readonly FoundDays[] {
  const words = found.rest.trim().split(' ');
  const { locale = 'en-US', limits } = question;
  const today = todayOf(question);
  for (let length = Math.min(words.length, MAX_DATE_WORDS); length > 0; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const phrase = words.slice(start, start + length).join(' ');
      if (/\d:\d/.test(phrase) || phrase.includes(MARK)) continue;
      const read = readWords(phrase, today, { locale, limits });
      if (read.kind === 'not-understood' || !read.isWhole) continue;
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
  const { unit = 'month', interval = 1, rest = text, isQuarter = false } = found ?? {};
  const monthly = unit === 'month' ? onMonthDays(rest, interval, lexicon) : undefined;
  if (monthly !== undefined) return [{ ...monthly, isQuarter }];
  if (isQuarter) return [];
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
  for (const [pattern, { unit: words, interval: size, isQuarter = false }] of fixed) {
    const unit = UNITS[words];
    if (unit !== undefined && pattern.test(text))
      return { on: undefined, unit, interval: size, rest: text.replace(pattern, MARK), isQuarter };
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

/** ISO weekdays, and the other words. */
interface RepeatedWeekdays {
  days: readonly number[];
  rest: string;
  /** "Every" means every day only before a part of the day: "every morning". */
  needsPart: boolean;
}

const WORKDAYS = [1, 2, 3, 4, 5];
const WEEKEND = [6, 7];
const EVERY_DAY = [...WORKDAYS, ...WEEKEND];

const weekdayPatternsOf = perLanguage((lexicon) => {
  const { words, weekdays, gap, start, end } = lexicon;
  const { every, weekdayEnding, everyDay, workdays, weekends, everyPart, except } = words.repeats;
  const group = (name: string, pattern: string): string => `(?<${name}>${spelled(pattern)})`;
  const weekday = `${lexicon.weekday}\\.?`;
  const lead = `(?:(?:${spelled(every)})${gap})?`;
  const groups = `${spelled(workdays)}|${spelled(weekends)}`;
  const to = `(?:\\s?[-~〜]\\s?|${gap}(?:${spelled(words.edges.to)})${gap})`;
  const bare = `(?:${spelled(everyDay)}|${lead}(?:${groups}|${weekday}(?:${to}${lead}${weekday})?))`;
  const between = `(?:\\s?[,、・/+&]\\s?(?:${spelled(words.and)}${gap})?|${gap}(?:${spelled(words.and)})${gap}|${gap})`;
  const lists = `${start}${bare}(?:${between}${bare})*${end}`;
  const opened = `(?:(?:${spelled(words.edges.from)})${gap})?`;
  return {
    run: new RegExp(`${start}${opened}${lists}`, 'i'),
    item: new RegExp(
      `${start}(?:${group('everyDay', everyDay)}|${lead}(?:${group('workdays', workdays)}|${group('weekends', weekends)}|(?<weekday>${weekdays.pattern})(?:${spelled(weekdayEnding)})))${end}`,
      'gi',
    ),
    except: new RegExp(`,?\\s?${start}(?:${spelled(except)})${gap}(?<days>${lists})`, 'i'),
    everyPart: new RegExp(`${start}(?:${spelled(everyPart)})${gap}`, 'i'),
    to: new RegExp(`^${to}$`, 'i'),
    range: new RegExp(`${start}${opened}${lead}${weekday}${to}${weekday}${end}`, 'gi'),
    weekday: new RegExp(`^(?<weekday>${weekdays.pattern})(?:${spelled(weekdayEnding)})\\.?$`, 'i'),
  };
});

/** Whether text without accents has a range of weekdays, such as "from tuesday to thursday", at an index. */
export function isWeekdayRange(text: string, index: number, lexicon: ReadingLexicon): boolean {
  const ranges = allMatches(text, weekdayPatternsOf(lexicon).range);
  return ranges.some((range) => range.index <= index && index < range.index + range[0].length);
}

/** Whether text without accents has weekdays after "except". */
export function exceptsWeekdays(text: string, lexicon: ReadingLexicon): boolean {
  return weekdayPatternsOf(lexicon).except.test(text);
}

/** The ISO weekday of a word such as "mondays". */
function toIsoWeekday(word: string, lexicon: ReadingLexicon): number | undefined {
  const day = lexicon.weekdays.meaningOf(weekdayPatternsOf(lexicon).weekday.exec(word)?.groups?.weekday);
  return day === 0 ? 7 : day;
}

/**
 * Weekdays in text without accents: single ones, ranges and groups, without those after "except". Undefined if no day
 * repeats.
 */
function repeatedWeekdays(text: string, lexicon: ReadingLexicon): RepeatedWeekdays | undefined {
  const { run, except, everyPart } = weekdayPatternsOf(lexicon);
  const exceptions = except.exec(text);
  const words = exceptions === null ? text : text.replace(exceptions[0], ' ');
  const dropped = daysIn(exceptions?.groups?.days ?? '', lexicon);
  const found = run.exec(words);
  const [match = ''] = found ?? everyPart.exec(words) ?? [];
  if (match === '') return undefined;
  const named = found === null ? EVERY_DAY : daysIn(match, lexicon);
  const days = named.filter((day) => !dropped.includes(day));
  return { days, rest: words.replace(match, ' ').trim(), needsPart: found === null };
}

function daysIn(words: string, lexicon: ReadingLexicon): readonly number[] {
  const { item, to } = weekdayPatternsOf(lexicon);
  const days = new Set<number>();
  let before: { days: readonly number[]; end: number } | undefined;
  const items = allMatches(words, item);
  for (const match of items) {
    const named = daysOf(match.groups ?? {}, lexicon);
    const isRange = before !== undefined && to.test(words.slice(before.end, match.index));
    for (const day of isRange ? daysBetween(before?.days[0], named[0]) : named) days.add(day);
    before = { days: named, end: match.index + match[0].length };
  }
  // "Daily sunday" contradicts itself.
  const isContradiction = items.length > 1 && items.some(({ groups }) => groups?.everyDay !== undefined);
  return isContradiction ? [] : [...days].sort((a, b) => a - b);
}

function daysOf(groups: Readonly<Record<string, string | undefined>>, lexicon: ReadingLexicon) {
  const { everyDay, workdays, weekends, weekday } = groups;
  if (everyDay !== undefined) return EVERY_DAY;
  if (workdays !== undefined) return WORKDAYS;
  if (weekends !== undefined) return WEEKEND;
  const day = weekday === undefined ? undefined : toIsoWeekday(weekday, lexicon);
  return day === undefined ? [] : [day];
}

/** "Fri to Mon" includes the weekend. */
function daysBetween(first = 1, last = 7): readonly number[] {
  const length = ((last - first + 7) % 7) + 1;
  return Array.from({ length }, (_, index) => ((first - 1 + index) % 7) + 1);
}
