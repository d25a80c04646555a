import { DATE_ORDERS, hasBothOrders } from '../../date-order.ts';
import { withoutAccents } from '../../grammar/european/vocabulary.ts';
import { linesOf, MAX_MOMENTS, oncePerRequest } from '../../limits.ts';
import {
  type LimitedQuestion,
  type Moment,
  type MomentReading,
  type NotUnderstood,
  notUnderstood,
  type Question,
} from '../../moment.ts';
import { readMoment, readWithExamples } from '../../understand-moment.ts';
import { DAY_MS, wallClockAt } from '../../zones/wall-clock.ts';
import { findZoneWords } from '../../zones/zone-words.ts';
import { anywhere, otherLanguages, perLanguage, prepareText, readingLexicons } from '../question.ts';
import { findRangeThat } from '../ranges/find-range.ts';
import { type ReadRange, readRanges } from '../ranges/understand-range.ts';
import {
  countOccurrences,
  occurrencesOf,
  type Recurrence,
  type ZonedRecurrence,
} from '../recurrences/recurrence.ts';
import { isWholeWeekdayRange } from '../recurrences/repeated-days.ts';
import { readRecurrence } from '../recurrences/understand-recurrence.ts';
import { type ListedMoment, listedMoments } from './listed-moments.ts';

/**
 * Understands a text as several moments: a list, a moment or list on each line, or days that repeat until a date. Never
 * throws.
 */
export function understandMoments(question: Question): MomentsReading {
  return readWithExamples('moments', { ...question, maxLines: MAX_MOMENTS }, readMoments);
}

/** The same as part of a reading. */
export function readMoments(question: LimitedQuestion): MomentsReading {
  const { text, now, zone, locale, dateOrder, limits } = question;
  return once(limits, [+now, zone, locale, dateOrder, text].join(' '), () =>
    hasBothOrders(question) ? readInOrders(question) : readInLanguages(question),
  );
}

/** Asks about lists of several times that each order of day and month gives. */
function readInOrders(question: LimitedQuestion): MomentsReading {
  const reading = readInLanguages(question);
  if (reading.kind === 'understood' || reading.kind === 'ambiguous') return reading;
  const [first, second] = DATE_ORDERS.map((dateOrder) => readMoments({ ...question, dateOrder })).filter(
    (each) => each.kind === 'understood',
  );
  if (first === undefined || second === undefined) return first ?? reading;
  const notes = [...new Set([...first.notes, ...second.notes])];
  return { kind: 'ambiguous', candidates: [first.moments, second.moments], notes };
}

const once = oncePerRequest<MomentsReading>();

/** Reads the text in the locale's language and English, then in the languages that it seems to be in. */
function readInLanguages(question: LimitedQuestion): MomentsReading {
  const reading = readLines(question);
  if (isWhole(reading)) return reading;
  for (const locale of otherLanguages(question.text, question.locale)) {
    const other = readLines({ ...question, locale });
    if (isWhole(other)) return other;
  }
  return reading;
}

/** Whether each part of the text is a moment, to come or past. */
export function isWhole(reading: MomentsReading): boolean {
  if (reading.kind !== 'faulty') return reading.kind !== 'not-understood';
  return reading.faults.every(isRead);
}

const NOTHING_FOUND = notUnderstood('', 'I found no date or time.');

function readLines(question: LimitedQuestion): MomentsReading {
  const lines = linesOf(question.text).map((text) => readLine({ ...question, text }));
  const [only, ...others] = lines;
  if (only === undefined) return NOTHING_FOUND;
  const refusal = only.lists[0]?.length === 1 ? only.lists[0][0]?.reading : undefined;
  if (others.length === 0 && refusal?.kind === 'not-understood') return refusal;
  const answer = answerTo(lines);
  if (answer.kind === 'not-understood') return answer;
  const [list = []] = answer.kind === 'ambiguous' ? answer.candidates : [answer.moments];
  const listed = list.length + (answer.kind === 'faulty' ? answer.faults.length : 0);
  const count = lines.reduce((sum, { unlisted = 0 }) => sum + unlisted, listed);
  if (count > MAX_MOMENTS)
    return notUnderstood('', `That’s ${count} times. Use at most ${MAX_MOMENTS} at once.`);
  return answer;
}

