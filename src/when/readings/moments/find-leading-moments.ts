import type { DateTime } from 'luxon';
import { type DayExpression, type Expression, saysDay, saysTimeOnly } from '../../expression.ts';
import { isFiller, isPlainFiller, isSentence } from '../../grammar/english/around.ts';
import { withoutAccents } from '../../grammar/european/vocabulary.ts';
import {
  englishOf,
  LANGUAGE_CODES,
  languageOf,
  languagesBesideEnglish,
  languagesOf,
  otherLanguageOf,
  readingWordsOf,
} from '../../grammar/languages.ts';
import type { Language, OtherLanguage } from '../../grammar/read-grammar.ts';
import { readWords } from '../../grammar/read-words.ts';
import { MAX_LINE_LENGTH, readWithinLimits } from '../../limits.ts';
import type { LimitedQuestion, Question } from '../../moment.ts';
import { datesWith } from '../../policy/candidates.ts';
import { todayOf } from '../question.ts';
import { couldBeTime, saysHour, wordsOfMoments, zoneWordsAfter } from '../ranges/find-range.ts';
import { expectsMore, readingLexicons } from '../reading-lexicon.ts';
import { isWhole, type MomentsReading, readMoments } from './understand-moments.ts';

/** Longer lists of times are written before a colon. */
const MAX_WORDS = 14;

/** The search ends after this number of words that add nothing. "In a couple of hours" has four of them. */
const MAX_WORDS_WITHOUT_MEANING = 5;

/** Words that also stand beside a time in a sentence, but belong to the time: "a week from friday", "9 am". */
const TIME_DETERMINERS = /^(?:an?|am|this|coming|following|start|then|later)\W*$/i;

/** "Sun is out", "now hiring" and "8h left" don't begin with a time; "sat We are live" does. */
const ORDINARY_WORDS = /^(?:sun|sat|wed|now|\d+\s?h)$/i;

const WORDS = LANGUAGE_CODES.map(readingWordsOf);

/** A sentence is about the time before such a word: "friday is the day", "Freitag ist Pizzatag". */
const COPULA = new RegExp(`^(?:${WORDS.map(({ copulas }) => copulas).join('|')})\\s`);

/** Days that begin many sentences in some language: "So machen wir das", "We are live". */
const LOOSE_DAY = new RegExp(`^(?:${WORDS.flatMap(({ looseDays }) => looseDays ?? []).join('|')})\\W*$`, 'i');

/** A new sentence: "We are live", and not "sale" or "Gift Guide". */
const SENTENCE = /^\P{Ll}\S*(?:\s+\P{Lu}|\s*$)/u;

const TITLE = /^[\p{Lu}\d].*\s\p{Lu}/u;

/**
 * The rest of "Monday Motivation: keep going" and "Friday Night Lights": a title may begin with the name of a day. "On
 * Linkedin" and "For Harbour Coffee" say where to, and several words before a colon can be a project.
 */
const TITLE_WORD = "\\p{Lu}[\\p{Ll}'’]+";
const TITLE_END = '[\\s\\p{Extended_Pictographic}]*(?:$|[!?])';
const REST_OF_TITLE = new RegExp(
  `^(?!(?:On|For|To)\\s)${TITLE_WORD}(?:\\s?(?:[:#]|[–—-](?!\\s?\\d))|(?:\\s${TITLE_WORD}){0,2}${TITLE_END})`,
  'u',
);

/** Words before a platform: "two weeks on linkedin", "sabato 6 su x". "2 days no threads" is English. */
const BEFORE_PLATFORM = /^(?:on|to|via|auf|sur|en|su|em|op)$/i;
const BEFORE_PLATFORM_IN_PORTUGUESE = /^no$/i;

const NO_LETTERS = /\P{L}+/u;

const CAPITAL = /^\p{Lu}/u;

/** No word of a title is in small letters or has figures. */
const IN_CAPITALS = /^\p{Lu}[\p{L}'’.]*(?:\s+\p{Lu}[\p{L}'’.]*)*\s*$/u;

/** "9 Am" isn't in the morning: a German text begins with "Am Stand". */
const HOUR_UNITS = [
  /\d\s(?:am|AM)\W*$/,
  new RegExp(`\\d\\s(?!circa)(?:pm|${WORDS.map(({ grammar }) => grammar.hourUnit).join('|')})\\W*$`, 'i'),
];

/** German words that belong to an hour before them: "8 Uhr morgens". */
const OF_HOUR = /^(?:früh|morgens|(?:vor|nach)?mittags|abends|nachts)$/;

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

