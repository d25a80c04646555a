import { DateTime } from 'luxon';
import { DATE_ORDERS, hasBothOrders } from '../../date-order.ts';
import { type CountedUnit, spelled, withoutAccents, wordList } from '../../grammar/european/vocabulary.ts';
import { inAnyLanguage, languagesOf } from '../../grammar/languages.ts';
import { allMatches } from '../../grammar/rule.ts';
import { readWithinLimits } from '../../limits.ts';
import {
  DEFAULT_LOCALE,
  type LimitedQuestion,
  type NotUnderstood,
  notUnderstood,
  type Question,
} from '../../moment.ts';
import { readWithExamples } from '../../understand-moment.ts';
import { dateOf, offsetAt, SEASONS, wallClockAt } from '../../zones/wall-clock.ts';
import type { ZoneMeaning } from '../../zones/zone-index.ts';
import { findZoneWords } from '../../zones/zone-words.ts';
import { zoneName } from '../../zones.ts';
import {
  anywhere,
  cutOut,
  fromTemplates,
  otherLanguages,
  perLanguage,
  prepareText,
  type ReadingLexicon,
  readInLanguages,
  readingLexicons,
} from '../question.ts';
import { datesOf } from '../ranges/range.ts';
import { readRanges } from '../ranges/understand-range.ts';
import {
  joinReadings,
  nextOccurrence,
  type Recurrence,
  type RecurrenceReading,
  type RepeatedDays,
} from './recurrence.ts';
import {
  exceptsWeekdays,
  type FoundDays,
  findDays,
  isWeekdayRange,
  ONLY,
  type RecurrenceContext,
} from './repeated-days.ts';
import { timesOfDay } from './repeated-times.ts';

/** The longest dates after "until" or "except" in words, and in further tries: "from december 1 mon and thu" is from 1 December. */
const MAX_DATE_WORDS = [8, 3, 2, 1] as const;

/** "1" and "1st" after "december", unlike the hour of "march 9 Uhr". */
const dayOfMonth = perLanguage(
  ({ words }) =>
    new RegExp(`^\\d{1,2}(?:\\.|st|nd|rd|th)?,?(?!\\S| ${spelled(words.grammar.hourUnit)}(?!\\S))`, 'i'),
);

const NO_DAY = 'I found no repeating day.';
const SAME_DAY = 'No day given: the same as today.';
const FIRST_DAY = 'No day given: the same as the first.';
const WITHOUT_DAY: readonly string[] = [SAME_DAY, FIRST_DAY];

const unsupported = perLanguage((lexicon) => anywhere(lexicon, lexicon.words.repeats.unsupported));
const every = perLanguage((lexicon) => anywhere(lexicon, lexicon.words.repeats.everyPart));

/**
 * Understands a text as a recurrence. Never throws. With `mustRepeat`, a word has to say that it repeats: "monday 9am" is
 * one moment then, and not every Monday.
 */
export function understandRecurrence(question: Question & { mustRepeat?: boolean }): RecurrenceReading {
  return readWithExamples('recurrences', question, (limited) =>
    question.mustRepeat === true && !saysRepeat(question)
      ? notUnderstood(question.text, NO_DAY)
      : readRecurrence(limited),
  );
}

/** Says what isn't understood of a text that repeats. Undefined if it doesn't repeat, or is understood. */
export function explainRecurrence(question: Question): NotUnderstood | undefined {
  const reading = understandRecurrence(question);
  return reading.kind === 'not-understood' && saysRepeat(question) ? reading : undefined;
}

/** Whether a text repeats, also if no recurrence can express it, such as "every hour". */
export function isRepeating(question: Question): boolean {
  if (understandRecurrence({ ...question, mustRepeat: true }).kind !== 'not-understood') return true;
  return hasWords(question, (prepared, locale) =>
    readingLexicons(locale).some((lexicon) => unsupported(lexicon).test(withoutAccents(prepared))),
  );
}

