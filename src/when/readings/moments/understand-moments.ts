import { linesOf, MAX_MOMENTS, oncePerRequest } from '../../limits.ts';
import { notUnderstood } from '../../moment.ts';
import { understandMoment } from '../../understand-moment.ts';
import { prepareText, type Question, readWithExamples } from '../question.ts';
import { readRanges } from '../ranges/understand-range.ts';
import {
  anywhere,
  otherLanguages,
  perLanguage,
  plainLetters,
  readingLexicons,
} from '../words/reading-lexicon.ts';
import { type BoundedMoments, boundedMoments } from './bounded-moments.ts';
import { listQuestion } from './list-pieces.ts';
import { type ListedMoment, listedMoments } from './listed-moments.ts';
import { answerTo, type MomentsReading } from './moments-reading.ts';

/**
 * Understands a text as several moments: a list, a moment or list on each line, or days that repeat until a date. Never
 * throws.
 */
export function understandMoments(question: Question): MomentsReading {
  return readWithExamples('moments', { ...question, maxLines: MAX_MOMENTS }, () =>
    once(JSON.stringify(question), () => readInLanguages(question)),
  );
}

const once = oncePerRequest<MomentsReading>();

/** Reads the text in the locale's language and English, then in the languages that it seems to be in. */
function readInLanguages(question: Question): MomentsReading {
  const reading = readLines(question);
  if (isWhole(reading)) return reading;
  for (const locale of otherLanguages(question.text, question.locale ?? 'en-US')) {
    const other = readLines({ ...question, locale });
    if (isWhole(other)) return other;
  }
  return reading;
}

export function isWhole(reading: MomentsReading): boolean {
  if (reading.kind !== 'faulty') return reading.kind !== 'not-understood';
  return reading.faults.every((fault) => fault.reading.kind !== 'not-understood');
}

function readLines(question: Question): MomentsReading {
  const lines = linesOf(question.text).map((text) => readLine({ ...question, text }));
  const [only, ...others] = lines;
  if (only === undefined) return notUnderstood('', 'I found no date or time.');
  const refusal = only.lists[0]?.length === 1 ? only.lists[0][0]?.reading : undefined;
  if (others.length === 0 && refusal?.kind === 'not-understood') return refusal;
  const answer = answerTo(lines);
  const listed = answer.kind === 'ambiguous' ? (answer.candidates[0]?.length ?? 0) : countOf(answer);
  const count = lines.reduce((sum, { unlisted = 0 }) => sum + unlisted, listed);
  if (count > MAX_MOMENTS)
    return notUnderstood('', `That’s ${count} times. Use at most ${MAX_MOMENTS} at once.`);
  return answer;
}

function countOf(answer: Exclude<MomentsReading, { kind: 'ambiguous' }>): number {
  if (answer.kind === 'not-understood') return 0;
  return answer.moments.length + (answer.kind === 'faulty' ? answer.faults.length : 0);
}

function readLine(question: Question): BoundedMoments {
  const { text, locale = 'en-US' } = question;
  const reading = understandMoment(question);
  const single = { lists: [[{ words: text.trim(), reading }]], notes: [] };
  if (reading.kind !== 'not-understood') return single;
  const prepared = prepareText(text, locale);
  const [listed, isComplete] = listIn(prepared, question);
  const asList = listed === undefined ? single : { lists: [listed], notes: [] };
  // Ranges take most of the time, so a complete list isn't also read as one.
  if (isComplete && !JOINED.test(prepared) && !isBetween(prepared, question)) return asList;
  const bounded = boundedMoments(prepared, question);
  if (bounded?.lists.some((list) => list.length > 0) === true) return bounded;
  return isRange(prepared, question) ? single : asList;
}

/** Reads a list in the first language that understands a part of it. The second value tells whether all is understood. */
function listIn(prepared: string, question: Question): [readonly ListedMoment[] | undefined, boolean] {
  const list = listQuestion(question);
  for (const lexicon of readingLexicons(question.locale ?? 'en-US')) {
    const listed = listedMoments(prepared, lexicon, list);
    const unread = listed?.filter(({ reading }) => reading.kind === 'not-understood').length ?? 0;
    if (listed !== undefined && unread < listed.length) return [listed, unread === 0];
  }
  return [undefined, false];
}

const between = perLanguage((lexicon) => anywhere(lexicon, lexicon.words.edges.between));

function isBetween(prepared: string, { locale = 'en-US' }: Question): boolean {
  const plain = plainLetters(prepared);
  return readingLexicons(locale).some((lexicon) => between(lexicon).test(plain));
}

/** A dash, but not that of "segunda-feira". */
const JOINED = /(?<!\p{L})[-–~〜]|[-–~〜](?!\p{L})/u;

/** "16:00, 23 apr - 22:00, 27 april" is a range, in spite of its commas. */
function isRange(prepared: string, question: Question): boolean {
  if (isBetween(prepared, question)) return true;
  return /[-–~]/.test(prepared) && readRanges(prepared, question).some(({ shape }) => shape === 'pair');
}