type IsPlatform = (word: string, nextWord?: string) => boolean;

/**
 * Finds the moments that a text starts with: "tomorrow 9am" in "tomorrow 9am We are live". Unlike `understandMoments`,
 * doesn't skip words of a sentence ("we are live tomorrow"). Undefined if the text doesn't start with a moment.
 */
export function findLeadingMoments(
  question: Question,
  { isStart = true, isPlatform = () => false }: Surroundings = {},
): LeadingMoments | undefined {
  const { text } = question;
  const found: Found = {
    end: 0,
    meaning: undefined,
    beginsLikeSentence: false,
    saysHour: false,
    isCount: false,
    isDayName: false,
    isHalfYear: false,
  };
  // More words than fit into a line name no moment, and all prefixes share the steps of one reading.
  const words = [...text.slice(0, MAX_LINE_LENGTH + 1).matchAll(/\S+/g)]
    .filter(({ 0: word, index }) => index + word.length <= MAX_LINE_LENGTH)
    .slice(0, MAX_WORDS);
  const answer = (): LeadingMoments | undefined => {
    const leading = text.slice(0, found.end).trim().replace(/,$/, '');
    const rest = text.slice(found.end).replace(/^[\s,]+/, '');
    const isText = rest !== '' && isStartOfText(leading, rest, found, isPlatform);
    return found.meaning === undefined || isText ? undefined : { words: leading, rest };
  };
  return readWithinLimits({ text: '', tooLong: answer }, (limits) => {
    const limited = { ...question, limits };
    extend(found, words, limited, isPlatform);
    const leading = text.slice(0, found.end).trim();
    const rest = text.slice(found.end);
    found.isCount =
      isCount(leading.replaceAll(/\s+/g, ' '), limited) && !isOnPlatform(rest, limited, isPlatform);
    found.isHalfYear = isHalfYear(leading, limited);
    found.isDayName = isStart && IN_CAPITALS.test(leading) && isDayName(leading, limited);
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
  /** A number and a unit, such as "two days", without "in". */
  isCount: boolean;
  /** The name of a day with capitals, such as "Black Friday". */
  isDayName: boolean;
  /** Half of a year, such as "first half". */
  isHalfYear: boolean;
}

/**
 * Whether the words begin a text: "friday is the day", "end of year sale", "Monday Motivation", "So Leute", "two days
 * left". After an hour, "will you join us?" is a text of its own.
 */
function isStartOfText(leading: string, rest: string, found: Found, isPlatform: IsPlatform): boolean {
  const { beginsLikeSentence, saysHour, isCount, isDayName } = found;
  if (COPULA.test(rest)) return !(saysHour && rest.includes('?'));
  if (isDayName && !saysHour && isRestOfTitle(rest, isPlatform)) return !isFiller(rest);
  if (found.isHalfYear && !saysHour) return true;
  const isOrdinary = isCount || ORDINARY_WORDS.test(leading);
  if (saysHour ? !isOrdinary : !isOrdinary && !beginsLikeSentence) return false;
  const isOneWord = beginsLikeSentence && !leading.includes(' ');
  return isOneWord || TITLE.test(leading) || !SENTENCE.test(rest);
}

/** "Monday Threads" and "Friday Sale - on x" say where to, so they are no titles. */
function isRestOfTitle(rest: string, isPlatform: IsPlatform): boolean {
  const [title] = REST_OF_TITLE.exec(rest) ?? [];
  if (title === undefined) return false;
  const [first = ''] = rest.split(NO_LETTERS, 1);
  const after = rest
    .slice(title.length)
    .split(NO_LETTERS)
    .filter((word) => word !== '')
    .slice(0, 2);
  return !isPlatform(first) && !after.some((word) => isPlatform(word));
}

/** Whether a text begins like "on linkedin". */
function isOnPlatform(text: string, { locale = 'en-US' }: Question, isPlatform: IsPlatform): boolean {
  const [preposition = '', name = '', nextWord] = text.split(NO_LETTERS).filter((word) => word !== '');
  const isBefore =
    BEFORE_PLATFORM.test(preposition) ||
    (locale.startsWith('pt') && BEFORE_PLATFORM_IN_PORTUGUESE.test(preposition));
  return isBefore && isPlatform(name, nextWord);
}

function extend(
  found: Found,
  words: readonly RegExpExecArray[],
  question: LimitedQuestion,
  isPlatform: IsPlatform,
): void {
  const { text, locale = 'en-US' } = question;
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
  let wordsWithoutMeaning = 0;
  for (const [place, { 0: word, index }] of words.entries()) {
    const isLoose = found.meaning !== undefined && LOOSE_DAY.test(word) && place < words.length - 1;
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
    // "Tomorrow 5 reasons to come" means no hour, unlike "tomorrow at 5", and "Freitag 5 Tipps" no day but on a Friday.
    const canBeCount = /^\d{1,2}$/.test(newWords) && couldBelong(place + 1) === false;
    const isHour = () =>
      prefixMeaning === meaningOf(`${text.slice(0, found.end)} at ${newWords}`) ||
      (!beginsSentence(ofText.slice(place + 1), allLikely()) &&
        !isOnPlatform(ofText.slice(place + 1).join(' '), question, isPlatform) &&
        expressionsOf(prefix, question).some(({ day }) => isOnOtherDay(day, todayOf(question))));
    if (canBeCount && isHour()) continue;
    // In "Friday 7pm Tonight we dance", "Tonight" begins the text, because the day is already named.
    if (
      CAPITAL.test(newWords) &&
      found.saysHour &&
      isTodayAgain(newWords, text.slice(0, found.end), question)
    )
      return;
    // Joiners such as "on" belong to the time only if the next words do. "Uhr" belongs to the hour before it.
    const isJoining = newWords.split(/\s+/).every(isJoiner) && !HOUR_UNITS.some((unit) => unit.test(prefix));
    if (prefixMeaning === found.meaning) {
      if (isJoining) continue;
      // "Tomorrow 7pm Dinner for two" has a text about dinner, and so has "tomorrow noon lunch special".
      const canBeText = CAPITAL.test(newWords) || couldBelong(place + 1) === false;
      if (canBeText && isPartOfDay(newWords, question) && endsWithTime(text.slice(0, found.end), question))
        return;
    }
    found.end = prefix.length;
    found.meaning = prefixMeaning;
    found.saysHour = saysHour(prefix, question, allLikely());
    wordsWithoutMeaning = 0;
  }
}

/** Whether words after a number begin a sentence. In German, counted things have capitals too. */
function beginsSentence([next = '', ...others]: readonly string[], languages: readonly Language[]): boolean {
  const isGerman = languages.some((language) => language === otherLanguageOf('de'));
  return CAPITAL.test(next) && (!isGerman || CAPITAL.test(others[0] ?? ''));
}

/** Whether the words only name today, or a part of it, and those before name a day. */
function isTodayAgain(words: string, before: string, question: LimitedQuestion): boolean {
  const again = expressionsOf(words, question);
  return again.some(({ isToday }) => isToday) && expressionsOf(before, question).some(saysDay);
}

/** Whether a weekday and a day of the month are named, and the coming one of this number is another weekday. */
function isOnOtherDay(day: DayExpression | undefined, today: DateTime): boolean {
  if (day?.kind !== 'day-of-month' || day.weekday === undefined) return false;
  const [coming] = datesWith(day, today, day.day < today.day ? [1] : [0]);
  return coming !== undefined && coming.weekday % 7 !== day.weekday;
}

/** Whether the words are a number and a unit, and count from now without "in": "5 years", "two days". */
function isCount(words: string, question: LimitedQuestion): boolean {
  const [first = '', ...others] = words.split(' ');
  if (others.length > 1) return false;
  const lexicons = readingLexicons(question.locale ?? 'en-US');
  const isNumber = /^\d/.test(first) || lexicons.some(({ numberOf }) => numberOf(first) !== undefined);
  const counted = isNumber ? expressionsOf(words, question) : [];
  return counted.length > 0 && counted.every(({ fromNow }) => fromNow !== undefined);
}

function isHalfYear(words: string, { locale = 'en-US' }: LimitedQuestion): boolean {
  const plain = withoutAccents(words).replace(/\W+$/, '');
  return readingLexicons(locale).some(({ yearParts }) => yearParts.meaningOf(plain)?.unit === 'half');
}

/**
 * Whether the words are the full name of a weekday or a feast in English: German has capitals in other texts than
 * titles too.
 */
function isDayName(words: string, question: LimitedQuestion): boolean {
  const name = words.replaceAll('’', "'");
  if (/^(?:on|this|next|the|coming)\s/i.test(name)) return false;
  const read = readWords(name, todayOf(question), { locale: 'en-US', limits: question.limits });
  const isFullName = ({ day }: Expression) =>
    day?.kind === 'weekday' ? /^\w+day$/i.test(name) : day?.kind === 'date' && day.pastDates !== undefined;
  return read.kind === 'read' && read.expressions.every(isFullName);
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
