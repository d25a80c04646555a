import { DateTime } from 'luxon';
import { rule, type Said } from '../rule.ts';
import { MONTH, monthOf } from './calendar-words.ts';

const END = '(?:the\\s)?(?:end|last\\sday)\\s(?:of|in)\\s';

/** "end of the month", "last day of next year", "eom", "eoy". */
export const periodEnds = rule(
  'period-ends',
  `(?<short>eom|eoy)|${END}(?:(?<which>the|this|next)\\s)?(?<unit>month|year)`,
  ({ short, which, unit = short === 'eoy' ? 'year' : 'month' }, today) => {
    const period = unit === 'year' ? 'year' : 'month';
    return lastDay(today.plus(which === 'next' ? { [`${period}s`]: 1 } : {}).endOf(period));
  },
);

/** "end of april", "last day of october 2027". */
export const monthEnds = rule(
  'month-ends',
  `${END}(?<month>${MONTH})(?:,?\\s(?<year>\\d{4}))?`,
  ({ month, year }, today) => {
    const number = monthOf(month);
    if (number === undefined) return undefined;
    const isOver = number < today.month;
    const inYear = year === undefined ? today.year + (isOver ? 1 : 0) : Number(year);
    return lastDay(DateTime.utc(inYear, number).endOf('month'));
  },
);

function lastDay(end: DateTime): Said {
  return { year: end.year, month: end.month, day: end.day };
}
