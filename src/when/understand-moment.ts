import { DateTime } from 'luxon';
import type { Expression } from './expression.ts';
import { examplesOf } from './grammar/languages.ts';
import type { Read } from './grammar/read-grammar.ts';
import { readWords, saysNow, saysNowInOthers } from './grammar/read-words.ts';
import { type Limits, oncePerRequest, readWithinLimits } from './limits.ts';
import { type Moment, type MomentReading, momentsOf, type NotUnderstood, notUnderstood } from './moment.ts';
import { type Candidate, type Candidates, findCandidates } from './policy/candidates.ts';
import { stripCourtesy, tidyText, unixTime } from './tidy-text.ts';
import {
  clockIn,
  DAY_MS,
  fixedOffsetZone,
  instantAfterGap,
  instantsShowing,
  MINUTE_MS,
  offsetAt,
  sayOffset,
  wallClockAt,
} from './zones/wall-clock.ts';
import { isFixedOffset, type ZoneMeaning } from './zones/zone-index.ts';
import { findZoneWords, splitClocks } from './zones/zone-words.ts';

interface MomentWords {
  text: string;
  now: Date;
  /** The IANA name of the zone to read in where the words name none; one that isZone knows. */
  zone: string;
  /** BCP 47, such as "en-GB": whether the month or the day comes first in 03/04. Without it, as in en-US. */
  locale?: string;
  /** Whether every word has to belong to the time, so that "doors open friday" isn't one. */
  mustBeWhole?: boolean;
}

/** Understands a text as one time. Never throws. */
export function understandMoment(words: MomentWords): MomentReading {
  const { text, locale = 'en-US' } = words;
  const tooLong = (reason: string) => withExamples(notUnderstood('', reason), locale);
  return readWithinLimits({ text, tooLong }, (limits) => readMoment({ ...words, limits }));
}

/** The same as part of a reading. */
export function readMoment({ text, now, zone, limits, ...options }: MomentWords & { limits: Limits }) {
  const { locale = 'en-US', mustBeWhole = false } = options;
  return once(limits, [mustBeWhole, +now, zone, locale, text].join(' '), () =>
    withExamples(understood({ text, now, zone, limits, locale, mustBeWhole }), locale),
  );
}

function withExamples(reading: MomentReading, locale: string): MomentReading {
  if (reading.kind !== 'not-understood') return reading;
  return { ...reading, examples: examplesOf(locale) ?? reading.examples };
}

const once = oncePerRequest<MomentReading>();

type LimitedWords = Required<MomentWords> & { limits: Limits };

function understood(question: LimitedWords): MomentReading {
  const { now, zone } = question;
  const text = stripCourtesy(tidyText(question.text));
  const exact = unixTime(text);
  if (exact !== undefined) return decideBetween([{ instant: exact, zone }], [], now);
  const clocks = splitClocks(text).map((clock) => understandClock({ ...question, text: clock }));
  if (clocks.length > 0) return reconcile(clocks, now);
  const reading = understandClock({ ...question, text });
  const isNow = reading.kind === 'not-understood' && saysNowInOthers(text);
  return isNow ? readNow(zone, now) : reading;
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
  const notes = clocks
    .slice(0, isOne ? 1 : undefined)
    .flatMap((clock) => ('notes' in clock ? clock.notes : []));
  if (isOne) return decideBetween(shared, notes, now);
  return decideBetween(lists.flat(), ['These times aren’t the same.', ...notes], now);
}

/** Understands words for a time on one clock. */
function understandClock({ text, now, zone, locale, mustBeWhole, limits }: LimitedWords): MomentReading {
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
    read: (today) => {
      const read = readWords(rest, today, { locale, limits, mayLeaveTitle: true, tryOtherLanguages: true });
      if (mustBeWhole && read.kind === 'read' && !read.isWhole)
        return notUnderstood(rest, 'I didn’t understand every word.');
      return read.kind === 'read' || inTitle === undefined
        ? read
        : readWords(inTitle.rest, today, { locale, limits });
    },
  });
}

