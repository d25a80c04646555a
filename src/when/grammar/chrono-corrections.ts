import type { Parser, ParsingContext, ParsingResult, Refiner } from 'chrono-node';
import { configuration } from 'chrono-node/en';
import { isFiller } from './english/around.ts';
import { mergePieces } from './merge-pieces.ts';
import { createPiece, hasHours, type Meaning, meaningOf, saysDay } from './piece.ts';
import { startOfDayOf } from './rule.ts';

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
