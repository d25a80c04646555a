import { type Expression, saysTimeOnly } from '../../expression.ts';
import { isFiller } from '../../grammar/english/around.ts';
import { group, withoutAccents } from '../../grammar/european/vocabulary.ts';
import { inAnyLanguage } from '../../grammar/languages.ts';
import { readWords, saysNow } from '../../grammar/read-words.ts';
import type { LimitedQuestion } from '../../moment.ts';
import { perLanguage, type ReadingLexicon, readingLexicons, todayOf } from '../question.ts';

/** "Now hiring", "Right now we" and "8h left" don't begin with a time. */
const ORDINARY_WORDS = /^(?:now|\d+\s?h)$/i;
/** "14h sur x", unlike "24h on Instagram". */
const HOUR = /^(?:1?\d|2[0-3])\s?h$/i;

/** "Sun is out" doesn't begin with a time; "sat We are live" and "sat on x" do. */
const ORDINARY_DAYS = /^(?:sun|sat|wed)$/i;

/** A sentence is about the time before such a word: "friday is the day", "Freitag ist Pizzatag". */
export const COPULA = new RegExp(`^(?:${inAnyLanguage(({ copulas }) => copulas)})\\s`);

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

/** "Weekend for Harbour Coffee" says for which project. */
const BEFORE_PROJECT = /^(?:for|für|pour|para|per|por|voor)\s+["“„«]?\p{Lu}/iu;

/** "Better late than never". */
const RATHER = /^(?:besser|lieber|mejor|la\s+mejor|meglio)\s+/i;

/** "Week 2 of our challenge", unlike "Week 50 We are live". */
export const EPISODE = new RegExp(
  `^(?:${inAnyLanguage(({ stretches }) => stretches.calendarWeek.replace('#', '\\d+'))})\\s(?:of|de|du|del|della|di|do|da|von|unserer|unseres|van|onze)\\s`,
  'i',
);

const NO_LETTERS = /\P{L}+/u;

/** No word of a title is in small letters or has figures. */
const IN_CAPITALS = /^\p{Lu}[\p{L}'’.]*(?:\s+\p{Lu}[\p{L}'’.]*)*\s*$/u;

export type IsPlatform = (word: string, nextWord?: string) => boolean;

/** Words for a moment at the start of a text, and the rest of it. */
export interface Start {
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
  // The French "sera" is the Italian evening.
  const isPart = () =>
    expressionsOf(rest.split(' ', 1)[0] ?? '', question).some(({ part }) => part !== undefined);
  if (COPULA.test(rest) && !isPart()) return !(saysHour && rest.includes('?'));
  if (EPISODE.test(`${leading} ${rest}`)) return true;
  const isBare = !saysHour && isBarePeriod(leading, question);
  if (!saysHour) {
    const isTitle = start.isStart && IN_CAPITALS.test(leading) && (isBare || isDayName(leading, question));
    if (isTitle && isRestOfTitle(rest, isPlatform)) return !isFiller(rest);
    const plain = withoutAccents(leading).replace(/\W+$/, '');
    const isHalf = ({ yearParts }: ReadingLexicon) => yearParts.meaningOf(plain)?.unit === 'half';
    if (readingLexicons(question.locale).some(isHalf)) return true;
  }
  const saysWhereTo = () => beginsWithPlatform(rest, question, isPlatform);
  const isOrdinary =
    (ORDINARY_WORDS.test(leading) && !(HOUR.test(leading) && saysWhereTo())) ||
    (ORDINARY_DAYS.test(leading) && (!saysWhereTo() || goesOnAfterPlatform(rest, isPlatform))) ||
    (/^\p{Lu}/u.test(leading) && saysNow(leading, question.locale) && !saysWhereTo()) ||
    (isBare && !BEFORE_PROJECT.test(rest) && !saysWhereTo()) ||
    (!leading.endsWith('後') &&
      isCount(leading.replaceAll(/\s+/g, ' '), question) &&
      !isOnPlatform(rest, question, isPlatform));
  if (!isOrdinary && (saysHour || !beginsLikeSentence || saysWhereTo())) return false;
  const isOneWord = beginsLikeSentence && !leading.includes(' ');
  return isOneWord || TITLE.test(leading) || !SENTENCE.test(rest.replace(PICTURES, ''));
}

/** Not before "for Harbour Coffee" and "at 9". */
const AFTER_PLATFORM =
  /^\S+\s+\S+\s+(?:all|and|but|by|for(?!\s+\p{Lu})|in|is|of|or|was|with|(?:at|from)(?!\s+\d))\s+(\S+)/u;

/** "Sat on x for two hours" and "wed on instagram and happy", unlike "sat on x and linkedin". */
function goesOnAfterPlatform(rest: string, isPlatform: IsPlatform): boolean {
  const [, next = ''] = AFTER_PLATFORM.exec(rest) ?? [];
  return next !== '' && !isPlatform(next.split(NO_LETTERS, 1)[0] ?? '');
}

/** "Monday Threads" and "Friday Sale - on x" say where to, so they are no titles. */
function isRestOfTitle(rest: string, isPlatform: IsPlatform): boolean {
  const [title] = REST_OF_TITLE.exec(rest) ?? [];
  if (title === undefined) return false;
  const [first = ''] = rest.split(NO_LETTERS, 1);
  const after = rest.slice(title.length).split(NO_LETTERS).filter(Boolean).slice(0, 2);
  return !isPlatform(first) && !after.some((word) => isPlatform(word));
}

