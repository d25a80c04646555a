import { rule } from '../rule.ts';
import { NUMBER_WORD, numberOf } from './numbers.ts';

/** More hours than this are said as days. */
const MOST_HOURS = 12;

/** "In 5": minutes, or hours where these are few; asked then. */
export const bareCounts = rule(
  'bare-counts',
  `in\\s(?<count>\\d{1,3}|${NUMBER_WORD})(?=[\\s.!?]*$)`,
  ({ count }) => {
    const size = numberOf(count);
    if (size === undefined || size === 0) return undefined;
    if (size > MOST_HOURS) return { marks: [`after/PT${size}M`] };
    return { marks: [`after/PT${size}M`, `or-after/PT${size}H`] };
  },
);
