import {
  type CountedUnit,
  type Edge,
  ORDINAL_ENDING,
  spelled,
  wordList,
} from '../../grammar/european/vocabulary.ts';
import { inAnyLanguage } from '../../grammar/languages.ts';
import { readWords } from '../../grammar/read-words.ts';
import { allMatches } from '../../grammar/rule.ts';
import type { LimitedQuestion } from '../../moment.ts';
import {
  anywhere,
  cutOut,
  fromTemplates,
  perLanguage,
  type ReadingLexicon,
  readingLexicons,
  runsOf,
  todayOf,
} from '../question.ts';
import type { MonthDay, RepeatedDays } from './recurrence.ts';

/** A question, and the language in which a recurrence is read. */
export interface RecurrenceContext extends LimitedQuestion {
  lexicon: ReadingLexicon;
}

/** "Except only in december" can mean the opposite, so it stays unread. */
const EXCEPT = inAnyLanguage(({ repeats }) => repeats.except);

/**
 * In all languages: "mondays only" is every Monday, "Mo und Di je 9 Uhr" as much as "Mo und Di 9 Uhr", and
 * "月曜から金曜まで" as much as "月曜から金曜".
 */
export const ONLY = new RegExp(
  String.raw`(?<!\S|\bthis\s.*|(?:^|\s)(?:${EXCEPT})\s)(?:only|nur|ausschließlich|seulement|uniquement|s[oó]lo|solamente|soltanto|só|somente|apenas|alleen|enkel)(?=[\s,.]|$)|(?<!\S)je(?:weils)?(?=\s(?:um\s)?\d|\s\p{L}+tags\b)|のみ|だけ|(?<=から[日月火水木金土]曜?日?)まで`,
  'giu',
);

