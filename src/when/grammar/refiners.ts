import type { Chrono, ParsedResult, Parser, ParsingContext, ParsingResult, Refiner } from 'chrono-node';
import { configuration } from 'chrono-node/en';
import { type Limits, oncePerRequest, takeSteps } from '../limits.ts';
import { isFiller } from './english/around.ts';
import { createPiece, hasHours, type Meaning, meaningOf, saysDay } from './piece.ts';
import { startOfDayOf } from './rule.ts';

/** Things that a moment can say once. Two pieces join if they have none in common. */
const ASPECTS: readonly ((meaning: Meaning) => boolean)[] = [
  ({ year }) => year !== undefined,
  ({ month }) => month !== undefined,
  ({ weekday, minutePastHour }) => (weekday ?? minutePastHour) !== undefined,
  ({ week }) => week !== undefined,
  // "Quarter past" is in the next hour, so it has no day.
  ({ day, minutePastHour }) => (day ?? minutePastHour) !== undefined,
  ({ hour, isSameTime, minutePastHour }) => (hour ?? isSameTime ?? minutePastHour) !== undefined,
  saysPart,
  ({ fromNow }) => fromNow !== undefined,
  ({ plus, beside }) => (plus ?? beside) !== undefined,
];

function saysPart({ part }: Meaning): boolean {
  return part !== undefined;
}

/**
 * Joins neighbours with only fillers between them into one moment. It has a weekday, date, time and part of the day at
 * most once each, in any order ("6pm on fri the 12th"). Pieces that can't join are more than one moment. In English,
 * whole sentences are fillers. Only those for which `isPlain` is true join a day to its parts.
 */
export function mergePieces(isFiller: (text: string) => boolean, isPlain = isFiller): Refiner {
  const isNear = (a: Meaning, b: Meaning, gap: string): boolean =>
    isFiller(gap) && canJoin(a, b) && (isPlain(gap) || !mustTouch(a, b));
  return {
    refine: (context, results) => {
      const merged: ParsingResult[] = [];
      for (const result of results) {
        const before = merged.pop();
        if (before === undefined) merged.push(result);
        else if (
          isNear(meaningOf(before.start), meaningOf(result.start), between(context.text, before, result))
        ) {
          merged.push(joined(context, before, result, isPlain));
        } else merged.push(before, result);
      }
      return merged;
    },
  };
}

/**
 * Whether two pieces join only without words of a sentence between them. "An hour after the meeting on friday" doesn't
 * count from Friday, "the second meeting on monday" is no date, and "sat in the park at 5" no saturday.
 */
function mustTouch(a: Meaning, b: Meaning): boolean {
  if (a.isOrdinaryWord === true || b.isOrdinaryWord === true) return true;
  if ((a.plus ?? a.beside) !== undefined) return true;
  return (a.day !== undefined && b.weekday !== undefined) || (a.weekday !== undefined && b.day !== undefined);
}

function between(text: string, before: ParsingResult, after: ParsingResult): string {
  return text.slice(before.index + before.text.length, after.index);
}

function canJoin(a: Meaning, b: Meaning): boolean {
  if (isSameDay(a, b)) return true;
  if (containsDay(a, b) || containsDay(b, a)) return canJoin(withoutPeriod(a), withoutPeriod(b));
  if (contradictsFromNow(a, b) || contradictsFromNow(b, a) || isCutInTwo(a, b)) return false;
  if (isNumberBesideDate(a, b) || isNumberBesideDate(b, a)) return false;
  return !ASPECTS.some((says) => says(a) && says(b) && !(says === saysPart && isSamePart(a, b)));
}

/** "Thursday 4pm next week", "the 5th at 9am next month". */
function containsDay({ contains }: Meaning, { weekday, day, month }: Meaning): boolean {
  if (contains === undefined) return false;
  return contains === 'month'
    ? day !== undefined && month === undefined
    : weekday !== undefined && day === undefined;
}

/** The time and part of the day beside a period. */
function withoutPeriod(meaning: Meaning): Meaning {
  if (meaning.contains === undefined) return meaning;
  const { year, month, day, isPeriod, otherDates, orFromNow, contains, ...rest } = meaning;
  return rest;
}

const OF_NIGHT = ['evening', 'dinner', 'late-evening', 'late-night', 'dead-of-night'];

/** Parts of the day within another, and those that "tonight" can mean. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  morning: ['breakfast', 'early-morning', 'start-of-morning', 'mid-morning', 'late-morning'],
  night: OF_NIGHT,
  tonight: ['night', ...OF_NIGHT],
  evening: ['dinner', 'early-evening', 'late-evening'],
};

/** "First thing tomorrow morning" names one part of the day twice, and so does "7 in the evening tonight". */
function isSamePart(a: Meaning, b: Meaning): boolean {
  const [first = '', second = ''] = [a.part, b.part];
  return first === second || isWithin(first, second) || isWithin(second, first);
}

function isWithin(narrow: string, wide: string): boolean {
  return WITHIN[wide]?.includes(narrow) ?? false;
}

