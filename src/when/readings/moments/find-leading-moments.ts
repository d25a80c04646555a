import { isPlainFiller, isSentence } from '../../grammar/english/around.ts';
import { languageOf } from '../../grammar/languages.ts';
import { MAX_LINE_LENGTH, readWithinLimits } from '../../limits.ts';
import type { Question } from '../question.ts';
import { isWhole, type MomentsReading, understandMoments } from './understand-moments.ts';

/** Longer lists of times are written before a colon. */
const MAX_WORDS = 14;

/** The search ends after this number of words that add nothing. "The day after tomorrow" has three of them. */
const MAX_WORDS_WITHOUT_MEANING = 4;

/** Words that also stand beside a time in a sentence, but belong to the time: "a week from friday". */
const TIME_DETERMINERS = /^(?:an?|this|coming|following|start|then|later)\W*$/i;

/** "Sun is out" and "sat in the park" don't begin with a day; "sat We are live" does. */
const ORDINARY_WORD = /^(?:sun|sat|wed)$/i;

const HOUR_UNIT = /\d\s(?:uhr|uur|u|h|hs|heures?|horas?|o['’]clock|hours?)\W*$/i;

interface LeadingMoments {
  /** The words at the start that name one or several moments. */
  words: string;
  /** The text after these words, unchanged except for spaces and commas at its start. */
  rest: string;
}

/**
 * Finds the moments that a text starts with: "tomorrow 9am" in "tomorrow 9am We are live". Unlike `understandMoments`,
 * doesn't skip words of a sentence ("we are live tomorrow"). Undefined if the text doesn't start with a moment.
 */
export function findLeadingMoments(question: Question): LeadingMoments | undefined {
  const { text } = question;
  const found: Found = { end: 0, meaning: undefined };
  // More words than fit into a line name no moment, and all prefixes share the steps of one reading.
  const words = [...text.slice(0, MAX_LINE_LENGTH + 1).matchAll(/\S+/g)]
    .filter(({ 0: word, index }) => index + word.length <= MAX_LINE_LENGTH)
    .slice(0, MAX_WORDS);
  const answer = (): LeadingMoments | undefined => {
    const leading = text.slice(0, found.end).trim().replace(/,$/, '');
    const rest = text.slice(found.end).replace(/^[\s,]+/, '');
    const isSentenceStart = ORDINARY_WORD.test(leading) && /^[a-z]/.test(rest);
    return found.meaning === undefined || isSentenceStart ? undefined : { words: leading, rest };
  };
  return readWithinLimits({ text: '', tooLong: answer }, () => {
    extend(found, words, question);
    return answer();
  });
}

/** The longest prefix that means something, and its meaning. */
interface Found {
  end: number;
  meaning: string | undefined;
}

function extend(found: Found, words: readonly RegExpExecArray[], question: Question): void {
  const { text, locale = 'en-US' } = question;
  const isJoiner = (word: string) => isPlainFiller(word) || languageOf(locale)?.isFiller(word) === true;
  const meaningOf = (prefix: string) =>
    describeMeaning(understandMoments({ ...question, text: prefix.trim() }));
  let wordsWithoutMeaning = 0;
  for (const { 0: word, index } of words) {
    // English sentences have words such as "we", "see" and "hello", and times don't.
    const isOfSentence = isSentence(word) && !TIME_DETERMINERS.test(word) && !isJoiner(word);
    if (isOfSentence || wordsWithoutMeaning === MAX_WORDS_WITHOUT_MEANING) return;
    const prefix = text.slice(0, index + word.length);
    const prefixMeaning = meaningOf(prefix);
    const newWords = prefix.slice(found.end).trim();
    // "Tomorrow 5 reasons to come" means no hour, unlike "tomorrow at 5".
    const isCount =
      /^\d{1,2}$/.test(newWords) && prefixMeaning === meaningOf(`${text.slice(0, found.end)} at ${newWords}`);
    wordsWithoutMeaning += 1;
    if (prefixMeaning === undefined || (isCount && prefix.length < text.trimEnd().length)) continue;
    // Joiners such as "on" belong to the time only if the next words do. "Uhr" belongs to the hour before it.
    const isJoining = newWords.split(/\s+/).every(isJoiner) && !HOUR_UNIT.test(prefix);
    if (prefixMeaning === found.meaning && isJoining) continue;
    found.end = prefix.length;
    found.meaning = prefixMeaning;
    wordsWithoutMeaning = 0;
  }
}

/** Describes what a text means, to compare texts. Undefined if a part of the text isn't understood. */
function describeMeaning(reading: MomentsReading): string | undefined {
  const isWritten = (key: string) => key === 'words' || key === 'notes' || key === 'unparsedText';
  return isWhole(reading)
    ? JSON.stringify(reading, (key, value: unknown) => (isWritten(key) ? undefined : value))
    : undefined;
}