const workdays = perLanguage((lexicon) => anywhere(lexicon, lexicon.words.repeats.workdays));
const intervals = perLanguage((lexicon) =>
  anywhere(lexicon, fromTemplates(lexicon, lexicon.words.repeats.intervals), 'gi'),
);

/** Of all languages, because a text is also read in others that it may be in. */
const DETERMINER = new RegExp(
  `(?:^|\\s)(?:${inAnyLanguage(({ repeats }) => repeats.determiners)})\\s*$`,
  'i',
);

/** Whether a text has words such as "every", "daily", "mondays", "weekdays" or "un lundi sur deux". */
function saysRepeat(question: Question): boolean {
  return hasWords(
    question,
    (prepared, locale) =>
      languagesOf(locale).some(
        ({ refusalOf, prepare }) => refusalOf(prepare(prepared))?.code === 'repeats',
      ) || readingLexicons(locale).some((lexicon) => saysInterval(withoutAccents(prepared), lexicon)),
  );
}

function saysInterval(plain: string, lexicon: ReadingLexicon): boolean {
  const { weekdays, units } = lexicon;
  const countWeekdays = (text: string) =>
    text.split(/[\s,]+/).filter((word) => weekdays.meaningOf(word) !== undefined).length;
  const group = workdays(lexicon).exec(plain);
  // "Le lundi en semaine" is on Mondays.
  const isOneDay = group !== null && DETERMINER.test(plain.slice(0, group.index));
  if (group !== null && !isOneDay && countWeekdays(plain) === 0) return true;
  return allMatches(plain, intervals(lexicon)).some(({ 0: words, groups: { unit = '' } = {} }) => {
    // "Alle 9 di sera" isn't every nine Tuesdays in German.
    const isWeekday = weekdays.meaningOf(unit) !== undefined && !/^[a-z]{1,2}$/i.test(unit);
    const isUnit = isWeekday || units.meaningOf(unit) !== undefined;
    return isUnit && countWeekdays(words) <= 1;
  });
}

/** Whether a text has certain words in one of the languages that it seems to be in. False if it is too long. */
function hasWords(
  { text, locale = DEFAULT_LOCALE }: Question,
  find: (prepared: string, locale: string) => boolean,
): boolean {
  return readWithinLimits({ text, tooLong: () => false }, () => {
    const prepared = prepareText(text, locale);
    return [locale, ...otherLanguages(text, locale)].some((each) => find(prepared, each));
  });
}

/** The same as part of a reading. */
export function readRecurrence(question: LimitedQuestion): RecurrenceReading {
  const orders = hasBothOrders(question) ? DATE_ORDERS : [];
  const inOrders = orders.map((dateOrder) => readInLanguages({ ...question, dateOrder }, readPrepared));
  return joinReadings(inOrders) ?? readInLanguages(question, readPrepared);
}

/** Writes "jeden Montagabend" in two words, and "jeden Morgen" with a word for its morning that isn't "tomorrow" too. */
const everyPart = perLanguage(({ words: { grammar, repeats }, weekday, start, end }) => {
  const [tomorrow = '(?!)', morning = ''] = repeats.morning ?? [];
  const every = spelled(`${repeats.every}|${repeats.everyPart}`);
  const part = wordList(grammar.partsOfWeekday).pattern;
  const compound = new RegExp(`${start}((?:${every})\\s${weekday})(?=${part}${end})`, 'i');
  const pattern = new RegExp(`${start}((?:${every})\\s(?:${weekday}\\s)?)${spelled(tomorrow)}${end}`, 'i');
  return (text: string) => text.replace(compound, '$1 ').replace(pattern, `$1 ${withoutAccents(morning)}`);
});