function readLine(question: LimitedQuestion): BoundedMoments {
  const { text, locale } = question;
  const reading = readMoment(question);
  const single = { lists: [[{ words: text.trim(), reading }]], notes: [] };
  if (reading.kind !== 'not-understood') return single;
  const prepared = prepareText(text, locale);
  const listed = listIn(prepared, question);
  const isComplete = listed?.every(isRead) === true;
  const asList = listed === undefined ? single : { lists: [listed], notes: [] };
  // Ranges take most of the time, so a complete list isn't also read as one.
  if (isComplete && !JOINED.test(prepared) && !isBetween(prepared, question)) return asList;
  const bounded = boundedMoments(prepared, question);
  if (bounded !== undefined) return bounded;
  return isRange(prepared, question) ? single : asList;
}

/** Reads a list in the first language that understands a part of it. */
function listIn(prepared: string, question: LimitedQuestion): readonly ListedMoment[] | undefined {
  for (const lexicon of readingLexicons(question.locale)) {
    const listed = listedMoments(prepared, lexicon, question);
    if (listed?.some(isRead) === true) return listed;
  }
  return undefined;
}

function isRead({ reading }: ListedMoment): boolean {
  return reading.kind !== 'not-understood';
}

const between = perLanguage((lexicon) => anywhere(lexicon, lexicon.words.edges.between));

function isBetween(prepared: string, { locale }: LimitedQuestion): boolean {
  const plain = withoutAccents(prepared);
  return readingLexicons(locale).some((lexicon) => between(lexicon).test(plain));
}

/** A dash, but not that of "segunda-feira". */
const JOINED = /(?<!\p{L})[-–~〜]|[-–~〜](?!\p{L})/u;

/** "16:00, 23 apr - 22:00, 27 april" is a range, in spite of its commas. */
function isRange(prepared: string, question: LimitedQuestion): boolean {
  if (isBetween(prepared, question)) return true;
  return /[-–~]/.test(prepared) && readRanges(prepared, question).some(({ shape }) => shape === 'pair');
}

/**
 * Lists that the words can mean, the likeliest first. `unlisted` is the number of moments beyond the maximum; defaults
 * to 0.
 */
interface BoundedMoments {
  lists: readonly (readonly ListedMoment[])[];
  unlisted?: number;
  notes: readonly string[];
}

const repeats = perLanguage((lexicon) => anywhere(lexicon, lexicon.repeated));
const everyDay = perLanguage((lexicon) => anywhere(lexicon, lexicon.words.repeats.everyDay));

/** Texts without any of these have no range and no repetition. */
const hints = perLanguage((lexicon) => {
  const { edges } = lexicon.words;
  return new RegExp(`${repeats(lexicon).source}|${anywhere(lexicon, edges.to).source}|[-–~〜]`, 'i');
});