/** A duration from now joins no other day, and joins a time only if it is in whole days. */
function contradictsFromNow({ fromNow }: Meaning, other: Meaning): boolean {
  if (fromNow === undefined) return false;
  const hasTime = other.hour !== undefined || other.part !== undefined;
  return (saysDay(other) && !other.isToday) || (hasTime && hasHours(fromNow));
}

/** A number is an hour beside a day by name ("9 tomorrow"), and not beside a date ("14th april 15"). */
function isNumberBesideDate({ needsDay }: Meaning, { day, isNamedDay, isToday }: Meaning): boolean {
  return needsDay === true && day !== undefined && !isNamedDay && !isToday;
}

/** A duration counts from the words after it, so it can't join a day before it ("sunday, 3 weeks after 15 may"). */
function isCutInTwo(a: Meaning, { plus, beside, followsDay }: Meaning): boolean {
  return !followsDay && (plus ?? beside) !== undefined && saysDay(a);
}

/** "tomorrow, 18 November" names one day twice. */
function isSameDay(a: Meaning, b: Meaning): boolean {
  if (a.day === undefined || b.day === undefined) return false;
  if (a.hour !== undefined && b.hour !== undefined) return false;
  if (a.year === undefined && b.year === undefined) return false;
  const agrees = (figure: 'day' | 'month' | 'year') =>
    a[figure] === undefined || b[figure] === undefined || a[figure] === b[figure];
  return agrees('day') && agrees('month') && agrees('year');
}

function joined(
  context: ParsingContext,
  a: ParsingResult,
  b: ParsingResult,
  isPlain: (text: string) => boolean,
): ParsingResult {
  const gap = between(context.text, a, b);
  const text = context.text.slice(a.index, b.index + b.text.length);
  const result = context.createParsingResult(a.index, text);
  const [first, second] = [meaningOf(a.start), meaningOf(b.start)];
  const isNarrower = isWithin(second.part ?? '', first.part ?? '');
  const part = isNarrower && second.part !== undefined ? { part: second.part } : {};
  const unread = [...(first.unread ?? []), ...(isPlain(gap) ? [] : [gap]), ...(second.unread ?? [])];
  const { isOrdinaryWord: _, ...meaning } = together(first, second);
  result.start = createPiece(context.reference, {
    ...meaning,
    ...part,
    ...(unread.length > 0 && { unread }),
  });
  return result;
}

function together(a: Meaning, b: Meaning): Meaning {
  if (containsDay(a, b)) return inPeriod(a, b);
  return containsDay(b, a) ? inPeriod(b, a) : { ...b, ...a };
}

function inPeriod(period: Meaning, other: Meaning): Meaning {
  const meaning = { ...withoutPeriod(period), ...other };
  const { contains, year, month } = period;
  if (contains !== undefined && contains !== 'month') return { ...meaning, week: contains };
  return year === undefined || month === undefined ? meaning : { ...meaning, year, month };
}

/** A step is one letter tried with this many patterns. English has about 120, other languages have about 50. */
const PATTERNS_PER_STEP = 100;

/** Starting a pattern costs as much as trying this many letters. */
const LETTERS_TO_BEGIN = 10;

/** Finds the pieces of moments in a text. `instant` is the midnight in UTC of the day on which it is read. */
export function piecesIn(
  text: string,
  grammar: Chrono,
  instant: Date,
  limits: Limits,
): readonly ParsedResult[] {
  const once = caches.get(grammar) ?? oncePerRequest<readonly ParsedResult[]>();
  caches.set(grammar, once);
  return once(limits, `${instant.getTime()} ${text}`, () => {
    takeSteps(
      limits,
      Math.ceil(((text.length + LETTERS_TO_BEGIN) * grammar.parsers.length) / PATTERNS_PER_STEP),
    );
    return grammar.parse(text, { instant, timezone: 0 });
  });
}

/** Several readings of a text ask for the pieces of the same grammar. */
const caches = new WeakMap<Chrono, ReturnType<typeof oncePerRequest<readonly ParsedResult[]>>>();

const { parsers, refiners } = configuration.createConfiguration(false);

/**
 * Chrono's parsers for dates that begin with the year (`ENYearMonthDayParser` and `ISOFormatParser`), which suit every
 * language. Chrono exports no parser by name, but tries these two first.
 */
export const yearFirstDates: readonly Parser[] = parsers.slice(0, 2);

/** Chrono's refiner that keeps the longest of overlapping pieces (`OverlapRemovalRefiner`), its first. */
export const overlapRemoval: readonly Refiner[] = refiners.slice(0, 1);

/** Drops times such as 25:00, which chrono's parser for ISO times would move to one o'clock on the next day. */
export const dropTimesOffTheClock: Refiner = {
  refine: (_context, results) =>
    results.filter(({ start }) => {
      const [hour, minute, second] = [start.get('hour'), start.get('minute'), start.get('second')];
      const isOnClock = (hour ?? 0) < 24 && (minute ?? 0) < 60 && (second ?? 0) < 60;
      // ISO 8601 calls the end of a day 24:00.
      return isOnClock || (hour === 24 && (minute ?? 0) === 0 && (second ?? 0) === 0);
    }),
};