/** Repeated days, and the other words. */
export interface FoundDays {
  /** Undefined if the words give only an interval, such as "every two weeks". */
  on?: RepeatedDays;
  unit: RepeatedDays['unit'];
  interval: number;
  rest: string;
  /** "Every" means every day only before a part of the day: "every morning". */
  needsPart?: boolean;
  /** The month of each quarter, from 0. */
  monthOfQuarter?: number;
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
const QUARTERLY = { unit: 'months', interval: 3, isQuarter: true } as const;
const MAX_INTERVAL = 366;
const LAST = -1;
const ORDINALS = 4;

/** ISO weekdays. */
const WORKDAYS: readonly number[] = [1, 2, 3, 4, 5];
const WEEKEND: readonly number[] = [6, 7];
const EVERY_DAY: readonly number[] = [...WORKDAYS, ...WEEKEND];

/** The longest date in words. */
const MAX_DATE_WORDS = 6;

const DAY_NUMBER = '(?<![\\d.:/-])(?:3[01]|[12]\\d|[1-9])(?!\\d)';
const NOT_A_TIME = '(?!\\s?(?:[ap]\\.?m|[:.h]\\d|h\\b|uhr|時))';

const patternsOf = perLanguage((lexicon) => {
  const { ordinals, weekdays, weekday, months, between, gap, start, end } = lexicon;
  const { fillers, repeats, edges, grammar, stretches } = lexicon.words;
  const [of, theMonth] = repeats.ofMonth.map(spelled);
  const workday = spelled(grammar.workingDay ?? repeats.workdays);
  // "Tous les premiers lundis".
  const ordinal = `(?:${ordinals.pattern})s?`;
  const nth = `(?:${ordinal}|[1-4]${ORDINAL_ENDING})${gap}(?:${weekday}|${workday}|${spelled(grammar.dayNoun)})`;
  const onDate = spelled(repeats.onDate);
  const marked = `${onDate}(?:${nth}|${ordinal}|${DAY_NUMBER}${ORDINAL_ENDING})`;
  const numbered = `(?:${onDate})${DAY_NUMBER}${ORDINAL_ENDING}`;
  const bare = `(?:${marked}|${onDate}${DAY_NUMBER})`;
  const introduced = `(?:${marked}|(?!\\d)${onDate}${DAY_NUMBER}${NOT_A_TIME})`;
  const listOf = (item: string): string => `(?<days>${item}(?:${between}${item})*)`;
  const every = `(?:${spelled(repeats.everyPart)})${gap}`;
  const pattern = (source: string, flags = 'i'): RegExp => new RegExp(`${start}${source}`, flags);
  const dayNames = wordList([
    [repeats.everyDay, EVERY_DAY],
    [repeats.workdays, WORKDAYS],
    [repeats.weekends, WEEKEND],
    ...grammar.weekdays.map((name, day) => [`${name}(?:${repeats.weekdayEnding})`, [day || 7]] as const),
  ]);
  const lead = `(?:(?:${spelled(repeats.every)})${gap})?`;
  const opened = `(?:(?:${spelled(edges.from)})${gap})?`;
  const to = `(?:\\s?[-~〜]\\s?|${gap}(?:${spelled(edges.to)})${gap})`;
  const groups = `${spelled(repeats.workdays)}|${spelled(repeats.weekends)}`;
  const endOf = `(?:[a-z]{1,2}${gap})?(?:${spelled(edges.endOf)})${gap}`;
  const edge = (place: Edge) => wordList(grammar.edges?.filter((each) => each[1] === place)).pattern;
  const atHour = `,?${gap}(?:${spelled(grammar.at ?? 'at')}${gap}?)?\\d`;
  const quarter = `(?:${repeats.ofMonth[0]}|${repeats.every}) (?:(?:${repeats.every}|${fillers}) )*${stretches.nouns.quarter}`;
  const named = `(?:${lead}(?:${groups}|${weekday}\\.?(?:${to}${lead}${weekday}\\.?)?)|${spelled(repeats.everyDay)})`;
  const names = `${start}${named}(?:(?:${between}|\\s?[/+]\\s?|${gap})${opened}${named})*${end}`;
  return {
    every: anywhere(lexicon, repeats.everyPart),
    fixed: [...repeats.fixedIntervals, [quarter, QUARTERLY] as const].map(
      ([words, meaning]) => [anywhere(lexicon, words), meaning] as const,
    ),
    intervals: repeats.intervals.map((each) => anywhere(lexicon, fromTemplates(lexicon, [each]))),
    monthDays: [
      pattern(`${listOf(bare)}${gap}${of}${gap}(?:${theMonth}${end}|${MARK})`),
      pattern(`${listOf(marked)}${gap}${MARK}`),
      new RegExp(`${MARK},?${gap}${listOf(introduced)}${end}`, 'i'),
      pattern(
        `${every}(?<days>${numbered}(?:${between}(?:${nth}|${numbered}))*)${end}(?!${gap}(?:${months.pattern}|${weekdays.pattern}))`,
      ),
    ],
    // "Every month end", "at the end of each month", "chaque fin de mois".
    monthEnd: pattern(
      `(?:${endOf}${MARK}|${MARK}[\\s-]end${end}|${every}${endOf}${spelled(stretches.nouns.month)}${end})`,
    ),
    // "At the end 5pm", unlike "end of day".
    edge: pattern(`(?:(?:${edge('start')}|${edge('end')})(?=${atHour})|${edge('end')}\\W*$)`),
    nthWeekday: pattern(`${every}(?<days>${nth})${end}`),
    monthDay: new RegExp(
      `(?:(?<ordinal>${ordinals.pattern})s?|(?<number>${DAY_NUMBER})${ORDINAL_ENDING}?)(?:${gap}(?:(?<weekday>${weekday})|(?<workday>${workday})|(?<day>${spelled(grammar.dayNoun)}))${end})?`,
      'gi',
    ),
    dayNames,
    dayName: pattern(`${lead}(?<name>${dayNames.pattern})${end}`, 'gi'),
    weekdays: pattern(`${opened}${names}`),
    everyPart: pattern(every),
    except: new RegExp(`,?\\s?${start}(?:${spelled(repeats.except)})${gap}(?<days>${names})`, 'i'),
    to: new RegExp(`^${to}$`, 'i'),
    weekdayRange: pattern(`${opened}${lead}${weekday}\\.?${to}${weekday}\\.?${end}`, 'gi'),
  };
});

/** Finds repeated days in text without accents, or a date that repeats every year, such as "every december 1st". */
export function findDays(text: string, context: RecurrenceContext): readonly FoundDays[] {
  const found = repeatedDays(text, context.lexicon);
  const [first] = found;
  if (first?.unit === 'year') return findDate(first, context);
  const every = cutOut(text, patternsOf(context.lexicon).every);
  if (every === undefined || first?.needsPart === false || first?.minutes !== undefined) return found;
  return [...found, ...findDate({ unit: 'year', interval: 1, rest: every.rest }, context)];
}

/** Completes days of every year with a date from the other words. */
function findDate(found: FoundDays, context: RecurrenceContext): readonly FoundDays[] {
  const words = found.rest.trim().split(' ');
  const today = todayOf(context);
  for (const { start, end } of runsOf(words, MAX_DATE_WORDS)) {
    const phrase = words.slice(start, end).join(' ');
    if (/\d:\d/.test(phrase) || phrase.includes(MARK)) continue;
    const read = readWords(phrase, today, context);
    if (read.kind === 'not-understood' || !read.isWhole) continue;
    const rest = words.toSpliced(start, end - start).join(' ');
    const days = read.expressions.flatMap(({ day, time, part, isToday }) => {
      const isDate = day?.kind === 'date' && !day.isPeriod && day.year === undefined && !isToday;
      if (!isDate || (time ?? part) !== undefined) return [];
      return [{ ...found, on: { unit: 'year' as const, month: day.month, day: day.day }, rest }];
    });
    if (days.length > 0) return days;
  }
  return [];
}

/** Finds repeated days. The likeliest reading is first. */
function repeatedDays(text: string, lexicon: ReadingLexicon): readonly FoundDays[] {
  const found = findInterval(text, lexicon);
  if (found?.minutes !== undefined) return [found];
  const { unit = 'month', interval = 1, rest = text, monthOfQuarter } = found ?? {};
  const monthly = unit === 'month' ? onMonthDays(rest, interval, lexicon) : undefined;
  if (monthOfQuarter !== undefined) return inQuarters(monthly);
  if (monthly !== undefined) return [monthly];
  if (found !== undefined) return onDays(found, lexicon);
  const nth = onNthWeekday(text, lexicon);
  if (nth.length > 0) return nth;
  const weekly = onWeekdays(text, lexicon);
  return weekly === undefined ? [] : [weekly];
}

/** "every week", "every 2 days", "every other monday": an interval, with a mark in its place. */
function findInterval(text: string, lexicon: ReadingLexicon): FoundDays | undefined {
  const { fixed, intervals } = patternsOf(lexicon);
  for (const pattern of intervals) {
    const found = cutOut(text, pattern);
    if (found === undefined) continue;
    const { count, unit: word = '' } = found.groups;
    const interval = count === undefined ? 2 : (lexicon.numberOf(count) ?? 0);
    const isWeekday = isoWeekdayOf(word, lexicon) !== undefined;
    const counted = isWeekday ? 'weeks' : lexicon.units.meaningOf(word);
    // "Every 3 hours", counted from midnight. The day can't be divided into other hours.
    if (counted === 'hours' && interval > 1 && 24 % interval === 0) {
      const minutes = Array.from({ length: 24 / interval }, (_, index) => index * interval * 60);
      return { on: { unit: 'day' }, unit: 'day', interval: 1, minutes, rest: found.rest };
    }
    const unit = counted && UNITS[counted];
    if (interval < 1 || interval > MAX_INTERVAL || unit === undefined) continue;
    return { unit, interval, rest: text.replace(pattern, isWeekday ? `${MARK} ${word}` : MARK) };
  }
  for (const [pattern, { unit: words, interval, isQuarter = false }] of fixed) {
    const unit = UNITS[words];
    if (unit !== undefined && pattern.test(text))
      return { unit, interval, rest: text.replace(pattern, MARK), ...(isQuarter && { monthOfQuarter: 0 }) };
  }
  return undefined;
}

/** In days: a week and two, as people count them in all languages but English, with the first day. */
const COUNTED_WITH_FIRST = [8, 15];

/** The days of an interval: "every two weeks on friday", "every third day". */
function onDays({ unit, interval, ...found }: FoundDays, lexicon: ReadingLexicon): readonly FoundDays[] {
  const rest = found.rest.replace(MARK, ' ');
  // "Cada 15 días" and "tous les 8 jours" on a weekday are whole weeks too.
  const isCountedSo = COUNTED_WITH_FIRST.includes(interval) && lexicon !== readingLexicons('en')[0];
  const weeks = unit === 'day' && (interval % 7 === 0 || isCountedSo) ? Math.floor(interval / 7) : 0;
  const weekly = unit === 'week' || weeks > 0 ? onWeekdays(rest, lexicon) : undefined;
  if (weekly?.on !== undefined && weekly.needsPart !== true)
    return [{ on: weekly.on, unit: 'week', interval: weeks || interval, rest: weekly.rest }];
  // "Every month at the end" has a day, which isn't that of today.
  if ((unit === 'week' || unit === 'month') && patternsOf(lexicon).edge.test(rest)) return [];
  return [{ ...(unit === 'day' && { on: { unit } }), unit, interval, rest }];
}

/** "the 1st and 15th of every month", "monthly on the last friday", "every 15th". */
function onMonthDays(text: string, interval: number, lexicon: ReadingLexicon): FoundDays | undefined {
  const { monthDays: patterns, monthEnd } = patternsOf(lexicon);
  for (const pattern of [...patterns, monthEnd]) {
    const found = cutOut(text, pattern);
    const monthDays = pattern === monthEnd ? [{ day: LAST }] : monthDaysIn(found?.groups.days ?? '', lexicon);
    if (found === undefined || monthDays.length === 0) continue;
    return { on: { unit: 'month', monthDays }, unit: 'month', interval, rest: found.rest.replace(MARK, ' ') };
  }
  return undefined;
}

/** "The last friday of each quarter" is in its third month. No recurrence has days of two months of a quarter. */
function inQuarters(found: FoundDays | undefined): readonly FoundDays[] {
  const monthDays = found?.on?.unit === 'month' ? found.on.monthDays : [];
  const isLast = monthDays.map((each) => Object.values(each).includes(LAST));
  if (found === undefined || new Set(isLast).size !== 1) return [];
  return [{ ...found, monthOfQuarter: isLast[0] ? 2 : 0 }];
}

/** "Every second friday" is every other Friday, or the second of each month. */
function onNthWeekday(text: string, lexicon: ReadingLexicon): readonly FoundDays[] {
  const found = cutOut(text, patternsOf(lexicon).nthWeekday);
  const [monthDay] = monthDaysIn(found?.groups.days ?? '', lexicon);
  if (found === undefined || monthDay === undefined || !('weekday' in monthDay)) return [];
  const { rest } = found;
  const { nth, weekday } = monthDay;
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
    const { weekday: name, workday } = (groups.weekday ?? groups.workday ?? !isShort) ? groups : (next ?? {});
    const weekday = isoWeekdayOf(name, lexicon);
    if (workday !== undefined) return { workday: number };
    return weekday === undefined ? { day: number } : { weekday, nth: number };
  });
}

