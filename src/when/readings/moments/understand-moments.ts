import type { NotUnderstood } from '../../moment.ts';
import { LONGEST_TEXT, notUnderstood } from '../../refusals.ts';
import { understandMoment } from '../../understand-moment.ts';
import { preparedText } from '../prepared-text.ts';
import type { Question } from '../question.ts';
import { readRanges } from '../ranges/understand-range.ts';
import { anywhere, perLanguage, plainLetters, readingLexicons } from '../words/reading-lexicon.ts';
import { answerTo } from './answer-to-list.ts';
import { type BoundedMoments, boundedMoments } from './bounded-moments.ts';
import { listQuestion } from './list-question.ts';
import { listedMoments } from './listed-moments.ts';
import type { MomentsReading } from './moments.ts';

/** More posts at once are more likely a slip than a plan. */
const MOST_MOMENTS = 20;

/**
 * All moments that words mean: a list in a line, a moment or list on each line, or days that repeat within a range.
 * What to ask, or what is wrong with which of them. Never throws for any text; no line longer than 200 characters
 * and no more than 20 lines are read.
 */
export function understandMoments(question: Question): MomentsReading {
  const { text, locale = 'en-US' } = question;
  const examples = readingLexicons(locale)[0]?.words.examples.moments ?? [];
  const lines = linesOf(text);
  if (lines === undefined)
    return { ...notUnderstood('', `That is longer than ${LONGEST_TEXT} characters.`), examples };
  const read = lines.map((line) => readLine({ ...question, text: line }));
  const [only] = read;
  if (only === undefined || (read.length === 1 && only.kind === 'not-understood'))
    return {
      ...(only?.kind === 'not-understood' ? only : notUnderstood('', 'No date or time was found.')),
      examples,
    };
  const answer = answerTo(read.map((line, index) => asLists(line, lines[index] ?? '')));
  const count = answer.kind === 'ambiguous' ? (answer.candidates[0]?.length ?? 0) : countOf(answer);
  if (count > MOST_MOMENTS)
    return { ...notUnderstood('', `That is ${count} moments: at most ${MOST_MOMENTS} at once.`), examples };
  return answer.kind === 'not-understood' ? { ...answer, examples } : answer;
}

function countOf(answer: Exclude<MomentsReading, { kind: 'ambiguous' }>): number {
  if (answer.kind === 'not-understood') return 0;
  return answer.moments.length + (answer.kind === 'faulty' ? answer.faults.length : 0);
}

/** Undefined where there is more than anybody would write. */
function linesOf(text: string): readonly string[] | undefined {
  if (text.length > (LONGEST_TEXT + 1) * MOST_MOMENTS) return undefined;
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const isTooLong = lines.length > MOST_MOMENTS || lines.some((line) => line.length > LONGEST_TEXT);
  return isTooLong ? undefined : lines;
}

type LineReading = ({ kind: 'lists' } & BoundedMoments) | NotUnderstood;

function readLine(question: Question): LineReading {
  const { text, locale = 'en-US' } = question;
  const single = understandMoment(question);
  if (single.kind !== 'not-understood')
    return { kind: 'lists', lists: [[{ words: text.trim(), reading: single }]], notes: [] };
  const prepared = preparedText(text, locale);
  const bounded = boundedMoments(prepared, question);
  if (bounded?.lists.some((list) => list.length > 0) === true) return { kind: 'lists', ...bounded };
  if (isRange(prepared, question)) return single;
  const list = listQuestion(question);
  for (const lexicon of readingLexicons(locale)) {
    const listed = listedMoments(prepared, lexicon, list);
    if (listed?.some(({ reading }) => reading.kind !== 'not-understood') === true)
      return { kind: 'lists', lists: [listed], notes: [] };
  }
  return single;
}

const between = perLanguage((lexicon) => anywhere(lexicon, lexicon.words.edges.between));

/** "16:00, 23 apr - 22:00, 27 april" has commas, and is no list. */
function isRange(prepared: string, question: Question): boolean {
  const plain = plainLetters(prepared);
  const isBetween = readingLexicons(question.locale ?? 'en-US').some((lexicon) =>
    between(lexicon).test(plain),
  );
  return (
    isBetween || (/[-–~]/.test(plain) && readRanges(prepared, question).some(({ shape }) => shape === 'pair'))
  );
}

function asLists(line: LineReading, words: string): BoundedMoments {
  return line.kind === 'lists' ? line : { lists: [[{ words: words.trim(), reading: line }]], notes: [] };
}
