import { type Expression, saysDay } from '../../expression.ts';
import { isFiller, isSentence } from '../../grammar/english/around.ts';
import { inAnyLanguage } from '../../grammar/languages.ts';
import type { LimitedQuestion } from '../../moment.ts';
import type { whatIsSaid } from '../ranges/find-range.ts';
import {
  beginsWithPlatform,
  COPULA,
  EPISODE,
  endsWithTime,
  expressionsOf,
  goesOnInText,
  type IsPlatform,
  isBarePeriod,
  isCount,
  isHourUnit,
  isNumberWord,
  isOnPlatform,
  isOrdinalWord,
  isSmallNumber,
  lastWordOf,
} from './start-of-text.ts';

export const CAPITAL = /^\p{Lu}/u;

/** The first word of a sentence, a quotation, or an emoji. */
const NEW_SENTENCE = /^[^\p{Ll}\d]/u;

/** "New York", "SF" and "Pacific", and not "Tokyo time", "Central European Time" and "CET". */
const CITY = /^(?:(?:\p{Lu}(?!ime|eit)\p{Ll}+|LA|NYC?|SF|DC|UK)(?:\s|$))+$/u;

/** Before these words "Eastern" and "Christmas Eve" belong to an hour, unlike in "Pacific blue" and "Black Friday starts". */
const PRONOUN = /^(?:i|we|you|it|they|our|my|your|this|here|there)$/i;

/** Numbers don't count these: "tomorrow 9 we open". */
export const UNCOUNTED = new RegExp(`${PRONOUN.source}|^(?:ich|wir|ihr|nous|vous|wij|noi)$`, 'i');

/** After a city, whose name begins that of the event: "New York Fashion Week". Other titles are in the city's zone. */
const EVENT = /^(?:\p{Lu}\S*\s)?(?:Week|Marathon|Festival|Pride|Derby|Fair|Open)(?![\p{L}\d])/u;

/** Before minutes or hours: "half past 9", "Viertel nach 9", "kwart voor 9". */
const BEFORE_HOUR = /^(?:past|to|till|nach|vor|over|voor)$/i;

const YEAR_PART = /^\p{Lu}[1-4]$/u;
const YEAR = /^20[2-9]\d$/;

/** German words that belong to an hour before them: "8 Uhr morgens". */
const OF_HOUR = /^(?:früh|morgens|(?:vor|nach)?mittags|abends|nachts)$/i;

/** "3", "3.", "3rd" and "1er", before a month. */
const DAY_NUMBER = /^\d{1,2}(?:\.|st|nd|rd|th|er?|[eè]?re|ste|[ºª°])?,?$/i;
const ORDINAL = /^\d{1,2}\D/;

/** "7" and "7:30", which a part of the day beside them completes, unlike "7pm", "19h" and "19:30". */
const BARE_HOUR = /(?<![\d:.])(?:\d{1,2}|(?:0?\d|1[0-2])[:.]\d\d)(?:\so['’]?clock)?$/;

/** Before other words for a time: "9am this friday". */
const LEADS_TO_TIME = /^(?:this|then|start)$/i;

/** After a number, which is then no hour: "20 %", "3 for 2". "3 voor 2" is a time in Dutch. */
const CURRENCY =
  /^(?:%|[€$£¥](?!\d)|(?:pro[csz]ent|per\s?cent|euros?|eur|cents?|dollars?|dólares|pounds|reais)(?!\p{L}))/iu;
const MULTIBUY = /^(?:for|für|pour|por|per)$/i;

/** How the description of an ambiguous time begins, and what that of a past one has. */
const AMBIGUOUS = '{"kind":"ambiguous"';
const PAST = /"kind":"past"/;

const edgeWords = (edge: 'from' | 'to') =>
  new RegExp(`^(?:${inAnyLanguage(({ edges }) => edges[edge])})(?:\\s|$)`, 'i');
const FROM = edgeWords('from');
const TO = edgeWords('to');

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
  /** Whether a word can join others to the time: "on", "de". */
  isJoiner(word: string): boolean;
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
    !line.isPlatform(word) &&
    !isOnPlatform(line.words.slice(place).join(' '), line.question, line.isPlatform)
  );
}