/** Reads days that repeat until a date in a prepared text: "every weekday next week at 9", "monday to friday at 9am". */
function boundedMoments(text: string, question: LimitedQuestion): BoundedMoments | undefined {
  const { locale, limits } = question;
  if (!readingLexicons(locale).some((lexicon) => hints(lexicon).test(withoutAccents(text)))) return undefined;
  const found = findRangeThat({ ...question, text }, isDays);
  if (found === undefined || found.reading.kind !== 'understood') return undefined;
  const lexicons = readingLexicons(locale);
  const isRepeated = lexicons.some((lexicon) => repeats(lexicon).test(found.rest));
  // "Every day mon-fri 9am" repeats in each week, unlike "mon-fri 9am".
  const phrase = withoutAccents(found.phrase);
  if (lexicons.some((lexicon) => everyDay(lexicon).test(found.rest) && isWholeWeekdayRange(phrase, lexicon)))
    return undefined;
  // "Monday to friday" without a time is a range, not a list.
  const isDaily =
    found.shape === 'pair' && /[\p{L}\d]/u.test(findZoneWords(found.rest, { locale, limits }).rest);
  if (!isRepeated && !isDaily) return undefined;
  const read = readRecurrence({ ...question, text: isRepeated ? found.rest : `daily ${found.rest}` });
  if (read.kind === 'not-understood') return undefined;
  const recurrences = read.kind === 'understood' ? [read.recurrence] : read.candidates;
  const lists = recurrences.map((each) => within(found.phrase, each, text, question));
  // Today at 7 may have passed in one half of the day only.
  const ahead = lists.flatMap((list) => (list && list.moments.length > 0 ? [list] : []));
  const [likeliest] = ahead;
  if (likeliest === undefined || lists.includes(undefined)) return undefined;
  const { unlisted, passed } = likeliest;
  return {
    lists: ahead.map(({ moments }) => moments),
    unlisted,
    notes: [...read.notes, ...(passed === 0 ? [] : [`Already passed: ${passed}.`])],
  };
}

/** Whether a range has several whole days and an end. Without a start, it starts now. */
function isDays({ stretch: { from, to } }: ReadRange): boolean {
  if (to === undefined || to.wall % DAY_MS !== DAY_MS - 1) return false;
  return from === undefined || (from.wall % DAY_MS === 0 && to.wall - from.wall > DAY_MS);
}

/** The moments of a recurrence in a range. The days are those of the recurrence's zone. */
function within(rangeWords: string, recurrence: Recurrence, words: string, question: LimitedQuestion) {
  const { now, limits } = question;
  const [read] = readRanges(rangeWords, { ...question, zone: recurrence.zone ?? question.zone }, true);
  const { from, to, zone } = read?.range ?? {};
  if (to === undefined || zone === undefined) return undefined;
  const zoned: ZonedRecurrence = { ...recurrence, zone: recurrence.zone ?? zone };
  const start = new Date((from ?? now).getTime() - 1);
  const toCome = { after: start > now ? start : now, until: to, limits };
  // One more than the maximum shows that there are too many.
  const ahead = occurrencesOf(zoned, { ...toCome, most: MAX_MOMENTS + 1 });
  const isCut = ahead.length > MAX_MOMENTS;
  return {
    unlisted: isCut ? countOccurrences(zoned, toCome) - ahead.length : 0,
    moments: ahead.map(({ date, instant }): ListedMoment => {
      const moment = { instant, zone: zoned.zone };
      const minuteOfDay =
        (wallClockAt(instant.getTime(), zoned.zone) - Date.parse(`${date}T00:00Z`)) / 60_000;
      const isExact = zoned.times.some(({ hour, minute }) => hour * 60 + minute === minuteOfDay);
      return { words, reading: { kind: isExact ? 'understood' : 'shifted', moment, notes: [] } };
    }),
    passed: countOccurrences(zoned, { after: start, until: now < to ? now : to, limits }),
  };
}

/** One of several moments, with its words and notes about what was assumed. */
export interface NamedMoment {
  moment: Moment;
  words: string;
  notes: readonly string[];
  /** Whether the words say "now". The moment is the current minute. */
  isNow?: true;
}

/** Words of a list that are no single future moment, and why. */
export interface FaultyMoment {
  words: string;
  reading: Exclude<MomentReading, { kind: 'understood' | 'now' }>;
}

/** One or more moments: a post for each of none would have no time. */
type NamedMoments = readonly [NamedMoment, ...NamedMoment[]];

/**
 * At most 20 moments, the earliest first, each once. `notes` are about all of them.
 *
 *   understood      one or more moments
 *   ambiguous       one question about the whole list ("mon and tue at 9"): lists to choose from, the likeliest first
 *   faulty          some words are no future moment: `moments` has the others
 *   not-understood  no list of moments
 */
