import type { ParsingResult, Refiner } from 'chrono-node';
import { has, markValue } from './marks.ts';

/**
 * Pieces that say nothing by themselves and have joined nothing that completes them: "monday before" no day,
 * "2 hours after" no time.
 */
export const dropWhatLeadsNowhere: Refiner = {
  refine: (_context, results) => results.filter((result) => !leadsNowhere(result)),
};

function leadsNowhere({ start }: ParsingResult): boolean {
  const hasDay = start.isCertain('day') || start.isCertain('weekday');
  if (start.isCertain('year') && !hasDay) return true;
  const hasTime = start.isCertain('hour') || markValue(start, 'part') !== undefined;
  if (markValue(start, 'beside') !== undefined) return !hasDay;
  if (has(start, 'same-time')) return !hasDay && !isInDays(start);
  const plus = markValue(start, 'plus');
  if (plus === undefined) return false;
  return plus.includes('T') ? !hasTime && !hasDay : !hasDay;
}

/** "A week from now at the same time" is complete, "in two hours at the same time" is nothing. */
function isInDays(start: ParsingResult['start']): boolean {
  return markValue(start, 'after')?.includes('T') === false;
}
