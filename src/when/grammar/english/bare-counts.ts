import { Duration } from 'luxon';
import { rule } from '../rule.ts';
import { NUMBER_WORD, numberOf } from './numbers.ts';

/** More hours than this are said as days. */
const MOST_HOURS = 12;

/** "In 5": minutes, or hours where these are few; asked then. */
export const bareCounts = rule(`in\\s(?<count>\\d{1,3}|${NUMBER_WORD})(?=[\\s.!?]*$)`, ({ count }) => {
  const size = numberOf(count);
  if (size === undefined || size === 0) return undefined;
  if (size > MOST_HOURS) return { fromNow: Duration.fromObject({ minutes: size }) };
  return {
    fromNow: Duration.fromObject({ minutes: size }),
    orFromNow: Duration.fromObject({ hours: size }),
  };
});
