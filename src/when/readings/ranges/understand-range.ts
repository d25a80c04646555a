import { Info } from 'luxon';
import { group, spelled, withoutAccents } from '../../grammar/european/vocabulary.ts';
import { oncePerRequest } from '../../limits.ts';
import { type LimitedQuestion, notUnderstood, type Question } from '../../moment.ts';
import { readWithExamples } from '../../understand-moment.ts';
import { asCalendar, clockIn, DAY_MS, MINUTE_MS } from '../../zones/wall-clock.ts';
import { findZoneWords } from '../../zones/zone-words.ts';
import { alone, anywhere, perLanguage, readInLanguages, readingLexicons } from '../question.ts';
import { pairsIn } from './pairs.ts';
import { dayPointsIn, type PointExpression, pointsIn, stretchesNamed } from './points.ts';
import {
  type ClosedStretch,
  chooseStretch,
  type Edge,
  endOn,
  once,
  type Range,
  type RangeContext,
  type RangeReading,
  rangeOf,
  renderRange,
  type Side,
  type Stretch,
  timeOn,
  wholeDays,
} from './range.ts';

/** More candidates would be a list, not a question. */
const MAX_CANDIDATES = 4;

/** Understands a text as one range, for a plan (`isAhead`) or a list. Never throws. */
export function understandRange(question: Question & { isAhead?: boolean }): RangeReading {
  const { isAhead = false } = question;
  return readWithExamples('ranges', question, (limited) => readRange(limited, isAhead));
}

/** The same as part of a reading. */
export function readRange(question: LimitedQuestion, isAhead = false): RangeReading {
  return readInLanguages(question, (prepared, asked) => readPrepared(prepared, asked, isAhead));
}

function readPrepared(prepared: string, question: LimitedQuestion, isAhead: boolean): RangeReading {
  const byEnds = readRanges(prepared, question, isAhead).map(
    (each) => [`${each.range.from?.getTime()} ${each.range.to?.getTime()}`, each] as const,
  );
  const found = [...new Map(byEnds).values()];
  const readings = found.map(({ range }) => ({ range, text: renderRange(range, question) }));
  const notes = [...new Set(found.flatMap((each) => each.notes))];
  const [only] = readings;
  if (only === undefined) return notUnderstood(prepared, 'I don’t know this range of dates.');
  if (readings.length === 1) return { kind: 'understood', ...only, notes };
  return { kind: 'ambiguous', candidates: readings.slice(0, MAX_CANDIDATES), notes };
}

/** A stretch of wall time, its instants, and how the words name it: as a whole, by one end, or by two. */
export interface ReadRange {
  stretch: Stretch;
  range: Range;
  shape: 'whole' | 'open' | 'pair';
  notes: readonly string[];
}

type ReadStretch = Omit<ReadRange, 'range'>;

/** All ranges that a prepared text can mean, in each zone that it can name. The likeliest is first. */
export function readRanges(
  prepared: string,
  question: LimitedQuestion,
  isAhead = false,
): readonly ReadRange[] {
  const { now, zone, locale, dateOrder, limits } = question;
  const key = [isAhead, +now, zone, locale, dateOrder, prepared].join(' ');
  return oncePrepared(limits, key, () => readAnew(prepared, question, isAhead));
}

/** Texts that begin alike have runs of words in common. */
const oncePrepared = oncePerRequest<readonly ReadRange[]>();

function readAnew(
  prepared: string,
  { now, zone, locale, dateOrder, limits }: LimitedQuestion,
  isAhead: boolean,
): readonly ReadRange[] {
  const { rest, meanings } = findZoneWords(prepared, { locale, limits });
  // Dutch "voor" is "before" or "for", and "vóór" only "before".
  const words = withoutAccents(rest.replaceAll(/(?<!\p{L})v[óò]{2}r(?!\p{L})/giu, 'eerder dan'))
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s,]+|[\s,.!?]+$/g, '');
  const zones = meanings.length === 0 ? [zone] : [...new Set(meanings.map((meaning) => meaning.zone))];
  return zones.flatMap((each) => {
    const context = {
      now: clockIn(each, now),
      instant: now.getTime(),
      zone: each,
      locale,
      dateOrder,
      limits,
      firstWeekday: firstWeekdayIn(locale),
      isAhead,
    };
    let read: readonly ReadStretch[] = [];
    for (const lexicon of readingLexicons(locale))
      if (read.length === 0) read = readStretches(words, { ...context, lexicon });
    // "99999999999 days" from now has no instant.
    return read
      .map((found) => ({ ...found, range: rangeOf(found.stretch, each) }))
      .filter(({ range: { from, to } }) => [from, to].every((end) => !Number.isNaN(end?.getTime())));
  });
}

