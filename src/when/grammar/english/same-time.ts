import { rule } from '../rule.ts';
import { saidDate } from './said-date.ts';

/** "this time tomorrow", "monday at the same time": the clock as it is now. */
export const sameTime = rule(
  'same-time',
  '(?:at\\s)?(?:the\\s)?(?:same|this)\\stime(?:\\sas\\snow)?',
  () => ({
    marks: ['same-time'],
  }),
);

/** "This day next week", "the same day next month": the date or weekday that it is now. */
export const sameDayLater = rule(
  'same-day-later',
  '(?:on\\s)?(?:the\\s)?(?:same|this|that)\\s(?:very\\s)?day\\snext\\s(?<unit>week|month|year)',
  ({ unit }, today) => {
    const ahead = unit === 'week' ? { weeks: 1 } : unit === 'month' ? { months: 1 } : { years: 1 };
    return saidDate(today.plus(ahead));
  },
);

const AHEAD = { week: 'after/P7D', month: 'after/P1M', year: 'after/P1Y' } as const;

/** "this time next week". */
export const sameTimeLater = rule(
  'same-time-later',
  '(?:at\\s)?(?:the\\s)?(?:same|this)\\stime\\snext\\s(?:(?<week>week)|(?<month>month)|year)',
  ({ week, month }) => ({
    marks: [week === undefined ? (month === undefined ? AHEAD.year : AHEAD.month) : AHEAD.week],
  }),
);
