import type { DateTime } from 'luxon';
import type { DayExpression } from '../../expression.ts';
import { isFiller, isPlainFiller, isSentence } from '../../grammar/english/around.ts';
import {
  englishOf,
  LANGUAGE_CODES,
  languageOf,
  languagesBesideEnglish,
  languagesOf,
  otherLanguageOf,
  readingWordsOf,
} from '../../grammar/languages.ts';
import type { OtherLanguage } from '../../grammar/read-grammar.ts';
import { MAX_LINE_LENGTH, readWithinLimits } from '../../limits.ts';
import { DEFAULT_LOCALE, type LimitedQuestion, type Question } from '../../moment.ts';
import { datesWith } from '../../policy/candidates.ts';
import { todayOf } from '../question.ts';
import { couldBeTime, whatIsSaid, wordsOfMoments, zoneWordsAfter } from '../ranges/find-range.ts';
import { expectsMore } from '../reading-lexicon.ts';
import { beginsText, CAPITAL, countsNext, isHourUnit, type Line, UNCOUNTED } from './begins-text.ts';
import { expressionsOf, type IsPlatform, isOnPlatform, isStartOfText, type Start } from './start-of-text.ts';
import { isWhole, type MomentsReading, readMoments } from './understand-moments.ts';

/** Longer lists of times are written before a colon. */
const MAX_WORDS = 14;

/** The search ends after this number of words that add nothing. "In a couple of hours" has four of them. */
const MAX_WORDS_WITHOUT_MEANING = 5;

/** Words that also stand beside a time in a sentence, but belong to the time: "a week from friday", "9 am". */
const TIME_DETERMINERS = /^(?:an?|am|this|coming|following|start|then|later)\W*$/i;

const WORDS = LANGUAGE_CODES.map(readingWordsOf);

/** Days that begin many sentences in some language: "So machen wir das", "We are live". */
const LOOSE_DAY = new RegExp(`^(?:${WORDS.flatMap(({ looseDays }) => looseDays ?? []).join('|')})\\W*$`, 'i');

/** Minutes that are likelier than a count: "18 Uhr 30 neue Folge". */
const QUARTERS = /^(?:15|30|45)$/;

interface LeadingMoments {
  /** The words at the start that name one or several moments. */
  words: string;
  /** The text after these words, unchanged except for spaces and commas at its start. */
  rest: string;
}

/** What is known of the line that the text is part of. */
interface Surroundings {
  /** False after a platform or "draft", where no title begins. Defaults to true. */
  isStart?: boolean;
  /** Whether a word names a platform, alone or with the next. Defaults to no word. */
  isPlatform?: IsPlatform;
}

/**
 * Finds the moments that a text starts with: "tomorrow 9am" in "tomorrow 9am We are live". Unlike `understandMoments`,
 * doesn't skip words of a sentence ("we are live tomorrow"). Undefined if the text doesn't start with a moment.
 */
export function findLeadingMoments(
  question: Question,
  { isStart = true, isPlatform = () => false }: Surroundings = {},
): LeadingMoments | undefined {
  const { text } = question;
  const found: Found = { end: 0, meaning: undefined, beginsLikeSentence: false, saysHour: false };
  // More words than fit into a line name no moment, and all prefixes share the steps of one reading.
  const words = [...text.slice(0, MAX_LINE_LENGTH + 1).matchAll(/\S+/g)]
    .filter(({ 0: word, index }) => index + word.length <= MAX_LINE_LENGTH)
    .slice(0, MAX_WORDS);
  const answer = (isText: (leading: string, rest: string) => boolean): LeadingMoments | undefined => {
    const leading = text.slice(0, found.end).trim().replace(/,$/, '');
    const rest = text.slice(found.end).replace(/^[\s,]+/, '');
    if (found.meaning === undefined || (rest !== '' && isText(leading, rest))) return undefined;
    return { words: leading, rest };
  };
  return readWithinLimits({ text: '', tooLong: () => answer(() => false) }, (limits) => {
    const limited = { ...question, locale: question.locale ?? DEFAULT_LOCALE, limits };
    extend(found, words, limited, isPlatform);
    return answer((leading, rest) =>
      isStartOfText({ leading, rest, isStart, isPlatform, ...found }, limited),
    );
  });
}