function isFeast(words: string, question: LimitedQuestion): boolean {
  return expressionsOf(words, question).some(
    ({ day }) => day?.kind === 'date' && day.pastDates !== undefined,
  );
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
  const { question } = line;
  const [next = '', afterNext] = line.words.slice(place + 1).map((word) => word.replace(/[,.!?]$/, ''));
  if (CURRENCY.test(next)) return true;
  if (expectsDay(line, before) || YEAR.test(number) || BEFORE_HOUR.test(lastWordOf(before))) return false;
  if (MULTIBUY.test(next) && /^\d/.test(afterNext ?? '')) return true;
  // "In two weeks 3 days" is a duration, unlike "in 2 hours 5 days to go".
  const [counted] = expressionsOf(`${number} ${next}`, question);
  const isDuration = expressionsOf(before, question).some(
    ({ fromNow, day }) => day === undefined && Number(fromNow ?? 0) > Number(counted?.fromNow ?? 0),
  );
  if (isDuration || !isCount(`${number} ${next}`, question)) return false;
  const isHour = isHourUnit(number, next, question.locale);
  return !isHour || (Number(number) > 23 && afterNext !== undefined && !CAPITAL.test(afterNext));
}

/** Whether a number after the words is a day of the month: "4pm wed dec". */
export function expectsDay({ said }: Line, before: string): boolean {
  return [before, lastWordOf(before)].some((words) => !said(words).saysDay && said(`${words} 1`).saysDay);
}

type Answer = boolean | undefined;

/**
 * Kinds of words after a moment, and whether the text begins with them; the first kind that fits counts. Undefined if
 * the next word decides.
 */