function readPrepared(prepared: string, question: LimitedQuestion): RecurrenceReading {
  const words = prepared.replace(ONLY, ' ').trim();
  let refusal: NotUnderstood | undefined;
  for (const lexicon of readingLexicons(question.locale)) {
    const context = { ...question, lexicon };
    const plain = everyPart(lexicon)(withoutAccents(words));
    const tooOften = unsupported(lexicon).exec(plain);
    // "Every 3 hours" are times of each day, and "the first monday of each quarter" is one of every third month.
    const canExpress = ({ minutes, monthOfQuarter }: FoundDays) => (minutes ?? monthOfQuarter) !== undefined;
    if (tooOften !== null && !findDays(plain, context).some(canExpress))
      return notUnderstood(tooOften[0], 'Use days and times.');
    let withoutDay: RecurrenceReading | undefined;
    for (const maxDateWords of MAX_DATE_WORDS) {
      const bounds = findBounds(plain, context, maxDateWords);
      const reading = readIn(bounds, context);
      const isBound = (bounds.start ?? bounds.until ?? bounds.except) !== undefined;
      // Without dates, "every 2 weeks from dec 7" would be every year on 7 Dec.
      if (!isBound && withoutDay !== undefined) break;
      if (reading.kind === 'not-understood') refusal ??= reading;
      // "Until march on the 1st of every month" is until March.
      else if (isBound && reading.notes.some((note) => WITHOUT_DAY.includes(note))) withoutDay ??= reading;
      else return reading;
      if (!isBound) break;
    }
    if (withoutDay !== undefined) return withoutDay;
  }
  return refusal ?? notUnderstood(prepared, NO_DAY);
}

/** "PST" is Los Angeles, in summer too. Undefined for an offset that no zone has. */
function findZones(meanings: readonly ZoneMeaning[]) {
  if (meanings.some(({ zone, offset = 0 }) => zone === 'Etc/UTC' && offset !== 0)) return undefined;
  const zones = meanings.length === 0 ? [undefined] : [...new Set(meanings.map(({ zone }) => zone))];
  const changesClock = (zone: string) => new Set(SEASONS.map((season) => offsetAt(season, zone))).size > 1;
  const notes = meanings
    .filter(({ zone, offset }) => offset !== undefined && changesClock(zone))
    .map(({ zone }) => `The clock of ${zoneName(zone)}, in summer and in winter.`);
  return { zones, notes };
}

function readIn(bounds: Bounds, context: RecurrenceContext): RecurrenceReading {
  const { locale, limits, now, zone: ownZone } = context;
  const { rest, meanings } = findZoneWords(bounds.rest, { locale, ownZone, limits });
  const zones = findZones(meanings);
  if (zones === undefined) return notUnderstood('', 'No time zone keeps that offset all year.');
  const notes = new Set(zones.notes);
  const candidates: Recurrence[] = [];
  let refusal = notUnderstood(rest, NO_DAY);
  for (const found of findDays(rest.replaceAll(/\s+/g, ' ').trim(), context)) {
    const times = timesOf(found, context);
    if (times.kind === 'not-understood') refusal = times;
    if (times.kind === 'not-understood' || (found.needsPart && !times.hasPart)) continue;
    if (found.on === undefined) notes.add(bounds.start === undefined ? SAME_DAY : FIRST_DAY);
    for (const note of times.notes) notes.add(note);
    const recurrences = zones.zones.flatMap((zone) =>
      times.candidates.map((minutes) => recurrenceOf(found, minutes, bounds, { context, zone })),
    );
    candidates.push(
      ...recurrences.filter((each) => nextOccurrence({ zone: ownZone, ...each }, now, limits) !== undefined),
    );
    if (candidates.length === 0) refusal = notUnderstood(rest, 'No day is left.');
  }
  const [only] = candidates;
  if (only === undefined) return refusal;
  if (candidates.length === 1) return { kind: 'understood', recurrence: only, notes: [...notes] };
  return { kind: 'ambiguous', candidates, notes: [...notes] };
}

function timesOf({ rest, minutes }: FoundDays, context: RecurrenceContext) {
  if (minutes === undefined) return timesOfDay(rest.replace(every(context.lexicon), ' '), context);
  if (/[\p{L}\d]/u.test(rest)) return notUnderstood(rest, 'I didn’t understand every word.');
  return { kind: 'times', candidates: [minutes], hasPart: false, notes: ['Counted from midnight.'] } as const;
}

