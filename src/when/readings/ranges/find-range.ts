import { DateTime } from 'luxon';
import { ORDINAL_ENDING, spelled, withoutAccents } from '../../grammar/european/vocabulary.ts';
import { languagesOf } from '../../grammar/languages.ts';
import { hasHours, type Piece, saysDay } from '../../grammar/piece.ts';
import type { Language } from '../../grammar/read-grammar.ts';
import { saysNow } from '../../grammar/read-words.ts';
import { piecesIn } from '../../grammar/refiners.ts';
import { readWithinLimits } from '../../limits.ts';
import {
  type LimitedQuestion,
  type NotUnderstood,
  notUnderstood,
  type Question,
  readerOf,
} from '../../moment.ts';
import { findZoneWords } from '../../zones/zone-words.ts';
import {
  alone,
  expectsMore,
  perLanguage,
  prepareText,
  type ReadingLexicon,
  type Run,
  readingLexicons,
  runsOf,
  todayOf,
} from '../question.ts';
import type { RangeReading } from './range.ts';
import { type ReadRange, readRange, readRanges } from './understand-range.ts';

/** A range among other words. `phrase` is the words of the range, and `rest` the other words. */
interface FoundRange {
  kind: 'found';
  reading: Exclude<RangeReading, { kind: 'not-understood' }>;
  shape: 'whole' | 'open' | 'pair';
  phrase: string;
  rest: string;
}

/** The longest run of words that is read as a range. */
const MAX_RUN_LENGTH = 12;

/** The number of words in all runs together that are tried. Enough for every run of eight known words in a row. */
const MAX_WORDS_TRIED = 120;

/** Words of a zone after a range, such as "australian eastern daylight time". */
const MAX_ZONE_WORDS = 4;

/**
 * Finds the longest run of words that is a range: "this week" in "scheduled x this week". Undefined if there is none.
 * Refuses texts that are too long, and days that their month doesn't have.
 */
export function findRange(question: Question): FoundRange | RefusedRange | undefined {
  return readWithinLimits<FoundRange | RefusedRange | undefined>(
    { text: question.text, tooLong: (reason) => notUnderstood('', reason) },
    (limits) => {
      const limited = { ...question, ...readerOf(question), limits };
      const missing = findMissingDay(limited);
      const text = missing?.mended ?? question.text;
      const found = findRangeThat({ ...limited, text }, () => true);
      if (!found || !missing) return found;
      return { ...notUnderstood(missing.name, `${missing.name} doesn’t exist.`), rest: found.rest };
    },
  );
}

/** Days that aren't read. `rest` is the other words, unless the text is too long. */
interface RefusedRange extends NotUnderstood {
  rest?: string;
}

/** The year of a date without one. */
const LEAP_YEAR = 2028;

/**
 * Patterns of a day that not every month has, beside its month: "31st of february", "1-31 nov", "february the 31st" and
 * "29 february 2027". Not dates in figures.
 */
const lateDays = perLanguage(({ words, months, gap, end }) => {
  const to = `(?:\\s?-\\s?|\\s(?:${spelled(words.edges.to)})\\s)`;
  const day = `(?<day>29|3[01])(?:${ORDINAL_ENDING}${end})?`;
  const month = `(?<month>${months.pattern})\\.?`;
  const dayFirst = `(?<![\\d.,:/])${day}${gap}(?:(?:of|del?|di|van)\\s)?${month}${end}`;
  const monthFirst = `(?<![a-z\\d])${month}${gap}(?:the\\s|\\d{1,2}${to})?${day}(?![a-z\\d%]|[.,:/]\\d)`;
  return new RegExp(`(?:${dayFirst}|${monthFirst})(?:,?\\s(?:del?\\s)?(?<year>20\\d\\d)${end})?`, 'gi');
});

/**
 * Finds a day that its month doesn't have: "31 feb", which would be all of February otherwise. `mended`: the text with a
 * day that every month has instead.
 */
function findMissingDay({ text, locale }: LimitedQuestion) {
  const words = prepareText(text, locale);
  for (const lexicon of readingLexicons(locale)) {
    for (const { 0: found, index, groups = {} } of withoutAccents(words).matchAll(lateDays(lexicon))) {
      const { day = '', month, year } = groups;
      const first = DateTime.utc(Number(year ?? LEAP_YEAR), lexicon.months.meaningOf(month) ?? 1);
      if (Number(day) <= (first.daysInMonth ?? 31)) continue;
      const mended = found.replace(/(?<!\d)(?:29|3[01])(?:st)?/gi, (each) =>
        each.length > 2 ? '28th' : '28',
      );
      return {
        name: `${day} ${first.toFormat(year === undefined ? 'LLL' : 'LLL yyyy')}`,
        mended: `${words.slice(0, index)}${mended}${words.slice(index + found.length)}`,
      };
    }
  }
  return undefined;
}

