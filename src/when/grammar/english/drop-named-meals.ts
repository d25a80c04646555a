import type { ParsingResult, Refiner } from 'chrono-node';
import { has } from '../marks.ts';

/** "Lunch with Ben tomorrow at 12:30": a meal that joins nothing is what is done then, where the time is said. */
export const dropNamedMeals: Refiner = {
  refine: (_context, results) => {
    const isTimed = results.some(({ start }) => start.isCertain('hour') && !has(start, 'spoken-hour'));
    return isTimed ? results.filter((result) => !isMealAlone(result)) : results;
  },
};

function isMealAlone({ start }: ParsingResult): boolean {
  if (!start.tags().has('rule/occasions')) return false;
  return !(['hour', 'day', 'weekday'] as const).some((part) => start.isCertain(part));
}
