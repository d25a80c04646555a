import type { DateTime } from 'luxon';
import type { DayExpression } from '../../expression.ts';
import { isFiller, isPlainFiller, isSentence } from '../../grammar/english/around.ts';
import {
  englishOf,
  inAnyLanguage,
  languageOf,
  languagesBesideEnglish,
  languagesOf,
  otherLanguageOf,
} from '../../grammar/languages.ts';
import type { OtherLanguage } from '../../grammar/read-grammar.ts';
import { MAX_LINE_LENGTH, readWithinLimits } from '../../limits.ts';
import { DEFAULT_LOCALE, type LimitedQuestion, type Question, readerOf } from '../../moment.ts';
import { datesWith } from '../../policy/candidates.ts';
import { readMoment } from '../../understand-moment.ts';
import { expectsMore, todayOf } from '../question.ts';
import { couldBeTime, whatIsSaid, wordsOfMoments, zoneWordsAfter } from '../ranges/find-range.ts';
import { beginsText, CAPITAL, countsNext, expectsDay, type Line, UNCOUNTED } from './begins-text.ts';
import {
  beginsWithPlatform,
  COPULA,
  expressionsOf,
  goesOnInText,
  type IsPlatform,
  isHourUnit,
  isNumberWord,
  isStartOfText,
  type Start,
} from './start-of-text.ts';
import { isWhole, type MomentsReading, readMoments } from './understand-moments.ts';

/** Longer lists of times are written before a colon. */
const MAX_WORDS = 14;

/** The search ends after this number of words that add nothing. "In a couple of hours" has four of them. */
const MAX_WORDS_WITHOUT_MEANING = 5;

/** Words that also stand beside a time in a sentence, but belong to the time: "a week from friday", "9 am". */
const TIME_DETERMINERS = /^(?:an?|am|this|coming|following|start|then|later)\W*$/i;

/** Days that begin many sentences in some language: "So machen wir das", "We are live". */
const LOOSE_DAY = new RegExp(`^(?:${inAnyLanguage(({ looseDays }) => looseDays)})\\W*$`, 'i');

/** Minutes that are likelier than a count: "18 Uhr 30 neue Folge". */
const QUARTERS = /^(?:15|30|45)$/;

