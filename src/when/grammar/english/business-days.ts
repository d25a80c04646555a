import type { DateTime } from 'luxon';
import { rule } from '../rule.ts';
import { NUMBER_WORD, numberOf } from './numbers.ts';

const DAYS = `(?:\\d{1,2}|${NUMBER_WORD}|an?)\\s(?:business|working|work)[\\s-]?days?`;
const SATURDAY = 6;

/** "in 3 business days", "two working days from now": Mondays to Fridays, at the time that it is now. */
export const businessDays = rule(
  'business-days',
  `in\\s(?<ahead>${DAYS})(?:(?:'s?)?\\stime)?|(?<later>${DAYS})(?:\\s(?:from\\s(?:now|today)|later|hence)|(?:'s?)?\\stime)`,
  ({ ahead, later }, today) => {
    const word = /^(.*?)\s(?:business|work)/.exec(ahead ?? later ?? '')?.[1];
    const count = word === 'a' || word === 'an' ? 1 : numberOf(word);
    return count === undefined ? undefined : { marks: [`after/P${calendarDays(today, count)}D`] };
  },
);

function calendarDays(today: DateTime, count: number): number {
  let days = 0;
  for (let left = count; left > 0; left -= today.plus({ days }).weekday < SATURDAY ? 1 : 0) days += 1;
  return days;
}
