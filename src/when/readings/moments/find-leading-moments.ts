import type { DateTime } from 'luxon';
import { type DayExpression, type Expression, saysDay, saysTimeOnly } from '../../expression.ts';
import { isFiller, isPlainFiller, isSentence } from '../../grammar/english/around.ts';
import {
  LANGUAGE_CODES,
  languageOf,
  languagesBesideEnglish,
  languagesOf,
  otherLanguageOf,
  readingWordsOf,
} from '../../grammar/languages.ts';
import type { Language, OtherLanguage } from '../../grammar/read-grammar.ts';
import { MAX_LINE_LENGTH, readWithinLimits } from '../../limits.ts';
import type { LimitedQuestion, Question } from '../../moment.ts';
import { datesWith } from '../../policy/candidates.ts';
import { todayOf } from '../question.ts';
import { couldBeTime, whatIsSaid, wordsOfMoments, zoneWordsAfter } from '../ranges/find-range.ts';
import { expectsMore } from '../reading-lexicon.ts';
import { expressionsOf, type IsPlatform, isCount, isOnPlatform, isStartOfText } from './start-of-text.ts';
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

const CAPITAL = /^\p{Lu}/u;

/** "9 Am" isn't in the morning: a German text begins with "Am Stand". */
const HOUR_UNITS = [
  /\d\s(?:am|AM)\W*$/,
  new RegExp(`\\d\\s(?!circa)(?:pm|${WORDS.map(({ grammar }) => grammar.hourUnit).join('|')})\\W*$`, 'i'),
];