const KINDS: readonly (readonly [
  fits: (added: Added) => boolean,
  isText: Answer | ((added: Added) => Answer),
])[] = [
  // "9am new york", unlike "new york is calling".
  [
    ({ words, place, zoneEnd }) => zoneEnd === place + 1 && /^\P{Lu}+\s\P{Lu}+$/u.test(words),
    ({ next }) => COPULA.test(`${next} `),
  ],
  // "9am ET tomorrow - Early bird pricing ends", unlike "9am tomorrow - London time".
  [
    ({ line, words, start, hasDay, hasTime }) =>
      /^[–—-]\s\D+$/.test(words) && hasDay && hasTime && line.zoneWordsFrom(start + 1) === 0,
    true,
  ],
  // "7pm Dinner for two", "noon lunch special" and "9h soirée pizza", unlike "9h soirée" and "7 evening".
  [isTextAboutPart, true],
  // "11am 1st birthday party" and "9 Uhr 1. Folge", unlike "11am 1st of december" and "7pm december 24th party".
  [
    (added) =>
      ORDINAL.test(added.words) &&
      DAY_NUMBER.test(added.words) &&
      added.hasTime &&
      !UNCOUNTED.test(added.next ?? '') &&
      !completesDay(added),
    isTextAfterOrdinal,
  ],
  // "18 Uhr Zwei Tage bis zum Start" and "18時 あと1日", unlike "18 Uhr in zwei Tagen".
  [
    ({ line, words, next, hasTime }) =>
      hasTime &&
      (/^あと\d/.test(words) ||
        (CAPITAL.test(words) && [words, `${words} ${next}`].some((each) => isCount(each, line.question)))),
    true,
  ],
  // "9 Uhr zwei neue Folgen" and "9 pm a new era", unlike "9 Uhr dreißig neue Folge".
  [
    (added) =>
      isSmallNumber(added.words, added.line.question) &&
      !UNCOUNTED.test(added.next ?? '') &&
      added.hasTime &&
      (isContinued(added.line, added.place + 1) || isCountOfText(added)),
    true,
  ],
  // "9am this weekend only", unlike "9am this friday".
  [({ words, next, isSame }) => isSame && next !== undefined && LEADS_TO_TIME.test(words), undefined],
  // "friday 9am today we open", "tue 9am tomorrow we open", "friday 9am halloween party".
  [isTextAboutOtherDay, true],
  // "wed 11am midweek reset" and, on a friday, "tomorrow 9am sat down with Dana".
  [
    ({ line, words, place, isSame, hasDay, hasTime }) =>
      isSame &&
      hasDay &&
      hasTime &&
      /^\p{Ll}{3,}$/u.test(words) &&
      line.said(words).saysDay &&
      isContinued(line, place + 1),
    true,
  ],
  // "mo 9 uhr vom 1. bis 24. dezember täglich ein türchen": a range after a whole time.
  [({ words, next = '', hasDay, hasTime }) => FROM.test(words) && TO.test(next) && hasDay && hasTime, true],
  // "monday 9am this week only", where this week's Monday is over, unlike "today 9am CET" and "friday 9am 2026-11-20".
  [
    ({ line, words, place, start, zoneEnd, meaning, meaningBefore, hasDay, hasTime }) =>
      hasDay &&
      hasTime &&
      PAST.test(meaning) &&
      !PAST.test(meaningBefore) &&
      !(zoneEnd > start || /\d/.test(words) || line.said(words).saysPart) &&
      goesOnInText(line.words.slice(place + 1).join(' '), line.question, line.isPlatform),
    true,
  ],
  // "monday 10am week 2 of our challenge".
  [({ line, start, hasTime }) => hasTime && EPISODE.test(line.words.slice(start).join(' ')), true],
  // "Di 9 Uhr Am 5.12. um 18 Uhr": German has capitals for such words only at the start of a sentence.
  [
    ({ line, words, hasDay, hasTime }) =>
      /^(?:A[bm]|Bis|[IU]m|Vo[mn])\s/.test(words) && hasDay && hasTime && line.isGerman(),
    true,
  ],
  // "friday noon", "friday, Noon". All later kinds have a capital.
  [({ words, before }) => !CAPITAL.test(words) || /[,;]$/.test(before), false],
  // "friday 9am Q4 numbers are in".
  [({ words, next, hasTime }) => hasTime && next !== undefined && YEAR_PART.test(words), true],
  // "friday December 1 we are live", unlike "friday At 5 we close".
  [({ words }) => /(?<!\d)\d{1,3}(?!\d)/.test(words), isSentenceWithNumber],
  // "9am New" before "York".
  [({ place, zoneEnd }) => zoneEnd > place + 1, undefined],
  // "9am CET", and "9am London We are live", unlike "9am London calling".
  [({ start, zoneEnd }) => zoneEnd > start, isTextAboutCity],
  // "9 Uhr", "in 2 Stunden".
  [({ line, words, before }) => isHourUnit(before, words, line.question.locale), false],
  [({ line, words, hasDay }) => !hasDay || isCount(`2 ${words}`, line.question), false],
  // "3 March".
  [
    ({ line, words, lastWord, isDay }) =>
      !isDay && DAY_NUMBER.test(lastWord) && line.said(`${lastWord} ${words}`).saysDay,
    false,
  ],
  // "Am ersten Montag im Dezember", "im 1. Quartal".
  [({ line, lastWord }) => /^\d{1,2}\.$/.test(lastWord) || isOrdinalWord(lastWord, line.question), false],
  // "Christmas Eve".
  [({ line, words, lastWord, isDay }) => !isDay && isFeast(`${lastWord} ${words}`, line.question), false],
  // "Easter Monday".
  [
    ({ line, words, lastWord, hasTime }) =>
      !hasTime &&
      CAPITAL.test(lastWord) &&
      expressionsOf(words, line.question).some(({ day }) => day?.kind === 'weekday'),
    false,
  ],
  // "friday Noon We are live" and "Thursday 6pm Christmas Eve we are live", unlike "friday 7pm Tonight We dance".
  [
    ({ line, words, next }) =>
      next === undefined ||
      NEW_SENTENCE.test(next) ||
      (PRONOUN.test(next) && words.includes(' ') && isFeast(words, line.question)),
    isTextBeforeSentence,
  ],
  // "Freitag Abend", "Friday Evening".
  [
    ({ line, words, before, lastWord, hasTime, isToday }) =>
      !(isToday || hasTime || line.said(lastWord).saysPart) &&
      line.said(`${lastWord} ${words}`).saysPart &&
      (line.isGerman() || CAPITAL.test(before)),
    false,
  ],
  // "friday May 4", unlike "friday May sale" and "friday Dinner for two".
  [() => true, ({ next = '', goesOn }) => (/^\d/.test(next) && goesOn() ? undefined : true)],
];