export type MomentsReading =
  | { kind: 'understood'; moments: NamedMoments; notes: readonly string[] }
  | { kind: 'ambiguous'; candidates: readonly (readonly NamedMoment[])[]; notes: readonly string[] }
  | {
      kind: 'faulty';
      moments: readonly NamedMoment[];
      faults: readonly FaultyMoment[];
      notes: readonly string[];
    }
  | NotUnderstood;

function answerTo(lines: readonly BoundedMoments[]): MomentsReading {
  const [first] = lines;
  const notes = lines.flatMap((line) => line.notes);
  // Among several lines, the likeliest list of a line is taken.
  if (lines.length === 1 && first !== undefined && first.lists.length > 1) {
    const lists = first.lists.map((list) => sorted(understoodIn(list)));
    const candidates = lists.filter((list) => list.length > 0);
    if (candidates.length > 1) return { kind: 'ambiguous', candidates, notes };
  }
  const items = lines.flatMap((line) => line.lists[0] ?? []);
  const understood = understoodIn(items);
  const moments = sorted(understood);
  const isTwice = moments.length < understood.length;
  const all = isTwice ? [...notes, 'You entered the same time twice, so I used it once.'] : notes;
  const faults = items.flatMap(({ words, reading }) =>
    reading.kind === 'understood' || reading.kind === 'now' ? [] : [{ words, reading }],
  );
  if (faults.length === 0) {
    const [earliest, ...others] = moments;
    return earliest ? { kind: 'understood', moments: [earliest, ...others], notes: all } : NOTHING_FOUND;
  }
  const candidates = choicesFor(moments, faults);
  if (candidates.length < 2) return { kind: 'faulty', moments, faults, notes: all };
  const asked = faults.flatMap(({ reading }) => (reading.kind === 'ambiguous' ? reading.notes : []));
  return { kind: 'ambiguous', candidates, notes: [...all, ...new Set(asked)] };
}

function understoodIn(items: readonly ListedMoment[]): readonly NamedMoment[] {
  return items.flatMap(({ words, reading }) => {
    if (reading.kind === 'now') return [{ moment: reading.moment, words, notes: [], isNow: true }];
    return reading.kind === 'understood' ? [{ moment: reading.moment, words, notes: reading.notes }] : [];
  });
}

function sorted(moments: readonly NamedMoment[]): readonly NamedMoment[] {
  const inOrder = moments.toSorted((a, b) => +a.moment.instant - +b.moment.instant);
  return inOrder.filter(
    ({ moment }, index) => +moment.instant !== +(inOrder[index - 1]?.moment.instant ?? Number.NaN),
  );
}

/** Answers that can apply to several faults: a time of day, or a zone. */
const ANSWERS: readonly ((moment: Moment) => string)[] = [
  ({ instant, zone }) => String(wallClockAt(instant.getTime(), zone) % DAY_MS),
  ({ zone }) => zone,
];

/** One list for each answer if all faults are the same question; otherwise none. */
function choicesFor(
  moments: readonly NamedMoment[],
  faults: readonly FaultyMoment[],
): readonly (readonly NamedMoment[])[] {
  const questions = faults.map(({ words, reading }) => ({
    words,
    candidates: reading.kind === 'ambiguous' ? reading.candidates : [],
  }));
  const [first] = questions;
  if (first === undefined || questions.some(({ candidates }) => candidates.length === 0)) return [];
  const withChosen = (isChosen: (moment: Moment) => boolean) => {
    const chosen = questions.flatMap(({ words, candidates }) =>
      candidates.filter(isChosen).map((moment) => ({ moment, words, notes: [] })),
    );
    return sorted([...moments, ...chosen]);
  };
  if (questions.length === 1) return first.candidates.map((own) => withChosen((each) => each === own));
  for (const answerOf of ANSWERS) {
    const answers = first.candidates.map(answerOf);
    // Each has the same answers once.
    const isSame = (own: readonly string[]) =>
      own.length === answers.length && new Set([...own, ...answers]).size === own.length;
    if (questions.every(({ candidates }) => isSame(candidates.map(answerOf))))
      return answers.map((answer) => withChosen((each) => answerOf(each) === answer));
  }
  return [];
}
