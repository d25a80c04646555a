import { DateTime } from 'luxon';
import { calendarEvent } from './calendar-event.ts';
import { type Expression, saysTimeOnly } from './expression.ts';
import type { ReadingWords } from './grammar/european/vocabulary.ts';
import { languageCodeOf, readingWordsOf } from './grammar/languages.ts';
import type { Read } from './grammar/read-grammar.ts';
import { readWords, saysNow, saysNowInOthers } from './grammar/read-words.ts';
import { oncePerRequest, readWithinLimits } from './limits.ts';
import {
  type LimitedQuestion,
  type Moment,
  type MomentReading,
  momentsOf,
  type NotUnderstood,
  notUnderstood,
  type Question,
  readerOf,
  TIME_ASSUMED,
} from './moment.ts';
import { type Candidate, type Candidates, findCandidates } from './policy/candidates.ts';
import { stripCourtesy, tidyText, unixTime } from './tidy-text.ts';
import {
  asCalendar,
  clockIn,
  DAY_MS,
  fixedOffsetZone,
  instantAfterGap,
  instantsShowing,
  MINUTE_MS,
  midnightOf,
  offsetAt,
  sayOffset,
  wallClockAt,
} from './zones/wall-clock.ts';
import { isFixedOffset, plainWords, type ZoneMeaning, zoneNamed } from './zones/zone-index.ts';
import { findZoneWords, splitClocks } from './zones/zone-words.ts';

/**
 * Understands a text as one time. What has a time at `present` keeps it if only a day is said, and its day if only a time
 * is. Never throws.
 */
export function understandMoment({ present, ...question }: Question): MomentReading {
  const reading = readWithExamples('moment', question, readMoment);
  if (present === undefined) return reading;
  const kept = readWithExamples('moment', { ...question, present }, readMoment);
  const isAssumed = 'notes' in reading && reading.notes.some((note) => note.startsWith(TIME_ASSUMED));
  const listDays = (each: MomentReading) =>
    String(momentsOf(each).map(({ instant }) => +midnightOf(clockIn(question.zone, instant))));
  // "Today" stays today, also if that time is over.
  return isAssumed && listDays(kept) !== listDays(reading) ? reading : kept;
}

/** Reads a question within the limits. Refusals get examples in the reader's language. */
export function readWithExamples<Reading extends object>(
  kind: keyof ReadingWords['examples'],
  question: Question & { maxLines?: number },
  read: (question: LimitedQuestion) => Reading | NotUnderstood,
): Reading | NotUnderstood {
  const { text, maxLines = 1 } = question;
  const { locale, dateOrder } = readerOf(question);
  const reading = readWithinLimits<Reading | NotUnderstood>(
    { text, maxLines, tooLong: (reason) => notUnderstood('', reason) },
    (limits) => read({ ...question, locale, dateOrder, limits }),
  );
  if (!('examples' in reading)) return reading;
  return { ...reading, examples: readingWordsOf(languageCodeOf(locale)).examples[kind] };
}

/** The same as part of a reading. Refusals get examples here too, for the faults of a list. */
export function readMoment(question: LimitedQuestion): MomentReading {
  const { text, now, zone, locale, dateOrder, limits, mustBeWhole = false, present } = question;
  return once(
    limits,
    [mustBeWhole, present && +present, +now, zone, locale, dateOrder, text].join(' '),
    () => {
      const reading = understood(question);
      if (reading.kind !== 'not-understood') return reading;
      return { ...reading, examples: readingWordsOf(languageCodeOf(locale)).examples.moment };
    },
  );
}

const once = oncePerRequest<MomentReading>();

function understood(question: LimitedQuestion): MomentReading {
  const { now, zone } = question;
  const text = stripCourtesy(tidyText(question.text));
  const exact = unixTime(text);
  if (exact !== undefined) return decide([{ moment: { instant: exact, zone } }], [], now);
  const event = calendarEvent(question.text, zone);
  const begin = event && understandClock({ ...question, text: tidyText(event.begin) });
  if (begin && 'notes' in begin) return { ...begin, notes: [...begin.notes, ...event.notes] };
  if (begin?.kind === 'past') return begin;
  const clocks = splitClocks(text).map((clock) => understandClock({ ...question, text: clock }));
  if (clocks.length > 0) return reconcile(clocks, now);
  const reading = understandBesideBrackets({ ...question, text }) ?? understandClock({ ...question, text });
  const isNow = reading.kind === 'not-understood' && saysNowInOthers(text);
  return isNow ? readNow(zone, now) : reading;
}

