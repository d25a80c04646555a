import { type Expression, saysDay, saysTimeOnly } from '../../expression.ts';
import { isFiller, isPlainFiller, isSentence } from '../../grammar/english/around.ts';
import {
  englishOf,
  languageOf,
  languagesBesideEnglish,
  languagesOf,
  otherLanguageOf,
} from '../../grammar/languages.ts';
import type { OtherLanguage } from '../../grammar/read-grammar.ts';
import { readWords } from '../../grammar/read-words.ts';
import { MAX_LINE_LENGTH, readWithinLimits } from '../../limits.ts';
import type { LimitedQuestion, Question } from '../../moment.ts';
import { todayOf } from '../question.ts';
import { couldBeTime, saysHour, wordsOfMoments, zoneWordsAfter } from '../ranges/find-range.ts';
import { expectsMore } from '../reading-lexicon.ts';
import { isWhole, type MomentsReading, readMoments } from './understand-moments.ts';

/** Longer lists of times are written before a colon. */
const MAX_WORDS = 14;

/** The search ends after this number of words that add nothing. "In a couple of hours" has four of them. */
const MAX_WORDS_WITHOUT_MEANING = 5;

/** Words that also stand beside a time in a sentence, but belong to the time: "a week from friday", "9 am". */
const TIME_DETERMINERS = /^(?:an?|am|this|coming|following|start|then|later)\W*$/i;

/** "Sun is out", "now hiring" and "2 hours left" don't begin with a time; "sat We are live" does. */
const ORDINARY_WORDS = /^(?:sun|sat|wed|now|\d+\s?(?:h|hrs?|hours?|mins?|minutes?|days?|weeks?))$/i;

