import { DateTime } from 'luxon';
import { decide, decideBetween, type MomentCandidates, type Resolved, resolve, toMinute } from './decide.ts';
import type { Expression } from './expression.ts';
import { languageOf } from './grammar/languages.ts';
import { saysNowInOthers } from './grammar/other-languages.ts';
import type { Read } from './grammar/read-grammar.ts';
import { readWords, saysNow } from './grammar/read-words.ts';
import { oncePerRequest, readWithinLimits } from './limits.ts';
import { type Moment, type MomentReading, momentsOf, type NotUnderstood, notUnderstood } from './moment.ts';
import { type Candidates, findCandidates } from './policy/candidates.ts';
import { stripCourtesy, tidyText, unixTime } from './tidy-text.ts';
import { splitClocks } from './zones/clocks.ts';
import { offsetAt, wallClockAt } from './zones/wall-clock.ts';
import { isFixedOffset } from './zones/zone-index.ts';
import type { ZoneMeaning } from './zones/zone-names.ts';
import { findZoneWords } from './zones/zone-words.ts';

interface MomentWords {
  text: string;
  now: Date;
  /** The IANA name of the zone to read in where the words name none; one that isZone knows. */
  zone: string;
  /** BCP 47, such as "en-GB": whether the month or the day comes first in 03/04. Without it, as in en-US. */
  locale?: string;
}

/** Understands a text as one time. Never throws. */
export function understandMoment({ text, now, zone, locale = 'en-US' }: MomentWords): MomentReading {
  const question = { text, now, zone, locale };
  const reading = readWithinLimits({ text, tooLong: (reason) => notUnderstood('', reason) }, () =>
    once(JSON.stringify(question), () => understood(question)),
  );
  if (reading.kind !== 'not-understood') return reading;
  return { ...reading, examples: languageOf(locale)?.examples ?? reading.examples };
}

const once = oncePerRequest<MomentReading>();

function understood(question: Required<MomentWords>): MomentReading {
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
function understandClock({ text, now, zone, locale }: Required<MomentWords>): MomentReading {
  const { rest, meanings, inTitle } = findZoneWords(text, locale, zone);
  // A city in a title can be the place of an event, or its zone.
  const zones = meanings.length > 0 ? meanings : [{ zone }, ...(inTitle?.meanings ?? [])];
  const [first = { zone }] = zones;
  if (saysNow(rest, locale)) return readNow(first.zone, now);
  return readInZones(zones, {
    words: rest,
    now,
    zone,
    read: (today) => {
      const mayLeaveTitle = meanings.length === 0;
      const read = readWords(rest, today, { locale, mayLeaveTitle, tryOtherLanguages: true });
      return read.kind === 'read' || inTitle === undefined
        ? read
        : readWords(inTitle.rest, today, { locale });
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

function clockIn(zone: string, now: Date): DateTime {
  return DateTime.fromMillis(wallClockAt(now.getTime(), zone), { zone: 'utc' });
}