/** Whether text without accents has a range of weekdays, such as "from tuesday to thursday", at an index. */
export function isWeekdayRange(text: string, index: number, lexicon: ReadingLexicon): boolean {
  const ranges = allMatches(text, patternsOf(lexicon).weekdayRange);
  return ranges.some((range) => range.index <= index && index < range.index + range[0].length);
}

/** Whether text without accents is a range of weekdays and nothing else. */
export function isWholeWeekdayRange(text: string, lexicon: ReadingLexicon): boolean {
  return allMatches(text, patternsOf(lexicon).weekdayRange).some(([range]) => range === text);
}

/** Whether text without accents has weekdays after "except". */
export function exceptsWeekdays(text: string, lexicon: ReadingLexicon): boolean {
  return patternsOf(lexicon).except.test(text);
}

/** The ISO weekday of a word such as "mondays" or "mon.". */
function isoWeekdayOf(word: string | undefined, lexicon: ReadingLexicon): number | undefined {
  const [day, ...others] = patternsOf(lexicon).dayNames.meaningOf(word?.replace(/\.$/, '')) ?? [];
  return others.length === 0 ? day : undefined;
}

/** Single weekdays, ranges and groups of them, without those after "except". Undefined if no day repeats. */
function onWeekdays(text: string, lexicon: ReadingLexicon): FoundDays | undefined {
  const { weekdays, except, everyPart } = patternsOf(lexicon);
  const exceptions = cutOut(text, except);
  const words = exceptions?.rest ?? text;
  const dropped = daysIn(exceptions?.groups.days ?? '', lexicon);
  const named = cutOut(words, weekdays);
  const found = named ?? cutOut(words, everyPart);
  if (found === undefined) return undefined;
  const days = named === undefined ? EVERY_DAY : daysIn(named.words, lexicon);
  const on = { unit: 'week', weekdays: days.filter((day) => !dropped.includes(day)) } as const;
  return { on, unit: 'week', interval: 1, rest: found.rest.trim(), needsPart: named === undefined };
}