/** The locale's first weekday (ISO, 1 is Monday): Sunday in the United States. Defaults to Monday. */
function firstWeekdayIn(locale: string): number {
  try {
    return Info.getStartOfWeek({ locale: locale.replaceAll('_', '-') });
  } catch {
    return 1;
  }
}

const SIDES = ['since', 'until', 'before', 'after', 'from'] as const;

/** Before words such as "ein paar Tagen", these may count back from now: "vor", "seit", "da". */
const PAST_SIDES: ReadonlySet<Side> = new Set(['since', 'before', 'from']);

const patternsOf = perLanguage((lexicon) => {
  const { words, gap } = lexicon;
  const { edges, fillers, fillersAfter = '(?!)' } = words;
  const onwards = `(?:,?${gap}(?:${spelled(edges.onwards)}))?`;
  const sides = SIDES.map((side) => {
    const ending = side === 'from' || side === 'since' ? onwards : '';
    const before = `(?:${spelled(edges[side])})${gap}(?<point>.+?)${ending}`;
    const after = side === 'before' ? edges.beforeAfter : undefined;
    return [side, new RegExp(`^(?:${before}|(?<point>.+?)${group(after)})$`, 'i')] as const;
  });
  const month = `(?<![a-z])(?:${lexicon.months.pattern}|${spelled(words.stretches.nouns.month)})(?![a-z])`;
  const edgeOfMonth = (place: 'start' | 'end') => {
    const { edges: named = [], edgesInOneWord = [] } = words.grammar;
    const edge = named.find(([, each]) => each === place)?.[0] ?? '(?!)';
    const inOneWord = edgesInOneWord.find(([, each]) => each.place === place && each.unit === 'month')?.[0];
    return `(?:(?:${spelled(edge)})(?![a-z]).*${month}.*|${spelled(inOneWord ?? '(?!)')})`;
  };
  // In English, they count from now, with "ago" as without.
  const counted = words.grammar.durationBefore === undefined ? '(?!)' : `^${lexicon.counted}(?![a-z])`;
  return {
    sides,
    beforeOrFor: new RegExp(`^(?=${group(fillers)}${gap})${group(edges.before)}${gap}(?<point>.+)`, 'i'),
    counted: new RegExp(counted, 'i'),
    endOf: new RegExp(`^(?:${spelled(edges.endOf)})(?:${gap}(?<whole>.+)|$|(?=\\S))`, 'i'),
    untilAfter: new RegExp(`^(?<point>(?:(?!${edges.to}).)+)(?:${edges.untilAfter ?? '(?!)'})$`),
    end: new RegExp(`(?:${fillersAfter})+$`),
    day: alone(lexicon, spelled(words.grammar.dayNoun)),
    week: anywhere(lexicon, words.stretches.nouns.week),
    monthStart: alone(lexicon, edgeOfMonth('start')),
    monthEnd: alone(lexicon, edgeOfMonth('end')),
    onwards: new RegExp(`^(?<point>.+?),?${gap}(?:${spelled(edges.onwardsAlone ?? edges.onwards)})$`, 'i'),
  };
});

/** All stretches that the words can mean in one language, the likeliest first. */
function readStretches(written: string, context: RangeContext): readonly ReadStretch[] {
  const { sides, beforeOrFor, counted, end, untilAfter, onwards } = patternsOf(context.lexicon);
  const until = untilAfter.exec(written)?.groups?.point;
  if (until !== undefined) return sidedBy('until', until, context);
  const words = written.replace(end, '');
  const stretches = stretchesNamed(words, context);
  const before = sidedBy('before', beforeOrFor.exec(words)?.groups?.point ?? '', context);
  if (stretches !== undefined) return [...before, ...sided(stretches, 'alone', context)];
  const pairs = (): readonly ReadStretch[] =>
    pairsIn(words, context).map((stretch) => ({ stretch, shape: 'pair', notes: [] }));
  for (const [side, pattern] of sides) {
    // A plan begins when it can: "desde marzo" is from the coming March.
    if (side === 'since' && context.isAhead) continue;
    const point = pattern.exec(words)?.groups?.point;
    // "From 10 to 6" isn't from ten minutes to six. "2026-12-01" is no pair at all.
    if (side === 'from' && point !== undefined && pairs().length > 0) return pairs();
    if (point !== undefined && PAST_SIDES.has(side) && counted.test(point)) return [];
    const read = point === undefined ? [] : sidedBy(side, point, context);
    if (read.length > 0) return read;
  }
  const whole = sided(withEdgesOfMonths(words, dayPointsIn(words, context), context), 'alone', context);
  if (whole.length > 0) return whole;
  if (pairs().length > 0) return pairs();
  const point = onwards.exec(words)?.groups?.point;
  return point === undefined ? [] : sided(pointsIn(point, context), 'from', context);
}