export function findRangeThat(
  question: LimitedQuestion,
  accepts: (read: ReadRange) => boolean,
): FoundRange | undefined {
  const { text, locale } = question;
  const words = prepareText(text, locale).split(' ');
  const couldBe = couldBeTime(words, question);
  let wordsLeft = MAX_WORDS_TRIED;
  const endless: Run[] = [];
  for (const { start, end } of runsOf(words, MAX_RUN_LENGTH)) {
    if (end - start > wordsLeft || !couldBe.slice(start, end).every(Boolean)) continue;
    wordsLeft -= end - start;
    // "Starting next week" isn't next week, nor "starting dec 1" December.
    if (endless.some((run) => run.start <= start && end <= run.end)) continue;
    const read = readRanges(words.slice(start, end).join(' '), question);
    const [first] = read;
    if (first === undefined) continue;
    if (!read.every(accepts)) {
      if (read.every(({ stretch }) => stretch.to === undefined)) endless.push({ start, end });
      continue;
    }
    const shortest = withoutJoiners(words, { start, end }, question);
    const last = shortest + zoneWordsAfter(words.slice(shortest, shortest + MAX_ZONE_WORDS), question);
    const own = words.slice(start, last).join(' ');
    const reading = readRange({ ...question, text: own });
    if (reading.kind === 'not-understood') continue;
    return {
      kind: 'found',
      reading,
      shape: first.shape,
      phrase: own,
      rest: words.toSpliced(start, last - start).join(' '),
    };
  }
  return undefined;
}

const joiners = perLanguage((lexicon) => {
  const { fillers, grammar, edges } = lexicon.words;
  const { from, to, until, onwards } = edges;
  return alone(lexicon, spelled([fillers || '(?!)', grammar.and, from, to, until, onwards].join('|')));
});

/** The end of the run without trailing joiners that change nothing: "this week on" is this week. */
function withoutJoiners(words: readonly string[], { start, end }: Run, question: LimitedQuestion): number {
  const lexicons = readingLexicons(question.locale);
  const isJoiner = (word: string): boolean =>
    lexicons.some((lexicon) => joiners(lexicon).test(withoutAccents(word)));
  const rangesTo = (last: number): string =>
    JSON.stringify(readRanges(words.slice(start, last).join(' '), question).map(({ range }) => range));
  const isJoined = isJoiner(words[end - 1] ?? '');
  const whole = isJoined ? rangesTo(end) : '';
  let last = end;
  while (last > start + 1 && isJoiner(words[last - 1] ?? '') && rangesTo(last - 1) === whole) last -= 1;
  return last;
}

/** The number of words at the start that name a zone. */
export function zoneWordsAfter(words: readonly string[], { locale, limits }: LimitedQuestion): number {
  for (let count = words.length; count > 0; count -= 1) {
    const { rest, meanings } = findZoneWords(` ${words.slice(0, count).join(' ')}`, { locale, limits });
    if (meanings.length > 0 && /^[\s,()]*$/.test(rest)) return count;
  }
  return 0;
}

/** The longest ending that a word may have beyond its pattern. */
const MAX_ENDING_LENGTH = 3;

/** Tells quickly for each word whether it could be part of a stretch of time, so that other words needn't be read. */
export function couldBeTime(
  words: readonly string[],
  question: LimitedQuestion,
  others: readonly Language[] = [],
): readonly boolean[] {
  const { locale } = question;
  const lexicons = readingLexicons(locale);
  const areOfMoments = wordsOfMoments(words, question, [...new Set([...languagesOf(locale), ...others])]);
  return words.map(
    (word, place) =>
      areOfMoments[place] === true ||
      expectsMore(word) ||
      saysNow(word, locale) ||
      /[\d\-–~〜\u3040-\u9fff]/.test(word) ||
      lexicons.some((lexicon) => isKnown(word, lexicon)),
  );
}

/**
 * Tells for each word whether it's in a piece that the grammars of moments find. On the same day and text, they have often
 * been asked before.
 */
export function wordsOfMoments(
  words: readonly string[],
  question: LimitedQuestion,
  languages: readonly Language[],
): readonly boolean[] {
  const text = words.join(' ');
  const stretches = piecesOfMoments(text, question, languages).flatMap(withoutUnread);
  let start = 0;
  return words.map((word) => {
    const [first, end] = [start, start + word.length];
    start = end + 1;
    return stretches.some((stretch) => stretch.start < end && stretch.end > first);
  });
}

function piecesOfMoments(text: string, question: LimitedQuestion, languages: readonly Language[]) {
  const today = todayOf(question);
  return languages.flatMap(({ prepare, readings: [grammar] }) =>
    piecesIn(prepare(text), grammar, today, question.limits),
  );
}

