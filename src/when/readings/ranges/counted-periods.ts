import type { CountedUnit } from '../../grammar/european/vocabulary.ts';
import { MINUTE_MS, wallClockAt } from '../../zones/wall-clock.ts';
import { alone, fromTemplates, perLanguage } from '../question.ts';
import { type ClosedStretch, type Edge, type Named, once, type RangeContext, wholeDays } from './range.ts';

/** All that words for a stretch of time can mean. Undefined for other words. */
export type PeriodRule = (words: string, context: RangeContext) => readonly Named[] | undefined;

const MAX_YEARS = 100;

/** Patterns with a count, and where its stretch begins and ends: now is 0, and the count is 1 or -1. */
const countedPatternsOf = perLanguage((lexicon) => {
  const { next, last, ago } = lexicon.words.stretches;
  const counted = (templates: readonly string[]): RegExp => alone(lexicon, fromTemplates(lexicon, templates));
  return [
    [counted(next), 0, 1],
    [counted(last), -1, 0],
    [counted(ago), -1, -1],
  ] as const;
});

/** "next 10 days", "last 24 hours", "3 days ago". Hours and minutes are elapsed time. Longer units are whole days. */
export const countedPeriods: PeriodRule = (words, context) => {
  const { lexicon } = context;
  for (const [pattern, first, last] of countedPatternsOf(lexicon)) {
    const { count, unit: word } = pattern.exec(words)?.groups ?? {};
    const unit = lexicon.units.meaningOf(word);
    const size = count === undefined ? 1 : lexicon.numberOf(count);
    // "Vor nächster Woche" counts nothing.
    if (unit === undefined || size === undefined) continue;
    if (size === 0 || (unit === 'years' && size > MAX_YEARS)) return [];
    const { from } = fromNow(first * size, unit, context);
    const { to } = fromNow(last * size, unit, context);
    const isInstant = first === last && unit in ELAPSED_MS;
    const named = once({ from, to: isInstant ? from : to });
    // People mix up "the last week", which is counted from today, with "last week", which is the calendar's.
    const note = `One ${unit.slice(0, -1)} counted from today, not the calendar’s.`;
    return count !== undefined || unit in ELAPSED_MS ? named : named.map((each) => ({ ...each, note }));
  }
  return undefined;
};

const ELAPSED_MS: Partial<Record<string, number>> = {
  seconds: 1_000,
  minutes: MINUTE_MS,
  hours: 60 * MINUTE_MS,
};

/** A whole day, or elapsed time in whole minutes, rounded outwards because people see no seconds. */
function fromNow(size: number, unit: CountedUnit, { now, instant, zone }: RangeContext): ClosedStretch {
  const elapsed = size === 0 ? 0 : ELAPSED_MS[unit];
  if (elapsed === undefined) return wholeDays(now.plus({ [unit]: size }));
  const edge = (round: (minutes: number) => number): Edge => {
    const minute = round((instant + size * elapsed) / MINUTE_MS) * MINUTE_MS;
    return { wall: wallClockAt(minute, zone), instant: minute };
  };
  return { from: edge(Math.floor), to: edge(Math.ceil) };
}
