import type { Expression } from '../../expression.ts';
import { isFiller } from '../../grammar/english/around.ts';
import { withoutAccents } from '../../grammar/european/vocabulary.ts';
import { LANGUAGE_CODES, readingWordsOf } from '../../grammar/languages.ts';
import { readWords } from '../../grammar/read-words.ts';
import type { LimitedQuestion, Question } from '../../moment.ts';
import { todayOf } from '../question.ts';
import type { whatIsSaid } from '../ranges/find-range.ts';
import { readingLexicons } from '../reading-lexicon.ts';

const WORDS = LANGUAGE_CODES.map(readingWordsOf);

/** "Sun is out", "now hiring" and "8h left" don't begin with a time; "sat We are live" does. */
const ORDINARY_WORDS = /^(?:sun|sat|wed|now|\d+\s?h)$/i;

/** A sentence is about the time before such a word: "friday is the day", "Freitag ist Pizzatag". */
const COPULA = new RegExp(`^(?:${WORDS.map(({ copulas }) => copulas).join('|')})\\s`);

/** A new sentence: "We are live", and not "sale" or "Gift Guide". */
const SENTENCE = /^\P{Ll}\S*(?:\s+\P{Lu}|\s*$)/u;

/** Emoji before a sentence. */
const PICTURES = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|\u200D|\s)+/u;

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

/** No word of a title is in small letters or has figures. */
const IN_CAPITALS = /^\p{Lu}[\p{L}'’.]*(?:\s+\p{Lu}[\p{L}'’.]*)*\s*$/u;

export const CAPITAL = /^\p{Lu}/u;

/** The first word of a sentence, a quotation, or an emoji. */
const NEW_SENTENCE = /^[^\p{Ll}\d]/u;

/** "New York" and "Pacific", and not "Tokyo time", "Central European Time" and "CET". */
const CITY = /^(?:\p{Lu}(?!ime|eit)\p{Ll}+(?:\s|$))+$/u;

/** Before these words "Eastern" and "Christmas Eve" belong to an hour, unlike in "Pacific blue" and "Black Friday starts". */
const PRONOUN = /^(?:i|we|you|it|they|our|my|your|this|here|there)$/i;

/** Before minutes or hours: "half past 9", "Viertel nach 9", "kwart voor 9". */
const BEFORE_HOUR = /^(?:past|to|till|nach|vor|over|voor)$/i;

const YEAR = /^20[2-9]\d$/;

/** "9 Am" isn't in the morning: a German text begins with "Am Stand". */
const HOUR_UNITS = [
  /\d\s(?:am|AM|A\.M)\W*$/,
  new RegExp(
    `\\d\\s(?!circa)(?:pm|p\\.m|${WORDS.map(({ grammar }) => grammar.hourUnit).join('|')})\\W*$`,
    'i',
  ),
];

/** German words that belong to an hour before them: "8 Uhr morgens". */
export const OF_HOUR = /^(?:früh|morgens|(?:vor|nach)?mittags|abends|nachts)$/i;

/** "3", "3.", "3rd" and "1er", before a month. */
const DAY_NUMBER = /^\d{1,2}(?:\.|st|nd|rd|th|er?|[ºª°])?,?$/i;

/** After a number, which is then no hour: "20 %", "3 for 2". "3 voor 2" is a time in Dutch. */
const CURRENCY = /^(?:%|[€$£¥](?!\d))/;
const MULTIBUY = /^(?:for|für|pour|por|per)$/i;

/** How the description of an ambiguous time begins. */
const AMBIGUOUS = '{"kind":"ambiguous"';

export type IsPlatform = (word: string, nextWord?: string) => boolean;

/** Words for a moment at the start of a text, and the rest of it. */
interface Start {
  leading: string;
  rest: string;
  /** Whether a title can begin here. */
  isStart: boolean;
  isPlatform: IsPlatform;
  /** The first word is one of everyday sentences, such as "end" and "good". */
  beginsLikeSentence: boolean;
  /** An hour is said, so it's no title. */
  saysHour: boolean;
}

/**
 * Whether the words begin a text: "friday is the day", "end of year sale", "Monday Motivation", "So Leute", "two days
 * left". After an hour, "will you join us?" is a text of its own.
 */