/** Where the words of a piece stand that say something about the time. */
function withoutUnread({ index, text, meaning: { unread = [] } }: Piece): readonly Run[] {
  let start = 0;
  const stretches = unread.map((gap) => {
    const end = text.indexOf(gap, start);
    const stretch = { start: index + start, end: index + end };
    start = end + gap.length;
    return stretch;
  });
  return [...stretches, { start: index + start, end: index + text.length }];
}

/** What is said about a time. Noon and midnight are times, but no hours: sentences are about them too. */
export function whatIsSaid(text: string, question: LimitedQuestion, languages: readonly Language[]) {
  const pieces = piecesOfMoments(text, question, languages);
  // In "le 3 décembre", "le 3" is no Italian hour.
  const isPart = ({ index, text: { length } }: Piece, { index: start, text }: Piece) =>
    length < text.length && index >= start && index + length <= start + text.length;
  const meanings = pieces.flatMap((one) => (pieces.some((all) => isPart(one, all)) ? [] : one.meaning));
  const isElapsed = meanings.some(({ fromNow }) => fromNow !== undefined && hasHours(fromNow));
  return {
    saysHour: meanings.some(({ hour }) => hour !== undefined && (hour % 12 !== 0 || /\d/.test(text))),
    /** A day and no period. */
    saysDay: meanings.some(
      (meaning) => meaning.fromNow !== undefined || (saysDay(meaning) && meaning.isPeriod !== true),
    ),
    saysTime: isElapsed || meanings.some(({ hour }) => hour !== undefined),
    saysPart: meanings.some(({ part }) => part !== undefined),
    isToday: meanings.some((meaning) => meaning.isToday === true),
    isCounted: meanings.some(({ fromNow }) => fromNow !== undefined),
    /** A weekday, "today" or "tomorrow", unlike a feast, a date or a count of days. */
    namesDay: meanings.some(
      ({ isToday, isNamedDay, pastDates, weekday, day }) =>
        isToday === true ||
        (isNamedDay === true && pastDates === undefined) ||
        (weekday !== undefined && day === undefined),
    ),
  };
}

function isKnown(word: string, lexicon: ReadingLexicon): boolean {
  const plain = withoutAccents(word.toLowerCase()).replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  if (plain === '') return true;
  const { weekdays, months, units, yearParts } = lexicon;
  if ([weekdays, months, units, yearParts].some((list) => list.meaningOf(plain) !== undefined)) return true;
  if (lexicon.numberOf(plain) !== undefined) return true;
  // "Quest'anno".
  const parts = plain.split(/(?<=')(?=\p{L}{2})/u);
  if (parts.length > 1) return parts.every((part) => isKnown(part, lexicon));
  const known = knownLetters(lexicon);
  const compound = beginningWithMonth(lexicon).exec(plain)?.[0] ?? '';
  if (compound !== '' && known.has(plain.slice(compound.length))) return true;
  for (let length = plain.length; length >= plain.length - MAX_ENDING_LENGTH && length > 0; length -= 1) {
    if (known.has(plain.slice(0, length)) && (length > 2 || length === plain.length)) return true;
  }
  return false;
}

/** Matches the month in "Julihälfte". */
const beginningWithMonth = perLanguage(({ months }) => new RegExp(`^${months.pattern}(?=\\p{L}{5})`, 'iu'));

/** Removes parentheses around an optional ending. */
const joinEnding = (pattern: string): string => pattern.replaceAll(/\(\?:([\p{L}?]+)\)\?/gu, '$1');

/** All runs of letters in the patterns of a language's ranges. */
const knownLetters = perLanguage(({ words }): ReadonlySet<string> => {
  const { nouns, ofCalendar, restOf = '', halves, thirds = [], ...others } = words.stretches;
  const { next, last, ago, pastDays, lastNamed = [], weekOf, calendarWeek } = others;
  const patterns = [
    ...ofCalendar.map(([template]) => template),
    ...Object.values(nouns),
    ...[...next, ...last, ...ago, ...lastNamed, ...pastDays, restOf, ...halves, ...thirds],
    ...[weekOf, calendarWeek],
    ...Object.values(words.edges),
    words.fillers,
    words.grammar.and,
  ];
  const letters = withoutAccents(patterns.join(' ')).replaceAll(/\\\w|\(\?<\w+>/g, ' ');
  // "Pro(?:ch(?:aine?s?)?)?" is "prochain" as well.
  const joined = joinEnding(joinEnding(letters));
  const forms = [letters, joined, joined.replaceAll(/\p{L}\?/gu, '')];
  const found = forms.flatMap((form) => form.match(/[\p{L}']+/gu) ?? []);
  return new Set([...found, ...found.flatMap((word) => word.split("'"))]);
});
