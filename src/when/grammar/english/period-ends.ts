import { DateTime } from 'luxon';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { MONTH, monthOf } from './calendar-words.ts';

const END =
  '(?:the\\s)?(?:very\\s)?(?:(?:end|last(?:\\sday)?)\\s(?:of|in)\\s|last\\sday\\s(?=next\\s|this\\s))';

/** "end of the month", "last day of next year", "end of the quarter", "month end", "eom", "eoq", "eoy". */
export const periodEnds = rule(
  `(?<short>eom|eoq|eoy)|(?:the\\s)?(?<ending>month|quarter|year)[\\s-]end(?!\\s?(?:of|review|party|sale))|${END}(?:(?<which>the|this|next|the\\snext)\\s)?(?<unit>month|quarter|year)`,
  ({ short, ending, which, unit = ending ?? SHORT[short ?? ''] }, today) => {
    const period = unit === 'month' || unit === 'quarter' ? unit : 'year';
    return dateOf(today.plus(which?.endsWith('next') ? { [`${period}s`]: 1 } : {}).endOf(period));
  },
);

const SHORT: Readonly<Record<string, string>> = { eom: 'month', eoq: 'quarter', eoy: 'year' };

/** "end of the week", "eow": its Friday where work ends then, or its Sunday. */
export const weekEnds = rule(
  `(?<short>eow)|${END}(?:(?<which>the|this|next|the\\snext)\\s)?(?:week|wk)`,
  ({ which }, today) => {
    const week = today.plus({ weeks: which?.endsWith('next') ? 1 : 0 });
    const sunday = week.endOf('week').startOf('day');
    const friday = sunday.minus({ days: 2 });
    if (friday < today) return dateOf(sunday);
    return { ...dateOf(friday), otherDates: [sunday] };
  },
);

/** "end of april", "last day of october 2027". */
export const monthEnds = rule(
  `${END}(?:(?<month>${MONTH})(?:,?\\s(?<year>\\d{4}))?|(?<alone>\\d{4}))`,
  ({ month, year, alone }, today) => {
    if (alone !== undefined) return dateOf(DateTime.utc(Number(alone), 12, 31));
    const number = monthOf(month);
    if (number === undefined) return undefined;
    const isOver = number < today.month;
    const inYear = year === undefined ? today.year + (isOver ? 1 : 0) : Number(year);
    return dateOf(DateTime.utc(inYear, number).endOf('month'));
  },
);

function dateOf({ year, month, day }: DateTime): Meaning {
  return { year, month, day };
}
