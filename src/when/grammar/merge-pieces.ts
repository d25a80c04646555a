import type { Chrono, ParsedComponents, ParsedResult, ParsingResult, Refiner } from 'chrono-node';
import { takeSteps } from '../read-within-limits.ts';
import { has, markValue } from './rule.ts';

/** Each says what a piece can hold once: two pieces join where they hold nothing in common. */
const ASPECTS: readonly ((piece: ParsedComponents) => boolean)[] = [
  (piece) => piece.isCertain('year'),
  (piece) => piece.isCertain('weekday') || isOfAnyHour(piece),
  (piece) => piece.isCertain('day') || isOfAnyHour(piece),
  (piece) => piece.isCertain('hour') || has(piece, 'same-time') || isOfAnyHour(piece),
  hasPart,
  (piece) => markValue(piece, 'after') !== undefined,
  (piece) => markValue(piece, 'plus') !== undefined || markValue(piece, 'beside') !== undefined,
];

function hasPart(piece: ParsedComponents): boolean {
  return markValue(piece, 'part') !== undefined;
}

/** "Quarter past" is of the hour that comes next, and of no other day. */
function isOfAnyHour(piece: ParsedComponents): boolean {
  return markValue(piece, 'past-hour') !== undefined;
}

/**
 * Joins neighbours that only fillers separate into one moment: weekday, date, time and part of the day each
 * once, in any order ("6pm on fri the 12th"). What cannot join stays apart, and is then more than one moment.
 * Where a language passes over whole sentences, `isPlain` tells the fillers that join from those that only stand by.
 */
export function mergePieces(isFiller: (text: string) => boolean, isPlain = isFiller): Refiner {
  const isNear = (a: ParsedComponents, b: ParsedComponents, gap: string): boolean =>
    isFiller(gap) && canJoin(a, b) && (isPlain(gap) || !mustTouch(a, b));
  return {
    refine: (context, results) => {
      const merged: ParsingResult[] = [];
      for (const result of results) {
        const before = merged.pop();
        if (before === undefined) merged.push(result);
        else if (isNear(before.start, result.start, between(context.text, before, result))) {
          merged.push(joined(context.text, before, result));
        } else merged.push(before, result);
      }
      return merged;
    },
  };
}

/**
 * "An hour after the meeting on friday" is not counted from Friday, and "the second meeting on monday" is no date:
 * what leads to a day, and the parts of one, stand beside it.
 */
function mustTouch(a: ParsedComponents, b: ParsedComponents): boolean {
  if (markValue(a, 'plus') !== undefined || markValue(a, 'beside') !== undefined) return true;
  return (a.isCertain('day') && b.isCertain('weekday')) || (a.isCertain('weekday') && b.isCertain('day'));
}

function between(text: string, before: ParsingResult, after: ParsingResult): string {
  return text.slice(before.index + before.text.length, after.index);
}

function canJoin(a: ParsedComponents, b: ParsedComponents): boolean {
  if (isSameDay(a, b)) return true;
  if (hasAfter(a, b) || hasAfter(b, a) || isCutInTwo(a, b)) return false;
  if (isLooseBesideDate(a, b) || isLooseBesideDate(b, a)) return false;
  return !ASPECTS.some((holds) => holds(a) && holds(b) && !(holds === hasPart && isSamePart(a, b)));
}

/** Parts of the day that lie within another, or that both are meant by "tonight". */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  morning: ['breakfast', 'early-morning', 'mid-morning', 'late-morning'],
  night: ['evening', 'dinner', 'late-evening', 'late-night'],
  evening: ['dinner', 'early-evening', 'late-evening'],
};

/** "First thing tomorrow morning" names one part of the day twice, and so does "7 in the evening tonight". */
function isSamePart(a: ParsedComponents, b: ParsedComponents): boolean {
  const [first = '', second = ''] = [markValue(a, 'part'), markValue(b, 'part')];
  return first === second || isWithin(first, second) || isWithin(second, first);
}

function isWithin(narrow: string, wide: string): boolean {
  return WITHIN[wide]?.includes(narrow) ?? false;
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
  if (b.tags().has('rule/plus-duration')) return false;
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

/** A step is about as many patterns, each tried at one letter: an English grammar has so many, others about 40. */
const PATTERNS_PER_STEP = 100;

/** To begin with a pattern costs as much as trying it at so many letters more. */
const LETTERS_TO_BEGIN = 10;

/** The pieces of moments that a grammar finds, read on the day that begins at this instant as if in UTC. */
export function piecesIn(text: string, grammar: Chrono, instant: Date): ParsedResult[] {
  takeSteps(Math.ceil(((text.length + LETTERS_TO_BEGIN) * grammar.parsers.length) / PATTERNS_PER_STEP));
  return grammar.parse(text, { instant, timezone: 0 });
}
