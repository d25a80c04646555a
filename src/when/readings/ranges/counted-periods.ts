import { wallClockAt } from '../../zones/wall-clock.ts';
import { alone, fromTemplates, perLanguage } from '../words/reading-lexicon.ts';
import type { CountedUnit } from '../words/reading-words.ts';
import type { PeriodRule } from './calendar-periods.ts';
import { type ClosedStretch, type Edge, MINUTE_MS, once, type RangeContext, wholeDays } from './range.ts';

/** More years are a typo. */
const MAX_YEARS = 100;

const patternsOf = perLanguage((lexicon) => {
  const { next, last, ago } = lexicon.words.stretches;
  const counted = (templates: readonly string[]): RegExp => alone(lexicon, fromTemplates(lexicon, templates));
  return [
    [counted(next), ahead],
    [counted(last), back],
    [counted(ago), dayAgo],
  ] as const;
});

interface Count {
  size: number;
  unit: CountedUnit;
}

/** "next 10 days", "last 24 hours", "3 days ago". Hours and minutes are elapsed time. Longer units are whole days. */
export const countedPeriods: PeriodRule = (words, lexicon, context) => {
  for (const [pattern, stretchOf] of patternsOf(lexicon)) {
    const { count, unit: word } = pattern.exec(words)?.groups ?? {};
    const unit = lexicon.units.meaningOf(word);
    if (unit === undefined) continue;
    const size = count === undefined ? 1 : (lexicon.numberOf(count) ?? 0);
    if (size === 0 || (unit === 'years' && size > MAX_YEARS)) return [];
    const named = once(stretchOf({ size, unit }, context));
    // People mix up "the last week", which is counted from today, with "last week", which is the calendar's.
    const note = `One ${unit.slice(0, -1)} counted from today, not the calendar’s.`;
    return count !== undefined || unit in ELAPSED_MS ? named : named.map((each) => ({ ...each, note }));
  }
  return undefined;
};

function ahead({ size, unit }: Count, { now, instant, zone }: RangeContext): ClosedStretch {
  const from = edge(instant, zone, Math.floor);
  if (isElapsed(unit)) return { from, to: edge(instant + size * ELAPSED_MS[unit], zone, Math.ceil) };
  return { from, to: wholeDays(now.plus({ [unit]: size })).to };
}

function back({ size, unit }: Count, { now, instant, zone }: RangeContext): ClosedStretch {
  const to = edge(instant, zone, Math.ceil);
  if (isElapsed(unit)) return { from: edge(instant - size * ELAPSED_MS[unit], zone, Math.floor), to };
  return { from: wholeDays(now.minus({ [unit]: size })).from, to };
}

function dayAgo({ size, unit }: Count, { now, instant, zone }: RangeContext): ClosedStretch {
  if (!isElapsed(unit)) return wholeDays(now.minus({ [unit]: size }));
  const then = edge(instant - size * ELAPSED_MS[unit], zone, Math.floor);
  return { from: then, to: then };
}

const ELAPSED_MS = { seconds: 1000, minutes: MINUTE_MS, hours: 60 * MINUTE_MS } as const;

function isElapsed(unit: CountedUnit): unit is keyof typeof ELAPSED_MS {
  return unit in ELAPSED_MS;
}

/** Whole minutes, rounded outwards, because people see no seconds. */
function edge(instant: number, zone: string, round: (minutes: number) => number): Edge {
  const minute = round(instant / MINUTE_MS) * MINUTE_MS;
  return { wall: wallClockAt(minute, zone), instant: minute };
}
