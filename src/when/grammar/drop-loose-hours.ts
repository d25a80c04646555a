import type { Refiner } from 'chrono-node';
import { has, markValue } from './marks.ts';

/** A number that joined no day and no part of a day is a number, not an hour. */
export const dropLooseHours: Refiner = {
  refine: (_context, results) =>
    results.filter(({ start }) => {
      if (!has(start, 'loose-hour')) return true;
      return start.isCertain('day') || start.isCertain('weekday') || markValue(start, 'part') !== undefined;
    }),
};