/** The longest prefix that means something, and its meaning. */
interface Found extends Pick<Start, 'beginsLikeSentence' | 'saysHour'> {
  end: number;
  meaning: string | undefined;
}

function extend(
  found: Found,
  words: readonly RegExpExecArray[],
  question: LimitedQuestion,
  isPlatform: IsPlatform,
): void {
  const { text, locale } = question;
  const meaningOf = (prefix: string) => describeMeaning(readMoments({ ...question, text: prefix.trim() }));
  const ofText = words.map(([word]) => word);
  /** Before a meaning is found, no more words are read than can name the first. */
  const wordsRead = () =>
    found.meaning === undefined ? ofText.slice(0, MAX_WORDS_WITHOUT_MEANING + 1) : ofText;
  const likelyFor = new Map<string, readonly OtherLanguage[]>();
  const likelyLanguages = () => {
    const read = wordsRead().join(' ');
    const likely =
      likelyFor.get(read) ??
      languagesBesideEnglish().filter(({ hasTimeWord, prepare }) => hasTimeWord(prepare(read)));
    likelyFor.set(read, likely);
    return likely;
  };
  const isJoiner = (word: string) =>
    isPlainFiller(word) ||
    otherLanguageOf(locale)?.isFiller(word) === true ||
    likelyLanguages().some(({ isFiller: joins }) => joins(word));
  const allLikely = () => [...languagesOf(locale), ...likelyLanguages()];
  const isOfMoment = (place: number) => {
    const ofMoment = wordsOfMoments(wordsRead(), question, allLikely());
    if (found.meaning === undefined || ofMoment[place] !== true) return ofMoment[place] === true;
    const before = ofText[place - 1] ?? '';
    // After a time, "We" is a weekend and "Out" October only between more words for one: "4 y media", "2 de out".
    return (
      ofMoment[place + 1] === true ||
      isJoiner(before) ||
      expectsMore(before) ||
      wordsOfMoments(ofText, question, [englishOf(locale)])[place] === true
    );
  };
  let ofTimes: readonly boolean[] | undefined;
  const couldBelong = (place: number): boolean | undefined => {
    ofTimes ??= wordsOfTimes(ofText, question, likelyLanguages());
    return ofTimes[place];
  };
  const said = (words: string) => whatIsSaid(words, question, allLikely());
  const zoneWordsFrom = (place: number) =>
    zoneWordsAfter(ofText.slice(place, place + MAX_PHRASE_WORDS), question);
  const isGerman = () => allLikely().some((language) => language === otherLanguageOf('de'));
  const line: Line = {
    words: ofText,
    question,
    isPlatform,
    said,
    meaningOf,
    couldBelong,
    isJoiner,
    zoneWordsFrom,
    isGerman,
  };
  let wordsWithoutMeaning = 0;
  for (const [place, { 0: word, index }] of words.entries()) {
    const isLoose = found.meaning !== undefined && LOOSE_DAY.test(word) && place < words.length - 1;
    if (isLoose && wordsOfMoments(ofText, question, allLikely())[place + 1] !== true) {
      // "Di und Do Neue Folge" is as much a list as "Fr und So Leute", so neither is taken apart.
      if (expectsMore(ofText[place - 1] ?? '') && !found.saysHour) found.meaning = undefined;
      return;
    }
    // English sentences have words such as "we", "see" and "hello", and times don't, but "um 9 Uhr" is one.
    const isOfSentence =
      isSentence(word) && !TIME_DETERMINERS.test(word) && !isJoiner(word) && zoneWordsFrom(place) < 2;
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
    if (beginsHours(line, { prefix, hour: newWords, next: ofText.slice(place + 1) })) return;
    // "Tomorrow 5 reasons to come" means no hour, unlike "tomorrow at 5", and "Freitag 5 Tipps" no day but on a Friday.
    const before = text.slice(0, found.end).trim();
    const isHour = () =>
      prefixMeaning === meaningOf(`${before} at ${newWords}`) ||
      (!beginsSentence(ofText.slice(place + 1), isGerman()) &&
        !isOnPlatform(ofText.slice(place + 1).join(' '), question, isPlatform) &&
        ((said(before).saysTime && !QUARTERS.test(newWords) && /^\p{L}/u.test(ofText[place + 1] ?? '')) ||
          expressionsOf(prefix, question).some(({ day }) => isOnOtherDay(day, todayOf(question)))));
    if (found.meaning !== undefined && /^\d+(?:\s\S+)?$/.test(newWords)) {
      const [number = '', unit] = newWords.split(/\s/);
      if (countsNext(line, before, { number, place: unit === undefined ? place : place - 1 })) return;
    }
    const canCount = couldBelong(place + 1) === false && !UNCOUNTED.test(ofText[place + 1] ?? '');
    if (/^\d{1,2}$/.test(newWords) && canCount && isHour()) continue;
    const added = { words: newWords, meaning: prefixMeaning, place };
    const isText =
      found.meaning !== undefined && beginsText(line, { words: before, meaning: found.meaning }, added);
    if (isText === true) return;
    if (isText === undefined) continue;
    if (zoneWordsFrom(place) > 1) continue;
    // Joiners such as "on" belong to the time only if the next words do. "Uhr" belongs to the hour before it.
    const isUnit = isHourUnit(before, newWords, locale);
    const isJoining = !isUnit && newWords.split(/\s+/).every(isJoiner);
    const isPicture = !/[\p{L}\d]/u.test(newWords) && place < words.length - 1;
    if (prefixMeaning === found.meaning && (isJoining || isPicture)) continue;
    found.end = prefix.length;
    found.meaning = prefixMeaning;
    found.saysHour = said(prefix).saysHour;
    wordsWithoutMeaning = 0;
  }
}

