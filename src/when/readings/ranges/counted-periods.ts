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

/** "next 10 days", "last 24 hours", "3 days ago". Hours and minutes are elapsed time. Longer units are whole days. */
export const countedPeriods: PeriodRule = (words, lexicon, context) => {
  for (const [pattern, stretchOf] of patternsOf(lexicon)) {
    const { count, unit: word } = pattern.exec(words)?.groups ?? {};
    const unit = lexicon.units.meaningOf(word);
    if (unit === undefined) continue;
    const size = count === undefined ? 1 : (lexicon.numberOf(count) ?? 0);
    if (size === 0 || (unit === 'years' && size > MAX_YEARS)) return [];
    const named = once(stretchOf(size, unit, context));
    // People mix up "the last week", which is counted from today, with "last week", which is the calendar's.
    const note = `One ${unit.slice(0, -1)} counted from today, not the calendar’s.`;
    return count !== undefined || unit in ELAPSED_MS ? named : named.map((each) => ({ ...each, note }));
  }
  return undefined;
};

function ahead(size: number, unit: CountedUnit, context: RangeContext): ClosedStretch {
  return { from: fromNow(0, 'minutes', context).from, to: fromNow(size, unit, context).to };
}

function back(size: number, unit: CountedUnit, context: RangeContext): ClosedStretch {
  return { from: fromNow(-size, unit, context).from, to: fromNow(0, 'minutes', context).to };
}

function dayAgo(size: number, unit: CountedUnit, context: RangeContext): ClosedStretch {
  const { from, to } = fromNow(-size, unit, context);
  return { from, to: unit in ELAPSED_MS ? from : to };
}

const ELAPSED_MS: Partial<Record<string, number>> = {
  seconds: 1000,
  minutes: MINUTE_MS,
  hours: 60 * MINUTE_MS,
};

/** A whole day, or elapsed time in whole minutes, rounded outwards because people see no seconds. */
function fromNow(size: number, unit: CountedUnit, { now, instant, zone }: RangeContext): ClosedStretch {
  const elapsed = ELAPSED_MS[unit];
  if (elapsed === undefined) return wholeDays(now.plus({ [unit]: size }));
  const edge = (round: (minutes: number) => number): Edge => {
    const minute = round((instant + size * elapsed) / MINUTE_MS) * MINUTE_MS;
    return { wall: wallClockAt(minute, zone), instant: minute };
  };
  return { from: edge(Math.floor), to: edge(Math.ceil) };
}