interface Words {
  words: string;
  meaning: string;
}

/** Words after a moment, the place of the last of them, and what is known of them and of the moment. */
type Added = ReturnType<typeof addedAfter>;

function addedAfter(
  line: Line,
  { words: before, meaning: meaningBefore }: Words,
  { words, meaning, place }: Words & { place: number },
) {
  const start = place + 1 - words.split(/\s+/).length;
  const next = line.words[place + 1];
  return {
    ...{ line, words, place, next, before, meaning, meaningBefore },
    /** The place of the first of the words. */
    start,
    /** The place after the zone that begins with the words. */
    zoneEnd: start + line.zoneWordsFrom(start),
    lastWord: lastWordOf(before),
    /** Whether they change nothing. */
    isSame: meaning === meaningBefore,
    isAmbiguous: meaning.startsWith(AMBIGUOUS),
    contradicts: meaning.startsWith(AMBIGUOUS) && !meaningBefore.startsWith(AMBIGUOUS),
    // What is said before, and by the words. Read only if a kind asks, because reading takes steps.
    get hasDay() {
      return line.said(before).saysDay;
    },
    get hasTime() {
      return line.said(before).saysTime;
    },
    get isDay() {
      return line.said(words).saysDay;
    },
    get isToday() {
      return line.said(words).isToday;
    },
    /** Whether the next word belongs to the moment too. */
    goesOn: () => next !== undefined && line.meaningOf(`${before} ${words} ${next}`) !== undefined,
  };
}

/** Whether words after a moment begin the text. Undefined if the next word decides. */
export function beginsText(...words: Parameters<typeof addedAfter>): Answer {
  const added = addedAfter(...words);
  const [, isText] = KINDS.find(([fits]) => fits(added)) ?? [];
  return typeof isText === 'function' ? isText(added) : isText;
}

/** "Deux jours de fête" and "two days in a row", unlike "two days before christmas" and "a week from friday". */
function isCountOfText({ line, words, place, next }: Pick<Added, 'line' | 'words' | 'place' | 'next'>) {
  const after = line.words.findIndex((word, i) => i > place + 1 && word !== 'a' && !line.isJoiner(word));
  return line.couldBelong(after) === false && isCount(`${words} ${next}`, line.question);
}

/** "1st birthday party", "1st come, 1st served" and "1st day of sale". After "1st," and before "then" it's a date. */
function isTextAfterOrdinal({ line, words, place, next = '' }: Added): boolean {
  if (isContinued(line, place + 1)) return true;
  if (words.endsWith(',') || LEADS_TO_TIME.test(next)) return false;
  if (isCountOfText({ line, words: '2', place, next })) return true;
  if (line.isGerman()) return line.couldBelong(place + 1) === false;
  return /^\p{Ll}/u.test(next) && isSentence(next) && !isFiller(next);
}

function isSentenceWithNumber({ line, words, place, before, hasDay, isDay }: Added): boolean {
  if (!hasDay || isDay || CAPITAL.test(before) || line.isGerman()) return false;
  return /^\p{Lu}\p{Ll}*\s\d+$/u.test(words) && isContinued(line, place + 1);
}