/** Whether words after a number begin a sentence. In German, counted things have capitals too. */
function beginsSentence([next = '', ...others]: readonly string[], isGerman: boolean): boolean {
  return CAPITAL.test(next) && (!isGerman || CAPITAL.test(others[0] ?? ''));
}

/** Between two hours, in all languages: "9 to 5", "9 bis 17 Uhr". */
const TO = new RegExp(`^(?:${WORDS.map(({ edges }) => edges.to).join('|')})$`, 'i');
const HOUR = /^(?:\d|1\d|2[0-4])(?:[:.h]\d\d)?(?:[ap]\.?m\.?|[hu])?$/i;

/** Whether an hour is the first of a text's "9 to 5 is over" or "9am to 5pm open house", not the moment's. "10 to 5" is. */
function beginsHours(
  { said, meaningOf }: Line,
  { prefix, hour, next: [to = '', end = ''] }: { prefix: string; hour: string; next: readonly string[] },
): boolean {
  const isHours = HOUR.test(hour) && TO.test(to) && HOUR.test(end) && said(prefix).saysHour;
  const isRange = isHours && (/^\d+$/.test(hour) || !/^\d+$/.test(end));
  return isRange && meaningOf(`${prefix} ${to} ${end}`) === undefined;
}

/** Whether a weekday and a day of the month are named, and the coming one of this number is another weekday. */
function isOnOtherDay(day: DayExpression | undefined, today: DateTime): boolean {
  if (day?.kind !== 'day-of-month' || day.weekday === undefined) return false;
  const [coming] = datesWith(day, today, day.day < today.day ? [1] : [0]);
  return coming !== undefined && coming.weekday % 7 !== day.weekday;
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
  const { locale } = question;
  const corrected = languageOf(locale).correctTypos(words.join(' ')).text.split(' ');
  const known = corrected.length === words.length ? corrected : words;
  const couldBe = couldBeTime(known, question, likelyLanguages);
  const belong = words.map(
    (word, place) =>
      couldBe[place] === true ||
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