/** "Today 7:30", typed at six in the evening, is at 19:30 where clocks have twelve hours. */
export const eveningsOnTwelveHours: Refiner = {
  refine: ({ reference }, results) => {
    for (const result of results) {
      const meaning = meaningOf(result.start);
      if (meaning.halfOfDay !== 'as-shown') continue;
      result.start = createPiece(reference, { ...meaning, halfOfDay: 'or-evening' });
    }
    return results;
  },
};

/** Drops a number that belongs to a word beside it: "draft 3 friday", "meeting 9 tomorrow", "5 people tomorrow". */
export const dropNumbersOfThings: Refiner = {
  refine: ({ text }, results) =>
    results.filter(({ index, start, text: number }, position) => {
      if (meaningOf(start).needsDay !== true) return true;
      const [before, next] = [results[position - 1], results[position + 1]];
      const words = text.slice(before === undefined ? 0 : before.index + before.text.length, index);
      const after = text.slice(index + number.length, next?.index);
      return (!/[a-z]\s$/i.test(words) || isFiller(words)) && !COUNTED.test(after);
    }),
};

/** What people count: "3 posts", "5 people". */
const COUNTED = /^\s(?:people|folks|children|men|women|[a-z]+[^s\s]s)\b/i;

/** Drops numbers without a day or part of a day beside them. They are no hours. */
export const dropLooseHours: Refiner = {
  refine: (_context, results) =>
    results.filter(({ start }) => {
      const { needsDay, part } = meaningOf(start);
      return needsDay !== true || saysDay(meaningOf(start)) || part !== undefined;
    }),
};

/**
 * Drops pieces that joined nothing to complete them: "monday before" without a day, "2 hours after" without a time,
 * "next week" without a weekday.
 */
export const dropWhatLeadsNowhere: Refiner = {
  refine: (_context, results) => results.filter((result) => !leadsNowhere(result)),
};

function leadsNowhere({ start }: ParsingResult): boolean {
  const meaning = meaningOf(start);
  const { beside, plus, fromNow, isSameTime } = meaning;
  const hasDay = saysDay(meaning);
  if (meaning.year !== undefined && !hasDay) return true;
  if (Object.keys(meaning).length === 0) return true;
  if (meaning.month !== undefined && meaning.day === undefined) return true;
  if (meaning.week !== undefined && meaning.weekday === undefined) return true;
  // "3 December" can lie in another week than "next week".
  if (typeof meaning.week === 'object' && meaning.day !== undefined) return true;
  if (beside !== undefined) return !hasDay;
  // "A week from now at the same time" is complete. "In two hours at the same time" isn't.
  if (isSameTime) return !hasDay && !(fromNow !== undefined && !hasHours(fromNow));
  if (plus === undefined) return false;
  const hasTime = meaning.hour !== undefined || meaning.part !== undefined;
  return hasHours(plus) ? !hasTime && !hasDay : !hasDay;
}

/** Nobody schedules further ahead. An earlier past year is more likely a time. */
const YEARS_AHEAD = 20;
const YEARS_BACK = 50;

/** Reads an unlikely year after a date as a time: "18 Aug 1005" is at 10:05. */
export const yearsThatAreTimes: Refiner = {
  refine: (context, results) => {
    const { year } = startOfDayOf(context);
    for (const result of results) result.start = withYearAsTime(context, result, year) ?? result.start;
    return results;
  },
};

function withYearAsTime(
  { reference }: ParsingContext,
  { start, text }: ParsingResult,
  thisYear: number,
): ParsingResult['start'] | undefined {
  const { year, ...meaning } = meaningOf(start);
  if (year === undefined || meaning.month === undefined || meaning.hour !== undefined) return undefined;
  if (!/\s\d{4}$/.test(text)) return undefined;
  if (year >= thisYear - YEARS_BACK && year <= thisYear + YEARS_AHEAD) return undefined;
  const hour = Math.floor(year / 100);
  const minute = year % 100;
  return hour > 23 || minute > 59 ? undefined : createPiece(reference, { ...meaning, hour, minute });
}

/** Drops a meal that has a time elsewhere in the text: "lunch with Ben tomorrow at 12:30". */
export const dropNamedMeals: Refiner = {
  refine: (_context, results) => {
    const meanings = results.map(({ start }) => meaningOf(start));
    const isTimed = meanings.some(
      ({ hour, halfOfDay }) => hour !== undefined && halfOfDay !== 'open' && halfOfDay !== 'office-hours',
    );
    return isTimed ? results.filter(({ start }) => !isMealAlone(meaningOf(start))) : results;
  },
};

function isMealAlone(meaning: Meaning): boolean {
  return meaning.isOccasion === true && meaning.hour === undefined && !saysDay(meaning);
}

/** The refiners of every language but English: they join pieces that only fillers separate, and drop incomplete ones. */
export function refinersFor(isFiller: (text: string) => boolean): Refiner[] {
  return [
    ...overlapRemoval,
    dropTimesOffTheClock,
    mergePieces(isFiller),
    dropLooseHours,
    dropWhatLeadsNowhere,
  ];
}