/** Reads words in each zone that they can mean. */
export function readInZones(zones: readonly ZoneMeaning[], words: Words): MomentReading {
  const found: MomentCandidates[] = [];
  for (const meaning of zones) {
    const read = momentsIn(meaning, words);
    if (read.kind === 'not-understood') return read;
    found.push(read);
  }
  return decide(found, words.now);
}

/** Words, where and when they were written, and what they mean if they are read on a day. */
interface Words {
  words: string;
  now: Date;
  zone: string;
  read: (today: DateTime) => Read | NotUnderstood;
}

/**
 * "Tomorrow 9am PT" is 09:00 in Los Angeles on the author's tomorrow. If the date in Los Angeles is another one now, its
 * own tomorrow is a candidate too.
 */
function momentsIn(
  meaning: ZoneMeaning,
  { words, now, zone, read: readOn }: Words,
): MomentCandidates | NotUnderstood {
  const clock = clockIn(meaning.zone, now);
  const itsToday = clock.startOf('day');
  const ownToday = meaning.zone === zone ? itsToday : clockIn(zone, now).startOf('day');
  const todays = +ownToday === +itsToday ? [itsToday] : [ownToday, itsToday];
  const found: Candidates[] = [];
  const notes = new Set<string>();
  const expressions: Expression[] = [];
  for (const today of todays) {
    const read = readOn(today);
    if (read.kind === 'not-understood') return read;
    for (const note of read.notes) notes.add(note);
    expressions.push(...read.expressions);
    found.push(...read.expressions.map((expression) => findCandidates(expression, { now: clock, today })));
  }
  const walls = found.flatMap((each) => each.walls);
  if (walls.length === 0) return refuseMissingDate(words, expressions, { meaning, now, clock });
  const resolved = walls
    .map((wall) => resolve(wall, meaning, now.getTime()))
    .map((each) => inOwnZone(each, meaning, zone));
  return { kind: 'possible', resolved, notes: [...notes, ...found.flatMap((each) => each.notes)] };
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
    const [wall] = findCandidates(lastDaySpoken, { now: clock, today: clock.startOf('day') }).walls;
    const [suggestion] = wall ? resolve(wall, meaning, now.getTime()).moments : [];
    return {
      ...notUnderstood(words, `${name} doesn’t exist.`),
      ...(suggestion && suggestion.instant > now && { suggestion }),
    };
  }
  return notUnderstood(words, 'This date doesn’t exist.');
}

/** An offset in figures that the reader's zone has then means that zone. */
function inOwnZone(resolved: Resolved, { zone, offset }: ZoneMeaning, own: string): Resolved {
  if (offset === undefined || zone === 'Etc/UTC' || !isFixedOffset(zone)) return resolved;
  const isOwn = ({ instant }: Moment): boolean => offsetAt(instant.getTime(), own) === offset;
  return {
    ...resolved,
    moments: resolved.moments.map((each) => (isOwn(each) ? { ...each, zone: own } : each)),
  };
}

/** The instants of one wall clock: one, two where the clock is set back, one after the gap where it is set forward. */
interface Resolved {
  moments: readonly Moment[];
  isShifted: boolean;
  notes: readonly string[];
}

/**
 * From a wall clock to instants in the zone that is meant. Where the words name an offset too and the zone does
 * not keep it on that day ("EST" in July), both are meant: the zone's clock first, the offset second.
 */
function resolve({ wall, elapsed }: Candidate, { zone, offset }: ZoneMeaning, now: number): Resolved {
  if (wall === undefined) return settled([toMinute(now + elapsed)], zone);
  const shown = instantsShowing(wall, zone);
  const inZone = shown.length > 0 ? shown : [instantAfterGap(wall, zone)];
  if (offset !== undefined) return atOffset(wall, zone, offset, inZone);
  if (elapsed === 0 && shown.length === 0) return { ...settled(inZone, zone), isShifted: true };
  const instants = inZone.map((instant) => toMinute(instant + elapsed));
  return settled(instants, zone);
}

