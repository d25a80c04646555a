import type { ParsedComponents, ParsingResult, Refiner } from 'chrono-node';
import { has, markValue } from './marks.ts';

/** Each says what a piece can hold once: two pieces join where they hold nothing in common. */
const ASPECTS: readonly ((piece: ParsedComponents) => boolean)[] = [
  (piece) => piece.isCertain('year'),
  (piece) => piece.isCertain('weekday'),
  (piece) => piece.isCertain('day'),
  (piece) => piece.isCertain('hour') || has(piece, 'same-time'),
  (piece) => markValue(piece, 'part') !== undefined,
  (piece) => markValue(piece, 'after') !== undefined,
  (piece) => markValue(piece, 'plus') !== undefined || markValue(piece, 'beside') !== undefined,
];

/**
 * Joins neighbours that only fillers separate into one moment: weekday, date, time and part of the day each
 * once, in any order ("6pm on fri the 12th"). What cannot join stays apart, and is then more than one moment.
 */
export function mergePieces(isFiller: (text: string) => boolean): Refiner {
  return {
    refine: (context, results) => {
      const merged: ParsingResult[] = [];
      for (const result of results) {
        const before = merged.pop();
        if (before === undefined) merged.push(result);
        else if (isFiller(between(context.text, before, result)) && canJoin(before.start, result.start)) {
          merged.push(joined(context.text, before, result));
        } else merged.push(before, result);
      }
      return merged;
    },
  };
}

function between(text: string, before: ParsingResult, after: ParsingResult): string {
  return text.slice(before.index + before.text.length, after.index);
}

function canJoin(a: ParsedComponents, b: ParsedComponents): boolean {
  if (isSameDay(a, b)) return true;
  if (hasAfter(a, b) || hasAfter(b, a) || isCutInTwo(a, b)) return false;
  if (isLooseBesideDate(a, b) || isLooseBesideDate(b, a)) return false;
  return !ASPECTS.some((holds) => holds(a) && holds(b));
}

/** A duration from now takes no other day beside it, and a time only where it is in whole days (P1D, not P1DT2H). */
function hasAfter(a: ParsedComponents, b: ParsedComponents): boolean {
  const after = markValue(a, 'after');
  if (after === undefined) return false;
  const hasTime = b.isCertain('hour') || markValue(b, 'part') !== undefined;
  const hasDay = b.isCertain('day') || b.isCertain('weekday');
  return (hasDay && !has(b, 'today')) || (hasTime && after.includes('T'));
}

/** A number is an hour beside a day by name ("9 tomorrow"), and not beside a date ("14th april 15"). */
function isLooseBesideDate(a: ParsedComponents, b: ParsedComponents): boolean {
  return has(a, 'loose-hour') && b.isCertain('day') && !b.tags().has('rule/day-names') && !has(b, 'today');
}

/** What a duration is counted from follows it: a day before it is another ("sunday, 3 weeks after 15 may"). */
function isCutInTwo(a: ParsedComponents, b: ParsedComponents): boolean {
  const leads = markValue(b, 'plus') ?? markValue(b, 'beside');
  return leads !== undefined && (a.isCertain('day') || a.isCertain('weekday'));
}

/** "tomorrow, 18 November" names one day twice. */
function isSameDay(a: ParsedComponents, b: ParsedComponents): boolean {
  if (!a.isCertain('day') || !b.isCertain('day')) return false;
  if (a.isCertain('hour') && b.isCertain('hour')) return false;
  if (!a.isCertain('year') && !b.isCertain('year')) return false;
  const agrees = (part: 'day' | 'month' | 'year') =>
    !a.isCertain(part) || !b.isCertain(part) || a.get(part) === b.get(part);
  return agrees('day') && agrees('month') && agrees('year');
}

function joined(text: string, a: ParsingResult, b: ParsingResult): ParsingResult {
  const result = a.clone();
  result.text = text.slice(a.index, b.index + b.text.length);
  for (const part of b.start.getCertainComponents()) {
    const value = b.start.get(part);
    if (value !== null) result.start.assign(part, value);
  }
  result.start.addTags([...a.start.tags(), ...b.start.tags()]);
  return result;
}
