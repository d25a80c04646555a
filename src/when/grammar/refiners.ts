import type { DateTime } from 'luxon';
import { type Limits, oncePerRequest, takeSteps } from '../limits.ts';
import { isFiller } from './english/around.ts';
import { hasHours, type Meaning, type Piece, saysDay } from './piece.ts';
import { findPieces, type Grammar, type Refiner } from './rule.ts';

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
  const isNear = (a: Piece, b: Piece, gap: string): boolean =>
    isFiller(gap) &&
    !isNumberBesideDate(a.meaning, b.meaning) &&
    // After a date in figures a number is an hour: "7/14 9", "14.7. 9".
    (/^\d+(?:\/\d+|\.\s?\d+\.)$/.test(a.text) || !isNumberBesideDate(b.meaning, a.meaning)) &&
    canJoin(a.meaning, b.meaning) &&
    (isPlain(gap) || !mustTouch(a.meaning, b.meaning));
  return (pieces, text) => {
    const merged: Piece[] = [];
    for (const piece of pieces) {
      const before = merged.pop();
      if (before === undefined) merged.push(piece);
      else if (isNear(before, piece, between(text, before, piece)))
        merged.push(joined(text, before, piece, isPlain));
      else merged.push(before, piece);
    }
    return merged;
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

function between(text: string, before: Piece, after: Piece): string {
  return text.slice(before.index + before.text.length, after.index);
}

function canJoin(a: Meaning, b: Meaning): boolean {
  if (isSameDay(a, b)) return true;
  if (containsDay(a, b) || containsDay(b, a)) return canJoin(withoutPeriod(a), withoutPeriod(b));
  if (contradictsFromNow(a, b) || contradictsFromNow(b, a)) return false;
  // A duration counts from the words after it, so it can't join a day before it ("sunday, 3 weeks after 15 may").
  if (!b.followsDay && (b.plus ?? b.beside) !== undefined && saysDay(a)) return false;
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

/**
 * A duration from now joins no other day, but days and weeks join their weekday ("friday in two weeks", "in 3 days on
 * friday"). It joins a time only if it is in whole days.
 */
function contradictsFromNow({ fromNow }: Meaning, other: Meaning): boolean {
  if (fromNow === undefined) return false;
  const hasTime = other.hour !== undefined || other.part !== undefined;
  const isOfWeek = other.weekday !== undefined && other.day === undefined && !other.week && !other.plus;
  return (
    (saysDay(other) && !other.isToday && !(isOfWeek && !hasHours(fromNow))) || (hasTime && hasHours(fromNow))
  );
}

/**
 * A number is an hour beside a day by name ("9 tomorrow"). Beside a date it's one only with a part of the day, not in
 * "14th april 15".
 */
function isNumberBesideDate({ needsDay, part }: Meaning, { day, isNamedDay, isToday }: Meaning): boolean {
  return needsDay === true && part === undefined && day !== undefined && !isNamedDay && !isToday;
}

/** "tomorrow, 18 November" names one day twice, but "tomorrow 9:00, tomorrow evening" has two times. */
function isSameDay(a: Meaning, b: Meaning): boolean {
  if (a.day === undefined || b.day === undefined) return false;
  if (a.hour !== undefined && b.hour !== undefined) return false;
  if (a.isNamedDay === true && b.isNamedDay === true) return false;
  if (a.year === undefined && b.year === undefined) return false;
  const agrees = (figure: 'day' | 'month' | 'year') =>
    a[figure] === undefined || b[figure] === undefined || a[figure] === b[figure];
  return agrees('day') && agrees('month') && agrees('year');
}

function joined(text: string, a: Piece, b: Piece, isPlain: (text: string) => boolean): Piece {
  const gap = between(text, a, b);
  const [first, second] = [a.meaning, b.meaning];
  const isNarrower = isWithin(second.part ?? '', first.part ?? '');
  const part = isNarrower && second.part !== undefined ? { part: second.part } : {};
  const unread = [...(first.unread ?? []), ...(isPlain(gap) ? [] : [gap]), ...(second.unread ?? [])];
  const { isOrdinaryWord: _, ...meaning } = together(first, second);
  return {
    index: a.index,
    text: text.slice(a.index, b.index + b.text.length),
    meaning: { ...meaning, ...part, ...(unread.length > 0 && { unread }) },
  };
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

/** A step is one letter tried with this many patterns. English has about 85, other languages have about 50. */
const PATTERNS_PER_STEP = 100;

/** Starting a pattern costs as much as trying this many letters. */
const LETTERS_TO_BEGIN = 10;

/** Finds the pieces of moments in a text that is read on a day, which is a midnight in UTC. */
export function piecesIn(text: string, grammar: Grammar, today: DateTime, limits: Limits): readonly Piece[] {
  const once = caches.get(grammar) ?? oncePerRequest<readonly Piece[]>();
  caches.set(grammar, once);
  return once(limits, `${today.toMillis()} ${text}`, () => {
    takeSteps(limits, Math.ceil(((text.length + LETTERS_TO_BEGIN) * grammar.size) / PATTERNS_PER_STEP));
    return findPieces(grammar, text, today);
  });
}

/** Several readings of a text ask for the pieces of the same grammar. */
const caches = new WeakMap<Grammar, ReturnType<typeof oncePerRequest<readonly Piece[]>>>();

/** Drops times such as 25:00. ISO 8601 calls the end of a day 24:00. */
export const dropTimesOffTheClock: Refiner = (pieces) =>
  pieces.filter(
    ({ meaning: { hour = 0, minute = 0 } }) => (hour < 24 && minute < 60) || (hour === 24 && minute === 0),
  );

/** "Today 7:30", typed at six in the evening, is at 19:30 where clocks have twelve hours. */
export const eveningsOnTwelveHours: Refiner = (pieces) =>
  pieces.map((piece) =>
    piece.meaning.halfOfDay === 'as-shown'
      ? { ...piece, meaning: { ...piece.meaning, halfOfDay: 'or-evening' } }
      : piece,
  );

/** Drops a number that belongs to a word beside it: "draft 3 friday", "meeting 9 tomorrow", "5 people tomorrow". */
export const dropNumbersOfThings: Refiner = (pieces, text) =>
  pieces.filter(({ index, meaning, text: number }, position) => {
    if (meaning.needsDay !== true) return true;
    const [before, next] = [pieces[position - 1], pieces[position + 1]];
    const words = text.slice(before === undefined ? 0 : before.index + before.text.length, index);
    const after = text.slice(index + number.length, next?.index);
    return (!/[a-z]\s$/i.test(words) || isFiller(words)) && !COUNTED.test(after);
  });

/** What people count: "3 posts", "5 people". */
const COUNTED = /^\s(?:people|folks|children|men|women|[a-z]+[^s\s]s)\b/i;

/** Drops numbers without a day or part of a day beside them. They are no hours. */
export const dropLooseHours: Refiner = (pieces) =>
  pieces.filter(({ meaning }) => meaning.needsDay !== true || saysDay(meaning) || meaning.part !== undefined);

/**
 * Drops pieces that joined nothing to complete them: "monday before" without a day, "2 hours after" without a time,
 * "next week" without a weekday.
 */
export const dropWhatLeadsNowhere: Refiner = (pieces) =>
  pieces.filter(({ meaning }) => !leadsNowhere(meaning));

function leadsNowhere(meaning: Meaning): boolean {
  const { beside, plus, fromNow, isSameTime } = meaning;
  const hasDay = saysDay(meaning);
  if (meaning.year !== undefined && meaning.month === undefined) return true;
  if (Object.keys(meaning).length === 0) return true;
  if (meaning.month !== undefined && meaning.day === undefined) return true;
  if (meaning.week !== undefined && meaning.weekday === undefined) return true;
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
export const yearsThatAreTimes: Refiner = (pieces, _text, today) =>
  pieces.map((piece) => ({ ...piece, meaning: withYearAsTime(piece, today.year) }));

function withYearAsTime({ meaning, text }: Piece, thisYear: number): Meaning {
  const { year, ...rest } = meaning;
  if (year === undefined || rest.month === undefined || rest.hour !== undefined) return meaning;
  if (!/\s\d{4}$/.test(text)) return meaning;
  if (year >= thisYear - YEARS_BACK && year <= thisYear + YEARS_AHEAD) return meaning;
  const hour = Math.floor(year / 100);
  const minute = year % 100;
  return hour > 23 || minute > 59 ? meaning : { ...rest, hour, minute };
}

/** Drops a meal that has a time elsewhere in the text: "lunch with Ben tomorrow at 12:30". */
export const dropNamedMeals: Refiner = (pieces) => {
  const isTimed = pieces.some(
    ({ meaning: { hour, halfOfDay } }) =>
      hour !== undefined && halfOfDay !== 'open' && halfOfDay !== 'office-hours',
  );
  const isMealAlone = ({ meaning }: Piece) =>
    meaning.isOccasion === true && meaning.hour === undefined && !saysDay(meaning);
  return isTimed ? pieces.filter((piece) => !isMealAlone(piece)) : pieces;
};

/** The refiners of every language but English: they join pieces that only fillers separate, and drop incomplete ones. */
export function refinersFor(isFiller: (text: string) => boolean): readonly Refiner[] {
  return [dropTimesOffTheClock, mergePieces(isFiller), dropLooseHours, dropWhatLeadsNowhere];
}