/** Words in brackets after a time. */
const IN_BRACKETS = /^(?<time>[^()]+?)\s*\((?<words>[^()]*\p{L}[^()]*)\)$/u;

/** A time before brackets that have a text: "friday 9am (easter special)", unlike "(PT)", "(next week)", "(every week)". */
function understandBesideBrackets(question: LimitedQuestion): MomentReading | undefined {
  const { time, words = '' } = IN_BRACKETS.exec(question.text)?.groups ?? {};
  if (time === undefined || question.mustBeWhole) return undefined;
  const whole = understandClock({ ...question, mustBeWhole: true });
  if (whole.kind !== 'not-understood' || whole.code) return undefined;
  const { meanings, inTitle } = findZoneWords(words, question);
  if (meanings.length > 0 || inTitle || zoneNamed(plainWords(words))) return undefined;
  const reading = understandClock({ ...question, text: time, mustBeWhole: true });
  if (!('notes' in reading)) return undefined;
  return { ...reading, notes: [...reading.notes, `“(${words})” was left unread.`] };
}

function readNow(zone: string, now: Date): MomentReading {
  return { kind: 'now', moment: { instant: new Date(toMinute(now.getTime())), zone } };
}

/** Several clocks for one instant. If all can show it, the first one is used; otherwise each clock is a candidate. */
function reconcile(clocks: readonly MomentReading[], now: Date): MomentReading {
  const refused = clocks.find(({ kind }) => kind === 'not-understood' || kind === 'past');
  if (refused !== undefined) return refused;
  const lists = clocks.map(momentsOf);
  const isShared = ({ instant }: Moment) =>
    lists.every((list) => list.some((other) => other.instant.getTime() === instant.getTime()));
  const shared = lists[0]?.filter(isShared) ?? [];
  const isOne = shared.length > 0;
  const possible = (isOne ? shared : lists.flat()).map((moment) => ({ moment }));
  const notes = clocks
    .slice(0, isOne ? 1 : undefined)
    .flatMap((clock) => ('notes' in clock ? clock.notes : []));
  return decide(possible, isOne ? notes : ['These times aren’t the same.', ...notes], now);
}

/** Understands words for a time on one clock. */
function understandClock({ text, now, zone, ...options }: LimitedQuestion): MomentReading {
  const { locale, limits, present } = options;
  const { rest, meanings, inTitle } = findZoneWords(text, { locale, ownZone: zone, limits });
  // A city in a title can be the place of an event, or its zone.
  const zones = meanings.length > 0 ? meanings : [{ zone }, ...(inTitle?.meanings ?? [])];
  const [first = { zone }] = zones;
  if (saysNow(rest, locale)) return readNow(first.zone, now);
  const [place] = inTitle?.meanings ?? [];
  if (inTitle && place && saysNow(inTitle.rest, locale)) return readNow(place.zone, now);
  return readInZones(zones, {
    words: rest,
    now,
    zone,
    present,
    read: (today) => {
      const read = readWords(rest, today, { ...options, mayLeaveTitle: true, tryOtherLanguages: true });
      return read.kind === 'read' || inTitle === undefined ? read : readWords(inTitle.rest, today, options);
    },
  });
}

/** Reads words in each zone that they can mean. */
export function readInZones(zones: readonly ZoneMeaning[], words: Words): MomentReading {
  const possible: Possible[] = [];
  const notes: string[] = [];
  for (const meaning of zones) {
    const read = momentsIn(meaning, words);
    if (read.kind === 'not-understood') return read;
    possible.push(...read.possible);
    notes.push(...read.notes);
  }
  return decide(possible, notes, words.now);
}

/** Words, where and when they were written, and what they mean if they are read on a day. */
interface Words {
  words: string;
  now: Date;
  zone: string;
  present?: Date | undefined;
  read: (today: DateTime) => Read | NotUnderstood;
}

/** A moment that words can mean. */
interface Possible {
  moment: Moment;
  /** Whether the clock skips the time that was named. */
  isShifted?: boolean;
  /** Whether it's less than a minute from now. */
  isNow?: boolean;
  note?: string;
  /** The last day of the period that the words name. */
  lastDay?: DateTime | undefined;
}

/**
 * "Tomorrow 9am PT" is 09:00 in Los Angeles on the author's tomorrow. If the date in Los Angeles is another one now, its
 * own tomorrow is a candidate too.
 */