function daysIn(words: string, lexicon: ReadingLexicon): readonly number[] {
  const { dayName, dayNames, to } = patternsOf(lexicon);
  const items = allMatches(words, dayName).map((match) => ({
    days: dayNames.meaningOf(match.groups?.name) ?? [],
    start: match.index,
    end: match.index + match[0].length,
  }));
  const isRangeTo = (end: number, list: typeof items) => {
    const before = list[end - 1];
    return before !== undefined && to.test(words.slice(before.end, list[end]?.start));
  };
  // "Every day mon-fri" and "working days mon-thu" are on these days only. "Daily sunday" contradicts itself.
  const isNarrowed =
    items.some((_, index) => isRangeTo(index, items)) &&
    items.every(({ days }) => days.length > 1 || WORKDAYS.includes(days[0] ?? 0));
  const others = items.filter(
    ({ days }) => items.length === 1 || (days !== EVERY_DAY && !(isNarrowed && days === WORKDAYS)),
  );
  if (others.length === 1 && items.length > 1 && others[0]?.days.length === 1) return [];
  const all = others.flatMap(({ days }, index) =>
    isRangeTo(index, others) ? daysBetween(others[index - 1]?.days[0], days[0]) : days,
  );
  return [...new Set(all)].sort((a, b) => a - b);
}

/** "Fri to Mon" includes the weekend. */
function daysBetween(first = 1, last = 7): readonly number[] {
  const length = ((last - first + 7) % 7) + 1;
  return Array.from({ length }, (_, index) => ((first - 1 + index) % 7) + 1);
}