/** Intervals, counts and durations begin with the first occurrence after now. */
function recurrenceOf(
  found: FoundDays,
  minutes: readonly number[],
  { rest: _, lasting, ...bounds }: Bounds,
  { context, zone }: { context: RecurrenceContext; zone: string | undefined },
): Recurrence {
  const { unit, interval, monthOfQuarter: months } = found;
  const times = minutes.map((minute) => ({ hour: Math.floor(minute / 60), minute: minute % 60 }));
  const zoned = { times, zone: zone ?? context.zone };
  const today = dateOf(wallClockAt(context.now.getTime(), zoned.zone));
  const on = found.on ?? sameDays(unit, bounds.start ?? today);
  const firstDay = DateTime.fromISO(bounds.start ?? today, { zone: 'utc' });
  const ofQuarter = months === undefined ? firstDay : firstDay.startOf('quarter').plus({ months });
  const cycle = { interval: months === undefined ? 1 : interval, start: dateOf(ofQuarter.toMillis()) };
  const earliest = bounds.start === undefined ? 0 : +DateTime.fromISO(bounds.start, { zone: zoned.zone }) - 1;
  const after = new Date(Math.max(+context.now, earliest));
  const first = nextOccurrence({ on, ...cycle, ...zoned }, after, context.limits);
  const needsStart = interval > 1 || bounds.count !== undefined || lasting !== undefined;
  const start = (months === undefined && bounds.start) || (needsStart ? first?.date : undefined);
  const end =
    start && lasting && DateTime.fromISO(start, { zone: 'utc' }).plus({ [lasting.unit]: lasting.size });
  const until = end ? dateOf(end.minus({ days: 1 }).toMillis()) : bounds.until;
  return {
    on,
    interval,
    times,
    ...(zone !== undefined && { zone }),
    ...bounds,
    ...(start !== undefined && { start }),
    ...(until !== undefined && { until }),
  };
}

/** The days of "every two weeks" or "every month", which are like the first one. */
function sameDays(unit: RepeatedDays['unit'], start: string): RepeatedDays {
  const { weekday, day, month } = DateTime.fromISO(start, { zone: 'utc' });
  switch (unit) {
    case 'day':
      return { unit };
    case 'week':
      return { unit, weekdays: [weekday] };
    case 'month':
      return { unit, monthDays: [{ day }] };
    case 'year':
      return { unit, month, day };
  }
}

interface Lasting {
  size: number;
  unit: CountedUnit;
}

/** Where a recurrence begins and ends, and the other words. `lasting` is counted from its start. */
interface Bounds extends Pick<Recurrence, 'start' | 'until' | 'count' | 'except'> {
  lasting?: Lasting;
  rest: string;
}

type Side = 'until' | 'from' | 'except';

const MAX_COUNT = 1_000;

const patternsOf = perLanguage((lexicon) => {
  const { words, gap } = lexicon;
  const before = (pattern: string): RegExp => new RegExp(`${anywhere(lexicon, pattern).source}${gap}`, 'gi');
  return {
    until: before(words.edges.until),
    from: before(words.edges.from),
    except: before(words.repeats.except),
    afterDate: {
      until: new RegExp(`(?:${words.edges.untilAfter})[、,\\s]*`),
      from: new RegExp(`(?:${words.edges.onwards})[、,\\s]*`),
    },
    count: anywhere(lexicon, fromTemplates(lexicon, words.repeats.count)),
    lasting: anywhere(lexicon, fromTemplates(lexicon, words.repeats.lasting)),
  };
});

