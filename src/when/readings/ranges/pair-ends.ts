import type { ReadingLexicon } from '../words/reading-lexicon.ts';
import type { PointExpression } from './day-expressions.ts';
import { pointsIn } from './points.ts';
import { once, type RangeContext, wholeDays } from './stretch.ts';

/** What the words at both ends of a range can mean. */
export interface PairEnds {
  first: readonly PointExpression[];
  last: readonly PointExpression[];
}

interface EndWords {
  first: string;
  last: string;
  /** "From 9 to 12" are hours, "9-12" alone could be anything. */
  isOpened: boolean;
}

const DAY_FIGURE = '\\d{1,2}(?:st|nd|rd|th|er|\\.|º)?';
const ONLY_A_NUMBER = new RegExp(`^(?:the\\s)?(?<number>${DAY_FIGURE})$`, 'i');
const FIRST_NUMBER = new RegExp(`(?<![\\w/.:-])${DAY_FIGURE}(?![\\w:/]|\\.\\d|-\\d)`, 'i');
const LAST_NUMBER = new RegExp(`(?<![\\w/.:-])${DAY_FIGURE}$`, 'i');
const BARE_HOUR_AT_END = /(?:^|\s)\d{1,2}(?::[0-5]\d)?$/;
const MERIDIEM = /\d\s?(?<half>[ap])\.?m\b/i;
const BEGINS_WITH_A_DAY = /^\p{L}/u;
const BEGINS_WITH_A_TIME = /^(?:at|noon|midnight|half|quarter)\b/i;

/** Each end by itself, and where it is short of something, with what the other end says. */
export function pairEnds(words: EndWords, lexicon: ReadingLexicon, context: RangeContext): PairEnds {
  const read = (text: string): readonly PointExpression[] => pointsIn(text, lexicon, context);
  const { first, last } = withNumbers(words, read) ?? inFull(words, read);
  if (first.length === 0) return NONE;
  const isApart = beginsWithDay(words.last, lexicon) && last.every(isTimedDay);
  const timed = withMeridiem(words, first, read);
  return { first: isApart ? onToday(timed, context) : timed, last };
}

type Read = (text: string) => readonly PointExpression[];

/** A number alone at one end is a day of the other end's month, or an hour. Undefined where there is none. */
function withNumbers({ first, last, isOpened }: EndWords, read: Read): PairEnds | undefined {
  const firstNumber = ONLY_A_NUMBER.exec(first)?.groups?.number;
  const lastNumber = ONLY_A_NUMBER.exec(last)?.groups?.number;
  if (firstNumber !== undefined && lastNumber !== undefined) {
    const isHours = /^\d+$/.test(`${firstNumber}${lastNumber}`);
    return isHours && !isOpened ? NONE : both(read(dayOrHour(firstNumber)), read(dayOrHour(lastNumber)));
  }
  if (firstNumber !== undefined) {
    const other = read(last);
    if (other.length === 0) return NONE;
    const own = isDays(other) ? replaced(last, FIRST_NUMBER, firstNumber) : dayOrHour(firstNumber);
    return both(own === undefined ? [] : read(own), other);
  }
  if (lastNumber === undefined) return undefined;
  const other = read(first);
  if (other.length === 0) return NONE;
  const own = isDays(other) ? replaced(first, LAST_NUMBER, lastNumber) : dayOrHour(lastNumber);
  return both(other, own === undefined ? [] : read(own));
}

const NONE: PairEnds = { first: [], last: [] };

/** The last end only where the first is one: at most places where words could be joined they are not. */
function inFull(words: EndWords, read: Read): PairEnds {
  const first = read(words.first);
  return first.length === 0 ? NONE : both(first, read(words.last));
}

function both(first: readonly PointExpression[], last: readonly PointExpression[]): PairEnds {
  return first.length === 0 || last.length === 0 ? NONE : { first, last };
}

function isDays(points: readonly PointExpression[]): boolean {
  return points.every(({ minutes }) => minutes === undefined);
}

function replaced(words: string, figure: RegExp, number: string): string | undefined {
  return figure.test(words) ? words.replace(figure, number) : undefined;
}

function dayOrHour(number: string): string {
  return /^\d+$/.test(number) ? `at ${number}` : `the ${number}`;
}

/** "7 to 8pm" are both in the evening, if the first is then before the last: "11 to 1pm" are not. */
function withMeridiem(
  { first, last }: EndWords,
  points: readonly PointExpression[],
  read: Read,
): readonly PointExpression[] {
  const half = MERIDIEM.exec(last)?.groups?.half;
  if (half === undefined || !BARE_HOUR_AT_END.test(first)) return points;
  const [same] = read(`${first}${half}m`);
  return points.map((point) =>
    point.minutes === undefined || same?.minutes === undefined
      ? point
      : { ...point, minutes: [...new Set([...same.minutes, ...point.minutes])] },
  );
}

/** "From 2pm till tomorrow 4:30pm" begins today: a day that stands before the last time is the last one's alone. */
function onToday(first: readonly PointExpression[], context: RangeContext): readonly PointExpression[] {
  const [today] = once(wholeDays(context.now));
  if (today === undefined) return first;
  return first.map((point) => (point.day === undefined ? { ...point, day: today } : point));
}

function beginsWithDay(words: string, lexicon: ReadingLexicon): boolean {
  const [word = ''] = words.split(' ');
  return (
    BEGINS_WITH_A_DAY.test(words) && !BEGINS_WITH_A_TIME.test(words) && lexicon.numberOf(word) === undefined
  );
}

function isTimedDay({ day, minutes }: PointExpression): boolean {
  return day !== undefined && minutes !== undefined;
}