/** Whether a text begins like "on linkedin". */
export function isOnPlatform(text: string, { locale }: LimitedQuestion, isPlatform: IsPlatform): boolean {
  const [preposition = '', name = '', nextWord] = text.split(NO_LETTERS).filter((word) => word !== '');
  const isPortuguese = locale.startsWith('pt') && /^no$/i.test(preposition);
  return (isPortuguese || BEFORE_PLATFORM.test(preposition)) && isPlatform(name, nextWord);
}

/** Whether a text begins like "on linkedin" or "linkedin". */
export function beginsWithPlatform(text: string, question: LimitedQuestion, isPlatform: IsPlatform): boolean {
  return isOnPlatform(text, question, isPlatform) || isPlatform(text.split(NO_LETTERS, 1)[0] ?? '');
}

/** Whether a text goes on in small letters, but not with where to: "open", unlike "We are open" and "op x". */
export function goesOnInText(rest: string, question: LimitedQuestion, isPlatform: IsPlatform): boolean {
  return /^\P{Lu}/u.test(rest) && !isOnPlatform(rest, question, isPlatform);
}

const countedAlone = perLanguage(
  ({ counted, words }) => new RegExp(`^${counted}\\.?(?:\\s${group(words.grammar.durationAfter)})?$`, 'i'),
);

export function isNumberWord(word: string, locale: string): boolean {
  return readingLexicons(locale).some(({ numberOf }) => numberOf(word) !== undefined);
}

export function isOrdinalWord(word: string, { locale }: LimitedQuestion): boolean {
  const plain = withoutAccents(word).toLowerCase();
  return readingLexicons(locale).some(({ ordinals }) => ordinals.meaningOf(plain) !== undefined);
}

/** Whether a number in words is likelier to count the next thing than minutes. */
export function isSmallNumber(words: string, { locale }: LimitedQuestion): boolean {
  const plain = withoutAccents(words).toLowerCase();
  const value = readingLexicons(locale).map(({ numberOf }) => numberOf(plain));
  return /^\p{L}+$/u.test(words) && value.some((each = 60) => each < 13);
}

/** Whether the words are a count and a unit, and count from now without "in": "5 years", "ein paar Tage später". */
export function isCount(words: string, question: LimitedQuestion): boolean {
  const [first = '', ...others] = words.split(' ');
  const lexicons = readingLexicons(question.locale);
  const isNumber = /^\d/.test(first) || isNumberWord(first, question.locale);
  const isCounted =
    (isNumber && others.length < 2) ||
    lexicons.some((lexicon) => countedAlone(lexicon).test(withoutAccents(words)));
  const counted = isCounted ? expressionsOf(words, question) : [];
  return counted.length > 0 && counted.every(({ fromNow }) => fromNow !== undefined);
}

/** Whether the words name a month, season, weekend or part of the day, and no word says which: "march madness". */
export function isBarePeriod(words: string, question: LimitedQuestion): boolean {
  const name = words.replace(RATHER, '').replace(/\so$/i, '');
  const isNoun = ({ nouns }: ReadingLexicon) => nouns.meaningOf(withoutAccents(name)) !== undefined;
  if (/\s/.test(name) && !readingLexicons(question.locale).some(isNoun)) return false;
  const read = expressionsOf(name, question);
  return (
    read.length > 0 &&
    read.every(({ day, time, part, isToday, ...others }) => {
      if (isToday || (time ?? others.fromNow) !== undefined) return false;
      if (day === undefined) return part !== undefined;
      return day.kind === 'date' && (day.isPeriod || day.lastDay !== undefined);
    })
  );
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
  const { locale, limits } = question;
  const read = readWords(words, todayOf(question), { locale, limits, tryOtherLanguages: true });
  return read.kind === 'read' ? read.expressions : [];
}

/** "9 Am" isn't in the morning: a German text begins with "Am Stand". */
const HOUR_UNITS = [
  /\d\s(?:am|AM|A\.M)\W*$/,
  new RegExp(
    `(?<!\\d/\\d?)\\d\\s(?!circa)(?:pm|p\\.m|${inAnyLanguage(({ grammar }) => grammar.hourUnit)})\\W*$`,
    'i',
  ),
];

export const lastWordOf = (words: string) => words.split(/\s+/).at(-1) ?? '';

/** Whether the words are a unit such as "Uhr" after an hour. */
export function isHourUnit(before: string, words: string, locale: string): boolean {
  const isNumber = isNumberWord(lastWordOf(before), locale);
  return HOUR_UNITS.some((unit) => unit.test(`${isNumber ? 1 : before} ${words}`));
}

/** Whether the last words name a time or a part of the day. "Tomorrow" has only the default time. */
export function endsWithTime(words: string, question: LimitedQuestion): boolean {
  const last = words.trim().split(/\s+/);
  const endings = [1, 2, 3, 4].map((count) => last.slice(-count).join(' ')).filter((each) => /\D/.test(each));
  const isTime = (each: Expression) => saysTimeOnly(each) || each.part !== undefined;
  return endings.some((ending) => expressionsOf(ending, question).some(isTime));
}
