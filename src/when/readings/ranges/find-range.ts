import { spelled } from '../../grammar/european/spelling.ts';
import { readWithinLimits } from '../../limits.ts';
import type { NotUnderstood } from '../../moment.ts';
import { notUnderstood } from '../../moment.ts';
import { findZoneWords } from '../../zones.ts';
import { preparedText } from '../prepared-text.ts';
import type { Question } from '../question.ts';
import { alone, perLanguage, plainLetters, readingLexicons } from '../words/reading-lexicon.ts';
import { saysWhen } from '../words/says-when.ts';
import type { RangeReading } from './range.ts';
import { type ReadRange, readRanges, understandRange } from './understand-range.ts';

/** A range found among other words: its reading, `phrase` (the words of the range), and `rest` (the other words in their order). */
interface FoundRange {
  kind: 'found';
  reading: Exclude<RangeReading, { kind: 'not-understood' }>;
  /** Whether the words name it as a whole, by one end, or by two. */
  shape: 'whole' | 'open' | 'pair';
  phrase: string;
  rest: string;
}

/** Longer runs are no range that anyone writes. */
const MOST_WORDS = 12;

/** What is read of a text in all tries together, in words: every run of eight words in a row, or fewer long ones. */
const MOST_WORDS_TRIED = 120;

/** Zone words after a range have at most so many ("in new york", "australian eastern daylight time"). */
const MOST_ZONE_WORDS = 4;

/**
 * The longest run of words that is understood as a range, the first of those; undefined where there is none. For
 * a caller whose own words stand around it: "scheduled x this week" leaves "scheduled x". Words that are too long are
 * not looked through: they are not understood.
 */
export function findRange(question: Question): FoundRange | NotUnderstood | undefined {
  const { text } = question;
  return readWithinLimits<FoundRange | NotUnderstood | undefined>(
    { text, tooLong: (reason) => notUnderstood('', reason) },
    () => findRangeThat(question, () => true),
  );
}

/** The same among those ranges alone that are accepted. */
export function findRangeThat(
  question: Question,
  accepts: (read: ReadRange) => boolean,
): FoundRange | undefined {
  const { text, locale = 'en-US' } = question;
  const words = preparedText(text, locale).split(' ');
  for (const { start, end } of runsToTry(saysWhen(words, locale))) {
    const read = readRanges(words.slice(start, end).join(' '), question);
    const [first] = read;
    if (first === undefined || !read.every(accepts)) continue;
    const shortest = withoutJoiners(words, { start, end }, question);
    const last = shortest + zoneWordsAfter(words.slice(shortest, shortest + MOST_ZONE_WORDS), locale);
    const own = words.slice(start, last).join(' ');
    const reading = understandRange({ ...question, text: own });
    if (reading.kind === 'not-understood') continue;
    return {
      kind: 'found',
      reading,
      shape: first.shape,
      phrase: own,
      rest: [...words.slice(0, start), ...words.slice(last)].join(' '),
    };
  }
  return undefined;
}

const joiners = perLanguage((lexicon) => {
  const { fillers, and, edges } = lexicon.words;
  const { from, to, until, onwards } = edges;
  return alone(lexicon, spelled([fillers || '(?!)', and, from, to, until, onwards].join('|')));
});

/** Where the run ends without joining words behind it that change nothing: "this week on" is this week. */
function withoutJoiners(words: readonly string[], { start, end }: Run, question: Question): number {
  const lexicons = readingLexicons(question.locale ?? 'en-US');
  const isJoiner = (word: string): boolean =>
    lexicons.some((lexicon) => joiners(lexicon).test(plainLetters(word)));
  const rangesTo = (last: number): string =>
    JSON.stringify(readRanges(words.slice(start, last).join(' '), question).map(({ range }) => range));
  const isJoined = isJoiner(words[end - 1] ?? '');
  const whole = isJoined ? rangesTo(end) : '';
  let last = end;
  while (last > start + 1 && isJoiner(words[last - 1] ?? '') && rangesTo(last - 1) === whole) last -= 1;
  return last;
}

interface Run {
  start: number;
  end: number;
}

/** All runs of words that could be a range, the longest first and of those the first. */
function runsToTry(couldBe: readonly boolean[]): readonly Run[] {
  const runs: Run[] = [];
  let left = MOST_WORDS_TRIED;
  for (let length = Math.min(MOST_WORDS, couldBe.length); length > 0; length -= 1) {
    for (let start = 0; start + length <= couldBe.length && left >= length; start += 1) {
      if (!couldBe.slice(start, start + length).every(Boolean)) continue;
      runs.push({ start, end: start + length });
      left -= length;
    }
  }
  return runs;
}

/** How many of the words that follow are zone words and nothing else. */
function zoneWordsAfter(words: readonly string[], locale: string): number {
  for (let count = words.length; count > 0; count -= 1) {
    const { rest, meanings } = findZoneWords(` ${words.slice(0, count).join(' ')}`, locale);
    if (meanings.length > 0 && /^[\s,()]*$/.test(rest)) return count;
  }
  return 0;
}
