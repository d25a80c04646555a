import { wallClockAt } from '../../zones/wall-clock.ts';
import { alone, fromTemplates, perLanguage } from '../words/reading-lexicon.ts';
import type { CountedUnit } from '../words/reading-words.ts';
import type { PeriodRule } from './calendar-periods.ts';
import {
  type ClosedStretch,
  type Edge,
  MINUTE_MS,
  type Named,
  once,
  type RangeContext,
  wholeDays,
} from './stretch.ts';

/** More years are a typo. */
const MAX_YEARS = 100;

const patternsOf = perLanguage((lexicon) => {
  const { next, last, ago } = lexicon.words.stretches;
  const patternOf = (templates: readonly string[]): RegExp =>
    alone(lexicon, fromTemplates(lexicon, templates));
  return { next: patternOf(next), last: patternOf(last), ago: patternOf(ago) };
});

/** "next 10 days", "last 24 hours", "3 days ago". Hours and minutes are elapsed time. Longer units are whole days. */
export const countedPeriods: PeriodRule = (words, lexicon, context) => {
  const { next, last, ago } = patternsOf(lexicon);
  for (const [pattern, stretchOf] of [
    [next, ahead],
    [last, back],
    [ago, dayAgo],
  ] as const) {
    const { count, unit } = pattern.exec(words)?.groups ?? {};
    const named = lexicon.units.meaningOf(unit);
    if (named === undefined) continue;
    const size = count === undefined ? 1 : (lexicon.numberOf(count) ?? 0);
    return isSensible(size, named) ? withNote(stretchOf({ size, unit: named }, context), count, named) : [];
  }
  return undefined;
};

interface Count {
  size: number;
  unit: CountedUnit;
}

function isSensible(size: number, unit: CountedUnit): boolean {
  return size > 0 && (unit !== 'years' || size <= MAX_YEARS);
}

/** People mix up "the last week", which is counted from today, with "last week", which is the calendar's. */
function withNote(stretch: ClosedStretch, count: string | undefined, unit: CountedUnit): readonly Named[] {
  const named = once(stretch);
  if (count !== undefined || unit === 'hours' || unit === 'minutes') return named;
  return named.map((each) => ({
    ...each,
    note: `One ${unit.slice(0, -1)} counted from today, not the calendar’s.`,
  }));
}

function ahead({ size, unit }: Count, { now, instant, zone }: RangeContext): ClosedStretch {
  const from = floor(instant, zone);
  if (isElapsed(unit)) return { from, to: ceil(instant + msOf(size, unit), zone) };
  return { from, to: wholeDays(now.plus({ [unit]: size })).to };
}

function back({ size, unit }: Count, { now, instant, zone }: RangeContext): ClosedStretch {
  const to = ceil(instant, zone);
  if (isElapsed(unit)) return { from: floor(instant - msOf(size, unit), zone), to };
  return { from: wholeDays(now.minus({ [unit]: size })).from, to };
}

function dayAgo({ size, unit }: Count, { now, instant, zone }: RangeContext): ClosedStretch {
  if (!isElapsed(unit)) return wholeDays(now.minus({ [unit]: size }));
  const then = floor(instant - msOf(size, unit), zone);
  return { from: then, to: then };
}

function isElapsed(unit: CountedUnit): unit is 'hours' | 'minutes' {
  return unit === 'hours' || unit === 'minutes';
}

function msOf(size: number, unit: 'hours' | 'minutes'): number {
  return size * (unit === 'hours' ? 60 : 1) * MINUTE_MS;
}

/** Whole minutes, rounded outwards, because people see no seconds. */
function floor(instant: number, zone: string): Edge {
  return edge(Math.floor(instant / MINUTE_MS) * MINUTE_MS, zone);
}

function ceil(instant: number, zone: string): Edge {
  return edge(Math.ceil(instant / MINUTE_MS) * MINUTE_MS, zone);
}

function edge(instant: number, zone: string): Edge {
  return { wall: wallClockAt(instant, zone), instant };
}