/** "9am Pacific blue is back", "9am New York Fashion Week" and "9am New York, here we come", unlike "9am Berlin, x". */
function isTextAboutCity({ line, words, zoneEnd, next, hasTime }: Added): boolean {
  if (!CITY.test(words.replace(/,$/, '')) || next === undefined) return false;
  const rest = line.words.slice(zoneEnd).join(' ');
  if (!hasTime) return true;
  if (words.endsWith(',')) return !beginsWithPlatform(rest, line.question, line.isPlatform);
  // "LA Lakers", "NY Times" and "LA NOCHE".
  if (/^(?:LA|NY)$/.test(words) && CAPITAL.test(next)) return true;
  return !PRONOUN.test(next) && (isContinued(line, zoneEnd) || EVENT.test(rest));
}

const isPart = ({ part, ...others }: Expression) => part !== undefined && !saysDay(others);

/** Whether the words are the name of a part of the day, and the text is about it. */
function isTextAboutPart({ line, words, place, before, isSame, contradicts }: Added): boolean {
  const { question, isPlatform } = line;
  if (!/^\p{L}{3,}$/u.test(words) || OF_HOUR.test(words)) return false;
  const isPartName = (word: string) => expressionsOf(word, question).some(isPart);
  // "10am late night shopping".
  const isPassed = (word: string) => line.isJoiner(word) || ((isSame || contradicts) && isPartName(word));
  const next = line.words.findIndex((word, index) => index > place && !isPassed(word));
  const rest = line.words.slice(place + 1).join(' ');
  const isContinuing = line.couldBelong(next) === false && !isOnPlatform(rest, question, isPlatform);
  const canBeText = isSame
    ? CAPITAL.test(words) || isContinuing
    : !BARE_HOUR.test(before) &&
      !isNumberWord(lastWordOf(before), question.locale) &&
      isContinuing &&
      !/^(?:\p{Lu}|\d)/u.test(rest) &&
      !UNCOUNTED.test(line.words[next] ?? '');
  return canBeText && isPartName(words) && endsWithTime(before, question);
}

function isTextAboutOtherDay(added: Added): boolean {
  const { line, words, before, place, next, contradicts } = added;
  // "Monday 9am 4.5 stars" and "friday 10am 1/2 price".
  const isDecimal = /^\d\.\d$/.test(words) && line.question.locale.startsWith('en');
  const isFraction = isDecimal || (/^[1-3]\/[2-5]$/.test(words) && added.hasTime);
  if (!added.hasDay || next === undefined || (/\d/.test(words) && !isFraction)) return false;
  if (added.isToday && !line.said(before).isToday) return added.hasTime || contradicts;
  if (words !== words.toLowerCase() || !isContinued(line, place + 1)) return false;
  if (isFraction) return true;
  // "Friday christmas trees are in", "monday 9am weekend vibes", unlike "monday 9am CST we open".
  if (isFeast(words, line.question)) return contradicts || !PRONOUN.test(next);
  if (!added.hasTime || !expressionsOf(words, line.question).some(saysDay)) return false;
  return contradicts || (isBarePeriod(words, line.question) && !PRONOUN.test(next));
}

/** Whether an ordinal is the day of the month or week before it: "december 24th", "monday 7th". */
function completesDay({ line, lastWord, isAmbiguous }: Added): boolean {
  const isMonth = !line.said(lastWord).saysDay && line.said(`${lastWord} 1`).saysDay;
  const isWeekday = expressionsOf(lastWord, line.question).some(({ day }) => day?.kind === 'weekday');
  return isMonth || (isWeekday && !isAmbiguous);
}

/** Before a new sentence or the end, words are a text only if they contradict the moment or say nothing new. */
function isTextBeforeSentence(added: Added): Answer {
  const { words, next, hasTime, isDay, isToday } = added;
  if (!hasTime || (next === undefined && OF_HOUR.test(words))) return false;
  if (isToday || !isDay || /\d/.test(words)) return true;
  const isText = added.isSame || added.isAmbiguous;
  return isText && added.goesOn() ? undefined : isText;
}