export function isStartOfText(start: Start, question: LimitedQuestion): boolean {
  const { leading, rest, isPlatform, saysHour, beginsLikeSentence } = start;
  if (COPULA.test(rest)) return !(saysHour && rest.includes('?'));
  if (!saysHour) {
    const isTitle = start.isStart && IN_CAPITALS.test(leading) && isDayName(leading, question);
    if (isTitle && isRestOfTitle(rest, isPlatform)) return !isFiller(rest);
    if (isHalfYear(leading, question)) return true;
  }
  const isOrdinary =
    ORDINARY_WORDS.test(leading) ||
    (isCount(leading.replaceAll(/\s+/g, ' '), question) && !isOnPlatform(rest, question, isPlatform));
  if (!isOrdinary && (saysHour || !beginsLikeSentence)) return false;
  const isOneWord = beginsLikeSentence && !leading.includes(' ');
  return isOneWord || TITLE.test(leading) || !SENTENCE.test(rest.replace(PICTURES, ''));
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
export function isOnPlatform(text: string, { locale = 'en-US' }: Question, isPlatform: IsPlatform): boolean {
  const [preposition = '', name = '', nextWord] = text.split(NO_LETTERS).filter((word) => word !== '');
  const isBefore =
    BEFORE_PLATFORM.test(preposition) ||
    (locale.startsWith('pt') && BEFORE_PLATFORM_IN_PORTUGUESE.test(preposition));
  return isBefore && isPlatform(name, nextWord);
}

/** A line that starts with a moment, and what is known about its words. */
export interface Line {
  words: readonly string[];
  question: LimitedQuestion;
  isPlatform: IsPlatform;
  said(text: string): ReturnType<typeof whatIsSaid>;
  /** Describes what a text means. Undefined if a part of it isn't understood. */
  meaningOf(text: string): string | undefined;
  /** False if the word at this place belongs to no time. */
  couldBelong(place: number): boolean | undefined;
  /** The number of words from this place on that name a zone. */
  zoneWordsFrom(place: number): number;
  /** Whether nouns may have capitals. */
  isGerman(): boolean;
}

/** Whether a word goes on with a sentence, so that the words before it belong to the sentence. */
function isContinued(line: Line, place: number): boolean {
  const word = line.words[place] ?? '';
  return (
    /^\p{Ll}(?!\S*:)/u.test(word) &&
    (line.couldBelong(place) === false || COPULA.test(`${word} `)) &&
    !isOnPlatform(line.words.slice(place).join(' '), line.question, line.isPlatform)
  );
}

const lastWordOf = (words: string) => words.split(/\s+/).at(-1) ?? '';

function isOrdinalWord(word: string, { locale = 'en-US' }: LimitedQuestion): boolean {
  const plain = withoutAccents(word).toLowerCase();
  return readingLexicons(locale).some(({ ordinals }) => ordinals.meaningOf(plain) !== undefined);
}

function isFeast(words: string, question: LimitedQuestion): boolean {
  return expressionsOf(words, question).some(
    ({ day }) => day?.kind === 'date' && day.pastDates !== undefined,
  );
}

/** Whether the words are a unit such as "Uhr" after an hour. */
export function isHourUnit(before: string, words: string, locale = 'en-US'): boolean {
  const lastWord = lastWordOf(before);
  const isNumber = readingLexicons(locale).some(({ numberOf }) => numberOf(lastWord) !== undefined);
  return HOUR_UNITS.some((unit) => unit.test(`${isNumber ? 1 : before} ${words}`));
}

/**
 * Whether a number after a moment counts the next thing: "20 %", "10 years", "3 for 2". After a month, it's a day: "May 4
 * Second chance".
 */
export function countsNext(
  line: Line,
  before: string,
  { number, place }: { number: string; place: number },
): boolean {
  const { said, question } = line;
  const lastWord = lastWordOf(before);
  const isDay = [before, lastWord].some((words) => !said(words).saysDay && said(`${words} 1`).saysDay);
  if (isDay || YEAR.test(number) || BEFORE_HOUR.test(lastWord)) return false;
  const [next = '', afterNext] = line.words.slice(place + 1);
  if (CURRENCY.test(next) || (MULTIBUY.test(next) && /^\d/.test(afterNext ?? ''))) return true;
  // "In two weeks 3 days" is a duration.
  const isDuration = expressionsOf(before, question).some(
    ({ fromNow, day }) => fromNow !== undefined && day === undefined,
  );
  if (isDuration || !isCount(`${number} ${next}`, question)) return false;
  const isHour = isHourUnit(number, next, question.locale);
  return !isHour || (Number(number) > 23 && afterNext !== undefined && !CAPITAL.test(afterNext));
}

/**
 * Whether words with a capital after a day begin the text: "friday Dinner for two", "friday 7pm Tonight we dance". Before
 * a new sentence or the end, they belong to the time unless they contradict it. Undefined if the next word decides:
 * "friday May 4", "Thursday 6pm Christmas Eve", "9am New York".
 */
export function beginsText(
  line: Line,
  { before, meaning: meaningBefore }: { before: string; meaning: string },
  { words, meaning, place }: { words: string; meaning: string; place: number },
): boolean | undefined {
  const { said, question } = line;
  const start = place + 1 - words.split(/\s+/).length;
  const zoneEnd = start + line.zoneWordsFrom(start);
  const next = line.words[place + 1];
  // "New york is calling" is a sentence.
  if (zoneEnd === place + 1 && /^\P{Lu}+\s\P{Lu}+$/u.test(words)) return COPULA.test(`${next} `);
  if (!CAPITAL.test(words) || /[,;]$/.test(before)) return false;
  const { saysDay: hasDay, saysTime: hasTime } = said(before);
  const { saysDay: isDay, isToday } = said(words);
  // "Friday December 1 we are live" has a date, unlike "friday At 5 we close".
  if (/(?<!\d)\d{1,3}(?!\d)/.test(words)) {
    const isSentence = /^\p{Lu}\p{Ll}*\s\d+$/u.test(words) && isContinued(line, place + 1);
    return isSentence && hasDay && !isDay && !CAPITAL.test(before) && !line.isGerman();
  }
  if (zoneEnd > place + 1) return undefined;
  if (zoneEnd > start) {
    if (!CITY.test(words.replace(/,$/, ''))) return false;
    if (next === undefined || (hasTime && !words.endsWith(',') && PRONOUN.test(next))) return false;
    return !hasTime || words.endsWith(',') || isContinued(line, zoneEnd);
  }
  // "9 Uhr", "in 2 Stunden" and "3 March" are times.
  const isUnit = isHourUnit(before, words, question.locale) || isCount(`2 ${words}`, question);
  const lastWord = lastWordOf(before);
  // "Am ersten Montag im Dezember", "im 1. Quartal".
  const isOrdinal = /^\d{1,2}\.$/.test(lastWord) || isOrdinalWord(lastWord, question);
  // "Christmas Eve", and a feast of several words after an hour: "Thursday 6pm Christmas Eve".
  const isRestOfFeast = !isDay && isFeast(`${lastWord} ${words}`, question);
  const isWholeFeast = PRONOUN.test(next ?? '') && words.includes(' ') && isFeast(words, question);
  const isMonth = !isDay && DAY_NUMBER.test(lastWord) && said(`${lastWord} ${words}`).saysDay;
  // "Easter Monday" is one day.
  const isWeekday =
    CAPITAL.test(lastWord) && expressionsOf(words, question).some(({ day }) => day?.kind === 'weekday');
  if (!hasDay || isUnit || isMonth || isOrdinal || isRestOfFeast || (isWeekday && !hasTime)) return false;
  const goesOn = () => next !== undefined && line.meaningOf(`${before} ${words} ${next}`) !== undefined;
  if (next === undefined || isWholeFeast || NEW_SENTENCE.test(next)) {
    if (!hasTime || (next === undefined && OF_HOUR.test(words))) return false;
    if (isToday || !isDay || /\d/.test(words)) return true;
    const isText = meaning === meaningBefore || meaning.startsWith(AMBIGUOUS);
    return isText && goesOn() ? undefined : isText;
  }
  const isPart = !isToday && !hasTime && !said(lastWord).saysPart && said(`${lastWord} ${words}`).saysPart;
  if (isPart && (line.isGerman() || CAPITAL.test(before))) return false;
  return /^\d/.test(next) && goesOn() ? undefined : true;
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

export function expressionsOf(words: string, question: LimitedQuestion): readonly Expression[] {
  const { locale = 'en-US', limits } = question;
  const read = readWords(words, todayOf(question), { locale, limits, tryOtherLanguages: true });
  return read.kind === 'read' ? read.expressions : [];
}