function momentsIn(
  meaning: ZoneMeaning,
  { words, now, zone, present, read: readOn }: Words,
): { kind: 'possible'; possible: readonly Possible[]; notes: readonly string[] } | NotUnderstood {
  const clock = clockIn(meaning.zone, now);
  const itsToday = midnightOf(clock);
  const ownToday = meaning.zone === zone ? itsToday : midnightOf(clockIn(zone, now));
  const todays = +ownToday === +itsToday ? [itsToday] : [ownToday, itsToday];
  const shown = present && clockIn(zone, present);
  // "Monday in Tokyo" isn't on the clock that showed it.
  const minuteOfDay = meaning.zone === zone ? shown && shown.hour * 60 + shown.minute : undefined;
  const found: Candidates[] = [];
  const notes = new Set<string>();
  const expressions: Expression[] = [];
  for (const today of todays) {
    const read = readOn(today);
    if (read.kind === 'not-understood') return read;
    for (const note of read.notes) notes.add(note);
    expressions.push(...read.expressions);
    const clocks = { now: clock, today, minuteOfDay };
    for (const expression of withoutContradicted(read.expressions, clocks)) {
      const kept = findCandidates(keepDay(expression, shown), clocks);
      const isAhead = kept.walls.some(({ wall = Infinity }) => wall > +clock);
      found.push(isAhead ? kept : findCandidates(expression, clocks));
    }
  }
  if (found.every(({ walls }) => walls.length === 0))
    return refuseMissingDate(words, expressions, { meaning, now, clock });
  const possible = found.flatMap(({ walls, lastDay }) =>
    walls
      .flatMap((wall) => resolve(wall, meaning, now))
      .map((each) => ({ ...inOwnZone(each, meaning, zone), lastDay })),
  );
  return { kind: 'possible', possible, notes: [...notes, ...found.flatMap((each) => each.notes)] };
}

/** "Tuesday 12.12" isn't at 12:12 if 12 December is a Tuesday. */
function withoutContradicted(
  expressions: readonly Expression[],
  clocks: Parameters<typeof findCandidates>[1],
): readonly Expression[] {
  const agrees = (each: Expression, weekday: number) =>
    each.day?.kind === 'date' &&
    each.day.weekday === weekday &&
    findCandidates(each, clocks).walls.every(({ wall = 0 }) => asCalendar(wall).weekday % 7 === weekday);
  return expressions.filter(
    ({ day }) => day?.kind !== 'weekday' || !expressions.some((each) => agrees(each, day.weekday)),
  );
}

/** Gives the day that is shown to an expression that says only a time. */
function keepDay(expression: Expression, shown: DateTime | undefined): Expression {
  if (shown === undefined || !saysTimeOnly(expression)) return expression;
  const { year, month, day } = shown;
  return { ...expression, day: { kind: 'date', year, month, day, isEitherOrder: false, isPeriod: false } };
}

/** Refuses a date that isn't in the calendar. For a day after the last of its month, suggests the last day. */
function refuseMissingDate(
  words: string,
  expressions: readonly Expression[],
  { meaning, now, clock }: { meaning: ZoneMeaning; now: Date; clock: DateTime },
): NotUnderstood {
  for (const expression of expressions) {
    const { day } = expression;
    if (day?.kind !== 'date') continue;
    const nextYear = day.month < clock.month ? clock.year + 1 : clock.year;
    const lastDay = DateTime.utc(day.year ?? nextYear, day.month).endOf('month');
    if (!lastDay.isValid || day.day <= lastDay.day) continue;
    const name = `${day.day} ${lastDay.toFormat(day.year === undefined ? 'LLL' : 'LLL yyyy')}`;
    const lastDaySpoken = { ...expression, day: { ...day, day: lastDay.day, isEitherOrder: false } };
    const [wall] = findCandidates(lastDaySpoken, { now: clock, today: midnightOf(clock) }).walls;
    const [{ moment: suggestion } = {}] = wall ? resolve(wall, meaning, now) : [];
    return {
      ...notUnderstood(words, `${name} doesn’t exist.`),
      ...(suggestion && suggestion.instant > now && { suggestion }),
    };
  }
  return notUnderstood(words, 'This date doesn’t exist.');
}