interface LeadingMoments {
  /** The words at the start that name one or several moments. */
  words: string;
  /** The text after these words, unchanged except for spaces and commas at its start. */
  rest: string;
  said: ReturnType<typeof whatIsSaid> | undefined;
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
  typed: Question,
  { isStart = true, isPlatform = () => false }: Surroundings = {},
): LeadingMoments | undefined {
  const { text } = typed;
  // Phones write “new year’s eve”.
  const question = { ...typed, text: text.replaceAll('’', "'") };
  const found: Found = { end: 0, meaning: undefined, beginsLikeSentence: false, saysHour: false };
  // More words than fit into a line name no moment, and all prefixes share the steps of one reading.
  const words = [...question.text.slice(0, MAX_LINE_LENGTH + 1).matchAll(/\S+/g)]
    .filter(({ 0: word, index }) => index + word.length <= MAX_LINE_LENGTH)
    .slice(0, MAX_WORDS);
  const answer = (isText: (leading: string, rest: string) => boolean): LeadingMoments | undefined => {
    const leading = text.slice(0, found.end).trim().replace(/,$/, '');
    const rest = text.slice(found.end).replace(/^[\s,]+/, '');
    if (found.meaning === undefined) return undefined;
    const moments = { words: leading, rest, said: found.said };
    if (rest === '') return moments;
    // "4 for the price of 3", "two for one".
    if (!/\d{3}/.test(leading) && isNumberWord(leading, question.locale ?? DEFAULT_LOCALE)) return undefined;
    if (!isText(leading, rest)) return moments;
    const { shorter } = found;
    if (shorter === undefined || !COPULA.test(rest)) return undefined;
    delete found.shorter;
    Object.assign(found, shorter);
    return answer(isText);
  };
  return readWithinLimits({ text: '', tooLong: () => undefined }, (limits) => {
    const limited = { ...question, ...readerOf(question), limits };
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
  said?: LeadingMoments['said'];
  /** The prefix before a day that follows an hour, and may begin the text: "9am friday is", "9 uhr 24 mai ist". */
  shorter?: Pick<Found, 'end' | 'meaning' | 'said'>;
}

/** Reads the words of a line in the languages that they may be in. What they mean depends on what is found before them. */
function readLine(
  words: readonly string[],
  found: Readonly<Found>,
  question: LimitedQuestion,
  isPlatform: IsPlatform,
) {
  const { locale } = question;
  /** Before a meaning is found, no more words are read than can name the first. */
  const wordsRead = () =>
    found.meaning === undefined ? words.slice(0, MAX_WORDS_WITHOUT_MEANING + 1) : words;
  const likelyFor = new Map<string, readonly OtherLanguage[]>();
  const likelyLanguages = () => {
    const read = wordsRead().join(' ');
    const likely =
      likelyFor.get(read) ??
      languagesBesideEnglish().filter(({ hasTimeWord, prepare }) => hasTimeWord(prepare(read)));
    likelyFor.set(read, likely);
    return likely;
  };
  const allLikely = () => [...languagesOf(locale), ...likelyLanguages()];
  const isJoiner = (word: string) =>
    isPlainFiller(word) ||
    [otherLanguageOf(locale), ...likelyLanguages()].some(
      (language) => language?.isFiller(language.prepare(word)) === true,
    );
  let ofTimes: readonly boolean[] | undefined;
  const line: Line = {
    words,
    question,
    isPlatform,
    isJoiner,
    said: (text) => whatIsSaid(text, question, allLikely()),
    meaningOf: (text) => describeMeaning(readMoments({ ...question, text: text.trim() })),
    couldBelong(place) {
      ofTimes ??= wordsOfTimes(words, question, likelyLanguages());
      return ofTimes[place];
    },
    zoneWordsFrom: (place) => zoneWordsAfter(words.slice(place, place + MAX_PHRASE_WORDS), question),
    isGerman: () => allLikely().some((language) => language === otherLanguageOf('de')),
  };
  return {
    ...line,
    isOfMoment(place: number): boolean {
      const ofMoment = wordsOfMoments(wordsRead(), question, allLikely());
      if (found.meaning === undefined || ofMoment[place] !== true) return ofMoment[place] === true;
      const before = words[place - 1] ?? '';
      // After a time, "We" is a weekend and "Out" October only between more words for one: "4 y media", "2 de out".
      return (
        ofMoment[place + 1] === true ||
        isJoiner(before) ||
        expectsMore(before) ||
        wordsOfMoments(words, question, [englishOf(locale)])[place] === true
      );
    },
    /** Whether the word is a day only in other places than here. */
    isLooseDay: (place: number): boolean =>
      found.meaning !== undefined &&
      LOOSE_DAY.test(words[place] ?? '') &&
      place < words.length - 1 &&
      wordsOfMoments(words, question, allLikely())[place + 1] !== true,
  };
}

function extend(
  found: Found,
  words: readonly RegExpExecArray[],
  question: LimitedQuestion,
  isPlatform: IsPlatform,
): void {
  const line = readLine(
    words.map(([word]) => word),
    found,
    question,
    isPlatform,
  );
  let wordsWithoutMeaning = 0;
  for (const [place, { 0: word, index }] of words.entries()) {
    if (line.isLooseDay(place)) {
      // "Di und Do Neue Folge" is as much a list as "Fr und So Leute", so neither is taken apart.
      if (expectsMore(line.words[place - 1] ?? '') && !found.saysHour) found.meaning = undefined;
      return;
    }
    const isOfSentence = isWordOfSentence(line, place);
    if ((isOfSentence && !line.isOfMoment(place)) || wordsWithoutMeaning === MAX_WORDS_WITHOUT_MEANING)
      return;
    found.beginsLikeSentence ||= isOfSentence && place === 0;
    if (found.meaning !== undefined && line.couldBelong(place) === false) return;
    wordsWithoutMeaning += 1;
    // A list goes on after "and", and a range after "to", so up to there they mean nothing.
    const next = line.words[place + 1] ?? '';
    // A zone in "9am ET" and "9am et we open", not in "9am ET is back" and "9am et tout".
    const isEt = word === 'et' && (!/^\p{Ll}/u.test(next) || isSentence(next) || isPlatform(next));
    const namesZone = line.zoneWordsFrom(place) > 0 || (isEt && !otherLanguageOf(question.locale));
    const isZone = namesZone && !COPULA.test(`${next} `);
    if (expectsMore(word) && !isZone) continue;
    const end = index + word.length;
    const prefix = question.text.slice(0, end);
    const meaning = line.meaningOf(prefix);
    if (meaning === undefined) continue;
    const before = { words: question.text.slice(0, found.end).trim(), meaning: found.meaning };
    const added = { words: question.text.slice(found.end, end).trim(), meaning, place, prefix };
    const isText = isTextAfter(line, before, added);
    if (isText === true) return;
    if (isText === undefined || isIncomplete(line, before, added)) continue;
    const day = /^\d{1,2}$/.test(added.words) ? `${added.words} ${next}` : added.words;
    if (found.saysHour && line.said(day).saysDay)
      found.shorter = { end: found.end, meaning: found.meaning, said: found.said };
    found.end = end;
    found.meaning = meaning;
    found.said = line.said(prefix);
    found.saysHour = found.said.saysHour;
    wordsWithoutMeaning = 0;
  }
}

/** English sentences have words such as "we", "see" and "hello", and times don't, but "um 9 Uhr" is one. */
function isWordOfSentence({ words, isJoiner, zoneWordsFrom }: Line, place: number): boolean {
  const word = words[place] ?? '';
  return isSentence(word) && !TIME_DETERMINERS.test(word) && !isJoiner(word) && zoneWordsFrom(place) < 2;
}

interface Before {
  words: string;
  meaning: string | undefined;
}

/** Words after what is found, and the meaning of the `prefix` of the line that ends with them. */
interface Added extends Before {
  meaning: string;
  place: number;
  prefix: string;
}

/** Whether words after a moment belong to the text, although they have a meaning. Undefined if the next words decide. */
function isTextAfter(line: Line, { words: before, meaning }: Before, added: Added): boolean | undefined {
  if (beginsHours(line, added)) return true;
  // "The 12 days of Christmas".
  const counted = added.words.replace(/^(?:the|die|der|les|las|los|le|os|as|i|gli|de)\s/, '');
  if (meaning !== undefined && /^\d+(?:\s\S+)?$/.test(counted)) {
    const [number = '', unit] = counted.split(/\s/);
    const place = unit === undefined ? added.place : added.place - 1;
    if (countsNext(line, before, { number, place })) return true;
  }
  if (meaning !== undefined && isLengthOfText(line, counted, added.place)) return true;
  if (mayCountNext(line, before, added)) return undefined;
  return meaning !== undefined && beginsText(line, { words: before, meaning }, added);
}

/** "24 horas de ofertas", "24 uur open" and "24h open", unlike "24 Uhr", "24 uur op x" and "24h et dimanche 10h". */
function isLengthOfText(line: Line, words: string, place: number): boolean {
  const { question, isPlatform } = line;
  const [, hours = '', joined] = /^(\d{2,})\s?(\p{L}+)?$/u.exec(words) ?? [];
  const last = joined === undefined ? place + 1 : place;
  const unit = joined ?? line.words[last] ?? '';
  if (Number(hours) < 24 || /^uhr$/i.test(unit) || !isHourUnit(hours, unit, question.locale)) return false;
  const after = line.words.findIndex((word, i) => i > last && !line.isJoiner(word));
  const rest = line.words.slice(last + 1).join(' ');
  return line.couldBelong(after) === false && goesOnInText(rest, question, isPlatform);
}

/** "Tomorrow 5 reasons to come" means no hour, unlike "tomorrow at 5", and "Freitag 5 Tipps" no day but on a Friday. */
function mayCountNext(line: Line, before: string, { words, meaning, place, prefix }: Added): boolean {
  const { question, isPlatform } = line;
  const others = line.words.slice(place + 1);
  const [next = ''] = others;
  if (!/^\d{1,2}$/.test(words) || line.couldBelong(place + 1) !== false || UNCOUNTED.test(next)) return false;
  if (/\sore$/i.test(before) || expectsDay(line, before)) return false;
  if (beginsWithPlatform(others.join(' '), question, isPlatform)) return false;
  // "Tmrw 9 See you".
  if (meaning === line.meaningOf(`${before} at ${words}`)) return !(CAPITAL.test(next) && isSentence(next));
  // In German, counted things have capitals too.
  if (CAPITAL.test(next) && (!line.isGerman() || CAPITAL.test(others[1] ?? ''))) return false;
  const countsAfterTime = line.said(before).saysTime && !QUARTERS.test(words) && /^\p{L}/u.test(next);
  return (
    countsAfterTime || expressionsOf(prefix, question).some(({ day }) => isOnOtherDay(day, todayOf(question)))
  );
}

/** Whether words belong to the moment only if the next ones do: "New" before "York", "on", a picture. */
function isIncomplete(line: Line, before: Before, { words, meaning, place, prefix }: Added): boolean {
  if (line.zoneWordsFrom(place) > 1) return true;
  // "Dezember 9" before "Uhr" is no day.
  if (/\d$/.test(words) && isHourUnit(words, line.words[place + 1] ?? '', line.question.locale)) return true;
  if (meaning !== before.meaning) return false;
  // "Zet vrijdag 9 uur online de nieuwe winkel".
  if (/^online$/i.test(words) && /^zet$/i.test(line.words[0] ?? '')) return false;
  // "Uhr" belongs to the hour before it.
  const isUnit = isHourUnit(before.words, words, line.question.locale);
  const isPhrase = line.isJoiner(words) && !isPlainFiller(words);
  const isJoining = !isUnit && (isPhrase || words.split(/\s+/).every(line.isJoiner));
  // "Saturday 9am small" before "business saturday".
  const isRead = (text: string) =>
    readMoment({ ...line.question, text, mustBeWhole: true }).kind !== 'not-understood';
  const isLast = place === line.words.length - 1;
  const isUnread = !isLast && /^\p{L}+$/u.test(words) && isRead(before.words) && !isRead(prefix);
  return isJoining || isUnread || (!isLast && !/[\p{L}\d]/u.test(words));
}

/** Hours of a text in all languages: "9 to 5", "10 am – noon", "dalle 9 alle 17". */
const HOUR = `(?:ore\\s)?(?:\\d|1\\d|2[0-4])(?:[:.h]\\d\\d)?(?:\\s?(?:[ap]\\.?m\\.?|${inAnyLanguage(({ grammar }) => grammar.hourUnit)}))?`;
const [FROM, TO] = (['from', 'to'] as const).map((edge) => inAnyLanguage(({ edges }) => edges[edge]));
/** A time that ends a range after a dash. "24h", "5" and "noon" begin a text there ("3pm – 24h sale"), unless the line ends. */
const CLOCK = '\\s\\d{1,2}(?::\\d\\d|\\s?(?:[ap]\\.?m\\b|uhr\\b))';
const HOURS = new RegExp(
  `^(?:(?:${FROM})\\s)?(${HOUR})\\s(?:${TO}|[–—-](?=${CLOCK}|\\s\\p{L}+$))\\s(${HOUR}|\\p{L}+)(?=\\s|$)`,
  'iu',
);

/** Whether an hour begins a text such as "9 to 5 is over" or "9am to 5pm open house". "10 to 5" is a time. */
function beginsHours({ words: line, said, meaningOf }: Line, { words, place, prefix }: Added): boolean {
  const [hours = '', start = '', end = ''] = HOURS.exec([words, ...line.slice(place + 1)].join(' ')) ?? [];
  // "20h Às 21h começa" has a new sentence.
  if (/^\s\p{Lu}[\p{Ll}\s]/u.test(hours.slice(hours.indexOf(start) + start.length))) return false;
  const isRange = hours !== '' && (/^\d+$/.test(start) || !/^\d+$/.test(end)) && said(prefix).saysHour;
  const isTime = () => /\d/.test(end) || (said(end).saysTime && !said(end).saysHour);
  return isRange && isTime() && meaningOf(`${prefix}${hours.slice(words.length)}`) === undefined;
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
        ({ isFiller: joins, hasTimeWord, prepare }) => joins(prepare(word)) || hasTimeWord(prepare(word)),
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

/**
 * Describes what a text means, to compare texts. Undefined if a part of the text isn't understood. A date that doesn't
 * exist, such as "30 february", means another day.
 */
function describeMeaning(reading: MomentsReading): string | undefined {
  const isWritten = (key: string) => key === 'words' || key === 'notes' || key === 'unparsedText';
  return isWhole(reading) || 'suggestion' in reading
    ? JSON.stringify(reading, (key, value: unknown) => (isWritten(key) ? undefined : value))
    : undefined;
}