/** In a range, "the end of november" and "Anfang Dezember" are the last and the first third of the month. */
function withEdgesOfMonths(
  words: string,
  points: readonly PointExpression[],
  { lexicon }: RangeContext,
): readonly PointExpression[] {
  const { week, monthEnd, monthStart } = patternsOf(lexicon);
  if (week.test(words)) return points;
  const widen = (stretch: ClosedStretch): ClosedStretch => {
    const day = asCalendar(stretch.from.wall);
    const last = day.endOf('month').day;
    if (day.day === 1 && monthStart.test(words))
      return wholeDays(day, day.set({ day: Math.floor(last / 3) }));
    if (day.day !== last || !monthEnd.test(words)) return stretch;
    return wholeDays(day.set({ day: Math.floor((last * 2) / 3) + 1 }), day);
  };
  return points.map(({ day, ...point }) =>
    day === undefined ? point : { ...point, day: { ...day, stretches: day.stretches.map(widen) } },
  );
}

/** A side of a point. Until "the end of" a day or a period, or before it, includes the whole of it. */
function sidedBy(side: Side, point: string, context: RangeContext): readonly ReadStretch[] {
  const { endOf, day } = patternsOf(context.lexicon);
  const atEnd = side === 'until' || side === 'before' ? endOf.exec(point) : null;
  if (atEnd === null) return sided(pointsIn(point, context), side, context);
  const { whole = '' } = atEnd.groups ?? {};
  const named = day.test(whole)
    ? once(wholeDays(context.now)).map((today) => ({ day: today }))
    : pointsIn(whole, context).filter(({ minutes }) => minutes === undefined);
  if (named.length > 0) return sided(named, 'until', context);
  const toEndOfDay = ({ from, to }: ClosedStretch) => ({ from, to: wholeDays(asCalendar(to.wall)).to });
  const days = pointsIn(point, context).map(({ day: named, ...each }) =>
    named === undefined ? each : { ...each, day: { ...named, stretches: named.stretches.map(toEndOfDay) } },
  );
  return sided(days, 'until', context);
}

function sided(
  points: readonly PointExpression[],
  side: Side,
  context: RangeContext,
): readonly ReadStretch[] {
  const shape = side === 'alone' ? 'whole' : 'open';
  return points.flatMap((point) =>
    edgesOf(point, side, context).map((closed) => {
      const isToCome = side === 'since' && closed.from.wall > context.now.toMillis();
      const notes = [point.day?.note, isToCome ? 'That’s to come, so from then on.' : undefined];
      return { stretch: cut(closed, side), shape, notes: notes.filter((note) => note !== undefined) };
    }),
  );
}

/** The stretch itself, or its day at these minutes. A moment without "from" or "until" is no range. */
function edgesOf(
  { day, minutes }: PointExpression,
  side: Side,
  context: RangeContext,
): readonly ClosedStretch[] {
  const now = context.now.toMillis();
  if (minutes === undefined) {
    const chosen = day === undefined ? undefined : chooseStretch(day, side, context);
    return chosen === undefined ? [] : [chosen];
  }
  if (side === 'alone') return [];
  const today = context.now.startOf('day').toMillis();
  return minutes.map((minute) => {
    // "Before friday 9am", on that Friday at eight, is before today's. In a list, posts may be "sent before 9am".
    const isComing = day ? day.comes === 'often' : context.isAhead || minute === 0;
    const meant = side === 'before' && isComing ? 'until' : side;
    // "Until 9am" and "before midnight", in the afternoon, are until the next one.
    const isNext = meant === 'until' || (context.isAhead && !day && minute === 0);
    const isOver = ({ wall }: Edge) => isNext && timeOn(wall, minute).wall < now;
    const open = day && { ...day, stretches: day.stretches.filter(({ from }) => !isOver(from)) };
    const chosen = open && (chooseStretch(open, meant, context) ?? chooseStretch(day, meant, context));
    const midnight = chosen?.from.wall ?? (isOver({ wall: today }) ? today + DAY_MS : today);
    return { from: timeOn(midnight, minute), to: endOn(midnight, minute) };
  });
}

function cut({ from, to }: ClosedStretch, side: Side): Stretch {
  switch (side) {
    case 'alone':
      return { from, to };
    case 'since':
    case 'from':
      return { from };
    case 'until':
      return { to };
    case 'before':
      return { to: just(from, -1) };
    case 'after':
      return { from: to.wall - from.wall < MINUTE_MS ? from : just(to, 1) };
  }
}

function just({ wall, instant }: Edge, ms: number): Edge {
  return { wall: wall + ms, ...(instant !== undefined && { instant: instant + ms }) };
}