/** German words that belong to an hour before them: "8 Uhr morgens". */
const OF_HOUR = /^(?:früh|morgens|(?:vor|nach)?mittags|abends|nachts)$/i;

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
  const found: Found = {
    end: 0,
    meaning: undefined,
    beginsLikeSentence: false,
    saysHour: false,
    saysDay: false,
    isTimed: false,
    saysPart: false,
  };
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
    const limited = { ...question, limits };
    extend(found, words, limited, isPlatform);
    return answer((leading, rest) =>
      isStartOfText({ leading, rest, isStart, isPlatform, ...found }, limited),
    );
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
  saysDay: boolean;
  /** An hour, noon or midnight is said, or hours from now. */
  isTimed: boolean;
  /** A part of the day is said, such as "evening". */
  saysPart: boolean;
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
  const isOfMoment = (place: number) => wordsOfMoments(wordsRead(), question, allLikely())[place] === true;
  let ofTimes: readonly boolean[] | undefined;
  const couldBelong = (place: number): boolean | undefined => {
    ofTimes ??= wordsOfTimes(ofText, question, likelyLanguages());
    return ofTimes[place];
  };
  /**
   * Whether words after a day begin the text: after a time with a capital ("friday 7pm Tonight we dance"), with the day
   * again, or with another day that would make the time ambiguous. Also "friday Dinner for two".
   */
  const beginsText = (newWords: string, meaning: string, place: number): boolean => {
    const before = text.slice(0, found.end);
    const words = newWords.replace(/^[-–—|]\s+/, '').replace(/[,;:!?]+$/, '');
    const [lastWord = ''] = before.split(/\s+/).slice(-1);
    const isListed = /^[-–—|]\s/.test(newWords) || /[,;]$/.test(lastWord);
    if (isListed && found.saysHour && isCount(words, question)) return true;
    if (!found.saysDay || /\d/.test(words) || expectsMore(lastWord)) return false;
    if (words.split(/\s+/).every(isJoiner)) return false;
    const isNamed = CAPITAL.test(words);
    if (!found.isTimed && !found.saysPart) {
      if (isListed || !isNamed) return false;
      return isGerman(allLikely()) ? whatIsSaid(words, question, allLikely()).saysDay : !CAPITAL.test(before);
    }
    if (belongsToHour(before, words) || zoneWordsFrom(place + 1 - words.split(/\s+/).length) > 0)
      return false;
    // "Mon 9am, Tue 10am" is a list, and "mon 9am, Today we dance" isn't.
    if (isListed) {
      const goesOn = `${words} ${ofText.slice(place + 1, place + 4).join(' ')}`;
      return isNamed && !whatIsSaid(goesOn, question, allLikely()).isTimed;
    }
    const isAsked = (read: string | undefined) => read?.startsWith(AMBIGUOUS) === true;
    if (isNamed || (isAsked(meaning) && !isAsked(found.meaning))) return true;
    return meaning === found.meaning && whatIsSaid(words, question, allLikely()).saysDay;
  };
  /** "Uhr", "Stunden" and "Abends". */
  const belongsToHour = (before: string, newWords: string): boolean =>
    HOUR_UNITS.some((unit) => unit.test(`${before} ${newWords}`)) ||
    isCount(`2 ${newWords}`, question) ||
    OF_HOUR.test(newWords);
  const zoneWordsFrom = (place: number): number =>
    zoneWordsAfter(ofText.slice(place, place + MAX_PHRASE_WORDS), question);
  let wordsWithoutMeaning = 0;
  for (const [place, { 0: word, index }] of words.entries()) {
    const isLoose = LOOSE_DAY.test(word) && expectsMore(ofText[place - 1] ?? '') && place < words.length - 1;
    if (isLoose && wordsOfMoments(ofText, question, allLikely())[place + 1] !== true) {
      // "Di und Do Neue Folge" is as much a list as "Fr und So Leute", so neither is taken apart.
      if (!found.saysHour) found.meaning = undefined;
      return;
    }
    // English sentences have words such as "we", "see" and "hello", and times don't, but "um 9 Uhr" is one.
    const isOfSentence =
      isSentence(word) && !TIME_DETERMINERS.test(word) && !isJoiner(word) && zoneWordsFrom(place) === 0;
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
    const next = ofText[place + 1] ?? '';
    const isCounting = () =>
      /^[%€$£]/.test(next) ||
      isCount(`${newWords} ${next}`, question) ||
      (found.isTimed && expressionsOf(`${newWords} ${next}`, question).length > 0);
    const isHour = () =>
      prefixMeaning === meaningOf(`${text.slice(0, found.end)} at ${newWords}`) ||
      (!beginsSentence(ofText.slice(place + 1), allLikely()) &&
        !isOnPlatform(ofText.slice(place + 1).join(' '), question, isPlatform) &&
        (found.isTimed ||
          expressionsOf(prefix, question).some(({ day }) => isOnOtherDay(day, todayOf(question)))));
    if (/^\d{1,2}$/.test(newWords) && (isCounting() || (couldBelong(place + 1) === false && isHour())))
      continue;
    if (beginsText(newWords, prefixMeaning, place)) {
      // "Friday May 4" is one time.
      if (/^\d/.test(next) && meaningOf(`${prefix} ${next}`) !== undefined) continue;
      return;
    }
    // Joiners such as "on" belong to the time only if the next words do. "Uhr" belongs to the hour before it.
    const isJoining = newWords.split(/\s+/).every(isJoiner) && !HOUR_UNITS.some((unit) => unit.test(prefix));
    if (prefixMeaning === found.meaning) {
      if (isJoining || zoneWordsFrom(place) > 1 || (found.isTimed && /^\d{4}$/.test(newWords))) continue;
      // "Tomorrow 7pm Dinner for two" has a text about dinner, and so has "tomorrow noon lunch special".
      if (
        couldBelong(place + 1) === false &&
        isPartOfDay(newWords, question) &&
        endsWithTime(text.slice(0, found.end), question)
      )
        return;
    }
    found.end = prefix.length;
    found.meaning = prefixMeaning;
    Object.assign(found, whatIsSaid(prefix, question, allLikely()));
    wordsWithoutMeaning = 0;
  }
}

/** Whether words after a number begin a sentence. In German, counted things have capitals too. */
function beginsSentence([next = '', ...others]: readonly string[], languages: readonly Language[]): boolean {
  return CAPITAL.test(next) && (!isGerman(languages) || CAPITAL.test(others[0] ?? ''));
}

function isGerman(languages: readonly Language[]): boolean {
  return languages.some((language) => language === otherLanguageOf('de'));
}

/** Whether a weekday and a day of the month are named, and the coming one of this number is another weekday. */
function isOnOtherDay(day: DayExpression | undefined, today: DateTime): boolean {
  if (day?.kind !== 'day-of-month' || day.weekday === undefined) return false;
  const [coming] = datesWith(day, today, day.day < today.day ? [1] : [0]);
  return coming !== undefined && coming.weekday % 7 !== day.weekday;
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

const AMBIGUOUS = '{"kind":"ambiguous"';

/** Describes what a text means, to compare texts. Undefined if a part of the text isn't understood. */
function describeMeaning(reading: MomentsReading): string | undefined {
  const isWritten = (key: string) => key === 'words' || key === 'notes' || key === 'unparsedText';
  return isWhole(reading)
    ? JSON.stringify(reading, (key, value: unknown) => (isWritten(key) ? undefined : value))
    : undefined;
}