/** Finds "until march", "from 1 dec", "except 25 dec", "10 times" and "for 3 weeks" in text without accents. */
function findBounds(text: string, context: RecurrenceContext, maxDateWords: number): Bounds {
  const count = findCount(text, 'count', context);
  let rest = count?.rest ?? text;
  const read = (side: Side) => {
    const found = findDates(rest, side, context, maxDateWords);
    rest = found?.rest ?? rest;
    return found?.dates;
  };
  const last = read('until');
  // "Exceto 29 de dezembro" has a word for "from" too.
  const except = read('except');
  const first = read('from');
  const until = last?.until ?? first?.until;
  const lasting = findCount(rest, 'lasting', context);
  const start = first?.from ?? last?.from;
  return {
    ...(count && { count: count.size }),
    ...(start && { start }),
    ...(until && { until }),
    ...(except?.from && except.until && { except: [{ from: except.from, to: except.until }] }),
    ...(lasting?.unit && { lasting: { size: lasting.size, unit: lasting.unit } }),
    rest: lasting?.unit === undefined ? rest : lasting.rest,
  };
}

/** The number of a pattern, its unit, and the other words. */
function findCount(text: string, pattern: 'count' | 'lasting', { lexicon }: RecurrenceContext) {
  const found = cutOut(text, patternsOf(lexicon)[pattern]);
  const size = lexicon.numberOf(found?.groups.count) ?? 0;
  if (found === undefined || size < 1 || size > MAX_COUNT) return undefined;
  return { size, unit: lexicon.units.meaningOf(found.groups.unit), rest: found.rest };
}

/** The first and the last date after a word such as "until", and the other words. */
function findDates(text: string, side: Side, context: RecurrenceContext, maxDateWords: number) {
  const { lexicon } = context;
  if (side === 'except' && exceptsWeekdays(text, lexicon)) return undefined;
  if (lexicon.words.isGlued === true) return side === 'except' ? undefined : datesBefore(text, side, context);
  // "Le 1er de chaque mois" has a word for "from" too.
  return allMatches(text, patternsOf(lexicon)[side])
    .map((found) => datesAfter(found, text, side, context, maxDateWords))
    .find((dates) => dates !== undefined);
}

/** The same where such words come after the date, of at most 12 characters: "12月末まで毎週火曜". */
function datesBefore(text: string, side: 'until' | 'from', context: RecurrenceContext) {
  const found = patternsOf(context.lexicon).afterDate[side].exec(text);
  if (found === null || isWeekdayRange(text, found.index - 1, context.lexicon)) return undefined;
  const end = found.index + found[0].length;
  const space = text.slice(0, found.index).search(/[^\s、,]*$/);
  for (let start = Math.max(space, found.index - 12); start < found.index; start += 1) {
    if (start > 0 && /^\d\d/.test(text.slice(start - 1))) continue;
    const [read] = readRanges(text.slice(start, end).replace(/[、,\s]+$/, ''), context, true);
    const dates = read && datesOf(read.stretch);
    if (dates?.[side] !== undefined) return { dates, rest: `${text.slice(0, start)} ${text.slice(end)}` };
  }
  return undefined;
}

function datesAfter(
  found: RegExpExecArray,
  text: string,
  side: Side,
  context: RecurrenceContext,
  maxDateWords: number,
) {
  if (isWeekdayRange(text, found.index, context.lexicon)) return undefined;
  const words = text.slice(found.index + found[0].length).split(' ');
  for (let count = Math.min(words.length, maxDateWords); count > 0; count -= 1) {
    const phrase = words.slice(0, count).join(' ');
    const [read] = readRanges(side === 'except' ? phrase : `${found[0]}${phrase}`, context, true);
    const dates = read && datesOf(read.stretch);
    const isMissing = side === 'until' ? !dates?.until : !dates?.from || (side === 'except' && !dates.until);
    const isMonth = context.lexicon.months.meaningOf(words[0] ?? '') !== undefined;
    const isCutShort =
      count === 1 && isMonth && dayOfMonth(context.lexicon).test(words.slice(1, 3).join(' '));
    if (isMissing || isCutShort) continue;
    const rest = `${text.slice(0, found.index)} ${words.slice(count).join(' ')}`;
    const [zone] = findZoneWords(phrase, context).meanings;
    // Zone words after a date are those of the times, unless these have the same.
    if (zone && findZoneWords(rest, context).meanings[0]?.zone !== zone.zone) continue;
    return { dates, rest };
  }
  return undefined;
}
