import type { ReadingLexicon } from '../words/reading-lexicon.ts';
import { type PointExpression, pointsIn } from './points.ts';
import { once, type RangeContext, wholeDays } from './range.ts';

/** All that the words at each end of a range can mean. */
export interface PairEnds {
  first: readonly PointExpression[];
  last: readonly PointExpression[];
}

interface EndWords {
  first: string;
  last: string;
  /** "From 9 to 12" means hours. "9-12" alone could be anything. */
  isOpened: boolean;
}

const DAY_FIGURE = '\\d{1,2}(?:st|nd|rd|th|er|\\.|º)?';
/** A number that is a day or an hour only because of the words around it. */
export const LONE_NUMBER = new RegExp(`^(?:the\\s)?(?<number>${DAY_FIGURE})$`, 'i');
export const FIRST_NUMBER = new RegExp(`(?<![\\w/.:-])${DAY_FIGURE}(?![\\w:/]|\\.\\d|-\\d)`, 'i');
export const LAST_NUMBER = new RegExp(`(?<![\\w/.:-])${DAY_FIGURE}$`, 'i');
const BARE_HOUR_AT_END = /(?:^|\s)\d{1,2}(?::[0-5]\d)?$/;
const MERIDIEM = /\d\s?(?<half>[ap])\.?m\b/i;
const BEGINS_WITH_A_DAY = /^\p{L}/u;
const BEGINS_WITH_A_TIME = /^(?:at|noon|midnight|half|quarter)\b/i;

/** Reads each end, and completes it with the words of the other end. */
export function pairEnds(words: EndWords, lexicon: ReadingLexicon, context: RangeContext): PairEnds {
  const read = (text: string): readonly PointExpression[] => pointsIn(text, lexicon, context);
  const { first, last } = withNumbers(words, read) ?? inFull(words, read);
  if (first.length === 0) return NONE;
  const timed = withMeridiem(words, first, read);
  const isApart = last.every(({ day, minutes }) => day !== undefined && minutes !== undefined);
  if (!isApart || !beginsWithDay(words.last, lexicon)) return { first: timed, last };
  // "From 2pm till tomorrow 4:30pm" begins today.
  const [today] = once(wholeDays(context.now));
  return { first: timed.map((point) => ({ ...(today && { day: today }), ...point })), last };
}

type Read = (text: string) => readonly PointExpression[];

/** Reads a lone number at one end as a day of the other end's month, or as an hour. Undefined without a lone number. */
function withNumbers({ first, last, isOpened }: EndWords, read: Read): PairEnds | undefined {
  const [firstNumber, lastNumber] = [first, last].map((words) => LONE_NUMBER.exec(words)?.groups?.number);
  if (firstNumber !== undefined && lastNumber !== undefined) {
    const isHours = /^\d+$/.test(`${firstNumber}${lastNumber}`);
    return isHours && !isOpened ? NONE : both(read(dayOrHour(firstNumber)), read(dayOrHour(lastNumber)));
  }
  const number = firstNumber ?? lastNumber;
  if (number === undefined) return undefined;
  const [other, figure] = number === firstNumber ? [last, FIRST_NUMBER] : [first, LAST_NUMBER];
  const others = read(other);
  const isDay = others.every(({ minutes }) => minutes === undefined);
  if (others.length === 0 || (isDay && !figure.test(other))) return NONE;
  const own = read(isDay ? other.replace(figure, number) : dayOrHour(number));
  return number === firstNumber ? both(own, others) : both(others, own);
}

const NONE: PairEnds = { first: [], last: [] };

/** Reads the last end only if the first is understood. Most words between two ends aren't. */
function inFull(words: EndWords, read: Read): PairEnds {
  const first = read(words.first);
  return first.length === 0 ? NONE : both(first, read(words.last));
}

function both(first: readonly PointExpression[], last: readonly PointExpression[]): PairEnds {
  return first.length === 0 || last.length === 0 ? NONE : { first, last };
}

export function dayOrHour(number: string): string {
  return /^\d+$/.test(number) ? `at ${number}` : `the ${number}`;
}

/** "7 to 8pm" is in the evening. "11 to 1pm" begins in the morning. */
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

function beginsWithDay(words: string, lexicon: ReadingLexicon): boolean {
  const [word = ''] = words.split(' ');
  return (
    BEGINS_WITH_A_DAY.test(words) && !BEGINS_WITH_A_TIME.test(words) && lexicon.numberOf(word) === undefined
  );
}