/** An offset in figures that the reader's zone has then means that zone. */
function inOwnZone({ moment, ...possible }: Possible, { zone, offset }: ZoneMeaning, own: string): Possible {
  const isInFigures = offset !== undefined && zone !== 'Etc/UTC' && isFixedOffset(zone);
  const isOwn = isInFigures && offsetAt(moment.instant.getTime(), own) === offset;
  return { ...possible, moment: isOwn ? { ...moment, zone: own } : moment };
}

/**
 * From a wall clock to instants in the zone that is meant: one, two where the clock is set back, one after the gap where it
 * is set forward. Where the words name an offset too and the zone does not keep it on that day ("EST" in July), both are
 * meant: the zone's clock first, the offset second.
 */
function resolve(
  { wall, elapsed }: Candidate,
  { zone, offset }: ZoneMeaning,
  now: Date,
): readonly Possible[] {
  const at = (instant: number, place = zone): Possible => ({
    moment: { instant: new Date(instant), zone: place },
  });
  if (wall === undefined) return [{ ...at(toMinute(now.getTime() + elapsed)), isNow: elapsed < MINUTE_MS }];
  const shown = instantsShowing(wall, zone);
  const inZone = shown.length > 0 ? shown : [instantAfterGap(wall, zone)];
  const isShifted = elapsed === 0 && shown.length === 0;
  if (offset === undefined)
    return inZone.map((instant) => ({ ...at(toMinute(instant + elapsed)), isShifted }));
  const meant = wall - offset * MINUTE_MS;
  if (offsetAt(meant, zone) === offset) return [at(meant)];
  const atFixed = at(meant, fixedOffsetZone(offset) ?? zone);
  if (zone === 'Etc/UTC') return [atFixed];
  const note = `The clock isn’t at ${sayOffset(offset)} there then.`;
  return [...inZone.slice(0, 1).map((instant) => at(instant)), { ...atFixed, note }];
}

/** Moments are whole minutes, because people see no seconds. */
function toMinute(instant: number): number {
  return Math.floor(instant / MINUTE_MS) * MINUTE_MS;
}

/** More candidates would be a list, not a question. */
const MAX_CANDIDATES = 4;

/** A later time is a typo. */
const FURTHEST_MS = 110 * 366 * DAY_MS;

/** Decides between the moments in the future. The likeliest is first. */
function decide(possible: readonly Possible[], notes: readonly string[], now: Date): MomentReading {
  const valid = possible.filter(({ moment }) => !Number.isNaN(+moment.instant));
  const groups = Map.groupBy(valid, ({ moment }) => +moment.instant);
  const each = [...groups.values()].flatMap(([first]) => first ?? []);
  const ahead = each.filter(({ moment }) => moment.instant > now);
  const [first] = ahead;
  if (first === undefined) return whenOver(each[0], now);
  const { moment } = first;
  if (+moment.instant - +now > FURTHEST_MS) return notUnderstood('', 'That’s too far in the future.');
  const all = [...new Set([...notes, ...possible.flatMap(({ note }) => note ?? [])])];
  const candidates = ahead.slice(0, MAX_CANDIDATES).map((other) => other.moment);
  if (candidates.length > 1)
    return { kind: 'ambiguous', candidates, notes: all.filter((note) => !note.startsWith('Read as ')) };
  if (first.isShifted !== true) return { kind: 'understood', moment, notes: all };
  return { kind: 'shifted', moment, notes: all };
}

function whenOver(over: Possible | undefined, now: Date): MomentReading {
  if (over === undefined) return notUnderstood('', 'That’s not a time.');
  const { moment, lastDay } = over;
  if (over.isNow === true) return { kind: 'now', moment };
  if (+now - +moment.instant < MINUTE_MS) {
    const suggestion = earliestMoment(moment.zone, now);
    return { kind: 'past', moment: { ...moment, instant: now }, suggestion };
  }
  const { instant, zone } = moment;
  const wall = wallClockAt(instant.getTime(), zone) + DAY_MS;
  const sameTimeNextDay = new Date(instantsShowing(wall, zone)[0] ?? instant.getTime() + DAY_MS);
  const isInPeriod = lastDay === undefined || wall < +lastDay + DAY_MS;
  const isAhead = sameTimeNextDay > now && isInPeriod;
  return { kind: 'past', moment, ...(isAhead && { suggestion: { instant: sameTimeNextDay, zone } }) };
}

/** The first full minute that leaves at least one minute to schedule a post. */
export function earliestMoment(zone: string, now: Date): Moment {
  return { instant: new Date(Math.floor(now.getTime() / MINUTE_MS + 2) * MINUTE_MS), zone };
}