/** A sentence is about the time before such a word: "friday is the day", "Freitag ist Pizzatag". */
const COPULA =
  /^(?:is|isn['’]t|are|was|were|will|has|ist|sind|wird|est|sont|sera|es|será|è|sarà|é|são|zijn|wordt)\s/;

/** Days in German, French and Dutch that begin many sentences in some language: "So machen wir das", "We are live". */
const LOOSE_WEEKDAY = /^(?:so|do|we|zo)\W*$/i;

/** A new sentence: "We are live", and not "sale" or "Gift Guide". */
const SENTENCE = /^\P{Ll}\S*(?:\s+\P{Lu}|\s*$)/u;

const TITLE = /^[\p{Lu}\d].*\s\p{Lu}/u;

/** "9 Am" isn't in the morning: a German text begins with "Am Stand". */
const HOUR_UNITS = [/\d\s(?:am|AM)\W*$/, /\d\s(?:pm|uhr|uur|u|h|hs|heures?|horas?|o['’]clock|hours?)\W*$/i];

/** German words that belong to an hour before them: "8 Uhr morgens". */
const OF_HOUR = /^(?:früh|morgens|(?:vor|nach)?mittags|abends|nachts)$/;

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
  const found: Found = { end: 0, meaning: undefined, beginsLikeSentence: false, saysHour: false };
  // More words than fit into a line name no moment, and all prefixes share the steps of one reading.
  const words = [...text.slice(0, MAX_LINE_LENGTH + 1).matchAll(/\S+/g)]
    .filter(({ 0: word, index }) => index + word.length <= MAX_LINE_LENGTH)
    .slice(0, MAX_WORDS);
  const answer = (): LeadingMoments | undefined => {
    const leading = text.slice(0, found.end).trim().replace(/,$/, '');
    const rest = text.slice(found.end).replace(/^[\s,]+/, '');
    const isText = rest !== '' && isStartOfText(leading, rest, found);
    return found.meaning === undefined || isText ? undefined : { words: leading, rest };
  };
  return readWithinLimits({ text: '', tooLong: answer }, (limits) => {
    extend(found, words, { ...question, limits });
    return answer();
  });
}

/** The longest prefix that means something, and its meaning. */
interface Found {
  end: number;
  meaning: string | undefined;
  /** Its first word is one of everyday sentences, such as "end" and "good". */
  beginsLikeSentence: boolean;
  /** An hour is said, so it's no title. */
  saysHour: boolean;
}

/**
 * Whether the words begin a text: "friday is the day", "end of year sale", "So Leute", "8h left". After an hour, "will you
 * join us?" is a text of its own.
 */
function isStartOfText(leading: string, rest: string, { beginsLikeSentence, saysHour }: Found): boolean {
  if (COPULA.test(rest)) return !(saysHour && rest.includes('?'));
  const isOrdinary = ORDINARY_WORDS.test(leading);
  if (saysHour ? !isOrdinary : !isOrdinary && !beginsLikeSentence) return false;
  const isOneWord = beginsLikeSentence && !leading.includes(' ');
  return isOneWord || TITLE.test(leading) || !SENTENCE.test(rest);
}

function extend(found: Found, words: readonly RegExpExecArray[], question: LimitedQuestion): void {
  const { text, locale = 'en-US' } = question;
  const meaningOf = (prefix: string) => describeMeaning(readMoments({ ...question, text: prefix.trim() }));
  const ofText = words.map(([word]) => word);
  let likely: readonly OtherLanguage[] | undefined;
  const likelyLanguages = () => {
    likely ??= languagesBesideEnglish().filter(({ hasTimeWord, prepare }) =>
      hasTimeWord(prepare(ofText.join(' '))),
    );
    return likely;
  };
  const isJoiner = (word: string) =>
    isPlainFiller(word) ||
    otherLanguageOf(locale)?.isFiller(word) === true ||
    likelyLanguages().some(({ isFiller: joins }) => joins(word));
  const allLikely = () => [...languagesOf(locale), ...likelyLanguages()];
  const isOfMoment = (place: number) => {
    const ofMoment = wordsOfMoments(ofText, question, allLikely());
    if (found.meaning === undefined || ofMoment[place] !== true) return ofMoment[place] === true;
    // After a time, "We" is a weekend and "Do" a Thursday only with more words for one.
    return (
      ofMoment[place + 1] === true || wordsOfMoments(ofText, question, [englishOf(locale)])[place] === true
    );
  };
  let ofTimes: readonly boolean[] | undefined;
  const couldBelong = (place: number): boolean | undefined => {
    ofTimes ??= wordsOfTimes(ofText, question, likelyLanguages());
    return ofTimes[place];
  };
  let wordsWithoutMeaning = 0;
  for (const [place, { 0: word, index }] of words.entries()) {
    const isLoose = found.meaning !== undefined && LOOSE_WEEKDAY.test(word) && place < words.length - 1;
    if (isLoose && wordsOfMoments(ofText, question, allLikely())[place + 1] !== true) {
      // "Di und Do Neue Folge" is as much a list as "Fr und So Leute", so neither is taken apart.
      if (expectsMore(ofText[place - 1] ?? '') && !found.saysHour) found.meaning = undefined;
      return;
    }
    // English sentences have words such as "we", "see" and "hello", and times don't, but "um 9 Uhr" is one.
    const isOfSentence = isSentence(word) && !TIME_DETERMINERS.test(word) && !isJoiner(word);
    if ((isOfSentence && !isOfMoment(place)) || wordsWithoutMeaning === MAX_WORDS_WITHOUT_MEANING) return;
    found.beginsLikeSentence ||= isOfSentence && place === 0;
    if (found.meaning !== undefined && couldBelong(place) === false) return;
    wordsWithoutMeaning += 1;
    // A list goes on after "and", and a range after "to", so up to there they mean nothing.
    if (expectsMore(word)) continue;
    const prefix = text.slice(0, index + word.length);
    const prefixMeaning = meaningOf(prefix);
    const newWords = prefix.slice(found.end).trim();
    if (prefixMeaning === undefined) continue;
    // "Tomorrow 5 reasons to come" means no hour, unlike "tomorrow at 5".
    const canBeCount = /^\d{1,2}$/.test(newWords) && couldBelong(place + 1) === false;
    if (canBeCount && prefixMeaning === meaningOf(`${text.slice(0, found.end)} at ${newWords}`)) continue;
    // Joiners such as "on" belong to the time only if the next words do. "Uhr" belongs to the hour before it.
    const isJoining = newWords.split(/\s+/).every(isJoiner) && !HOUR_UNITS.some((unit) => unit.test(prefix));
    if (prefixMeaning === found.meaning) {
      if (isJoining) continue;
      // "Tomorrow 7pm Dinner for two" has a text about dinner, and so has "tomorrow noon lunch special".
      const canBeText = /^\p{Lu}/u.test(newWords) || couldBelong(place + 1) === false;
      if (canBeText && isPartOfDay(newWords, question) && endsWithTime(text.slice(0, found.end), question))
        return;
    }
    found.end = prefix.length;
    found.meaning = prefixMeaning;
    found.saysHour = saysHour(prefix, question, allLikely());
    wordsWithoutMeaning = 0;
  }
}

/** Whether the words are the name of a part of the day: "dinner", "Soirée". */
function isPartOfDay(words: string, question: LimitedQuestion): boolean {
  if (!/^\p{L}{3,}$/u.test(words) || OF_HOUR.test(words)) return false;
  return expressionsOf(words, question).some(({ part, ...rest }) => part !== undefined && !saysDay(rest));
}

/** Whether the last words name a time or a part of the day. "Tomorrow" has only the default time. */
function endsWithTime(words: string, question: LimitedQuestion): boolean {
  const last = words.trim().split(/\s+/);
  const endings = [1, 2, 3, 4]
    .map((count) => last.slice(-count).join(' '))
    .filter((ending) => !/^\d+$/.test(ending));
  const isTime = (each: Expression) => saysTimeOnly(each) || each.part !== undefined;
  return endings.some((ending) => expressionsOf(ending, question).some(isTime));
}

function expressionsOf(words: string, question: LimitedQuestion): readonly Expression[] {
  const { locale = 'en-US', limits } = question;
  const read = readWords(words, todayOf(question), { locale, limits, tryOtherLanguages: true });
  return read.kind === 'read' ? read.expressions : [];
}

/** Phrases such as "on the dot" and "at the very latest", and names of zones. */
const MAX_PHRASE_WORDS = 4;

/**
 * Tells for each word whether it can belong to a time in any language, or join or soften one. The search ends at the
 * first other word, because reading more words in vain takes the longest.
 */
function wordsOfTimes(
  words: readonly string[],
  question: LimitedQuestion,
  likelyLanguages: readonly OtherLanguage[],
): readonly boolean[] {
  const { locale = 'en-US' } = question;
  const corrected = languageOf(locale).correctTypos(words.join(' ')).text.split(' ');
  const known = corrected.length === words.length ? corrected : words;
  const couldBe = couldBeTime(known, question, likelyLanguages);
  const belong = words.map(
    (word, place) =>
      couldBe[place] === true ||
      expectsMore(word) ||
      languagesBesideEnglish().some(
        ({ isFiller: joins, hasTimeWord, prepare }) => joins(word) || hasTimeWord(prepare(word)),
      ),
  );
  for (const start of words.keys()) {
    const phrase = words.slice(start, start + MAX_PHRASE_WORDS);
    while (phrase.length > 0 && !isFiller(phrase.join(' '))) phrase.pop();
    const length = Math.max(
      phrase.length,
      zoneWordsAfter(words.slice(start, start + MAX_PHRASE_WORDS), question),
    );
    belong.fill(true, start, start + length);
  }
  return belong;
}

/** Describes what a text means, to compare texts. Undefined if a part of the text isn't understood. */
function describeMeaning(reading: MomentsReading): string | undefined {
  const isWritten = (key: string) => key === 'words' || key === 'notes' || key === 'unparsedText';
  return isWhole(reading)
    ? JSON.stringify(reading, (key, value: unknown) => (isWritten(key) ? undefined : value))
    : undefined;
}