function settled(instants: readonly number[], zone: string): Resolved {
  return {
    moments: instants.map((instant) => ({ instant: new Date(instant), zone })),
    isShifted: false,
    notes: [],
  };
}

function atOffset(wall: number, zone: string, offset: number, inZone: readonly number[]): Resolved {
  const meant = wall - offset * MINUTE_MS;
  if (offsetAt(meant, zone) === offset) return settled([meant], zone);
  const atFixed = settled([meant], fixedOffsetZone(offset) ?? zone);
  if (zone === 'Etc/UTC') return atFixed;
  const moments = [...settled(inZone.slice(0, 1), zone).moments, ...atFixed.moments];
  return { moments, isShifted: false, notes: [`The clock isn’t at ${sayOffset(offset)} there then.`] };
}

/** Moments are whole minutes, because people see no seconds. */
function toMinute(instant: number): number {
  return Math.floor(instant / MINUTE_MS) * MINUTE_MS;
}

/** What the words can mean in one zone, the likeliest first. */
interface MomentCandidates {
  kind: 'possible';
  resolved: readonly Resolved[];
  notes: readonly string[];
}

/** More candidates would be a list, not a question. */
const MAX_CANDIDATES = 4;

/** A later time is a typo. */
const FURTHEST_MS = 110 * 366 * DAY_MS;

/** Decides between moments that are all meant in their own zones. */
function decideBetween(moments: readonly Moment[], notes: readonly string[], now: Date): MomentReading {
  return decide([{ kind: 'possible', resolved: [{ moments, isShifted: false, notes: [] }], notes }], now);
}

/** Decides between the candidates in the future. */
function decide(found: readonly MomentCandidates[], now: Date): MomentReading {
  const resolved = found.flatMap((possible) => possible.resolved);
  const all = resolved.flatMap((each) => each.moments).filter(({ instant }) => !Number.isNaN(+instant));
  const moments = all.filter(
    ({ instant }, index) => all.findIndex((each) => +each.instant === +instant) === index,
  );
  const ahead = moments.filter(({ instant }) => instant > now);
  const [first] = ahead;
  if (first === undefined) return whenOver(moments[0], now);
  if (first.instant.getTime() - now.getTime() > FURTHEST_MS)
    return notUnderstood('', 'That’s too far in the future.');
  const notes = [...new Set([...found, ...resolved].flatMap((each) => each.notes))];
  if (ahead.length > 1) return { kind: 'ambiguous', candidates: ahead.slice(0, MAX_CANDIDATES), notes };
  const isShifted = resolved.some((each) => each.isShifted && each.moments.includes(first));
  if (!isShifted) return { kind: 'understood', moment: first, notes };
  const note = 'That time is skipped by the clock change, so moved forward.';
  return { kind: 'shifted', moment: first, notes: [...notes, note] };
}

function whenOver(moment: Moment | undefined, now: Date): MomentReading {
  if (moment === undefined) return notUnderstood('', 'That’s not a time.');
  if (+now - +moment.instant < MINUTE_MS) {
    const suggestion = earliestMoment(moment.zone, now);
    return { kind: 'past', moment: { ...moment, instant: now }, suggestion };
  }
  const suggestion = sameTimeNextDay(moment);
  return { kind: 'past', moment, ...(suggestion.instant > now && { suggestion }) };
}

/** The first full minute that leaves at least one minute to schedule a post. */
export function earliestMoment(zone: string, now: Date): Moment {
  return { instant: new Date(Math.floor(now.getTime() / MINUTE_MS + 2) * MINUTE_MS), zone };
}

function sameTimeNextDay({ instant, zone }: Moment): Moment {
  const wall = wallClockAt(instant.getTime(), zone) + DAY_MS;
  return { instant: new Date(instantsShowing(wall, zone)[0] ?? instant.getTime() + DAY_MS), zone };
}
