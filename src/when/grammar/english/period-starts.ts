import { DateTime } from 'luxon';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { MONTH, monthOf } from './calendar-words.ts';

const START =
  '(?:the\\s)?(?:start|beginning|first\\sday|first(?=\\sof\\s(?:(?:the|this|next)\\s)?(?:year|quarter)\\b))\\s(?:(?:of|in)\\s|(?=next\\s|this\\s))';

/** "start of next month", "first day of next year", "beginning of next week". */
export const periodStarts = rule(
  `${START}(?:(?<which>the|this|next|the\\snext|the\\snew)\\s)?(?<unit>week|month|quarter|year)`,
  ({ which, unit }, today) => {
    const period = unit === 'week' || unit === 'month' || unit === 'quarter' ? unit : 'year';
    const thisOne = today.startOf(period);
    const isMeant = which === 'this' || (!/next|new/.test(which ?? '') && thisOne >= today);
    return dateOf(isMeant ? thisOne : thisOne.plus({ [`${period}s`]: 1 }));
  },
);

/** "beginning of december", "first day of 2028". */
export const namedStarts = rule(
  `${START}(?:(?<month>${MONTH})(?:,?\\s(?<year>\\d{4}))?|(?<alone>\\d{4}))`,
  ({ month, year, alone }, today) => {
    if (alone !== undefined) return dateOf(DateTime.utc(Number(alone), 1, 1));
    const number = monthOf(month);
    if (number === undefined) return undefined;
    const isOver = DateTime.utc(today.year, number, 1) < today;
    const inYear = year === undefined ? today.year + (isOver ? 1 : 0) : Number(year);
    return dateOf(DateTime.utc(inYear, number, 1));
  },
);

function dateOf({ year, month, day }: DateTime): Meaning {
  return { year, month, day };
}
