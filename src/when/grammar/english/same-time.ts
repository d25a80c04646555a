import { rule } from '../rule.ts';
import { saidDate } from './said-date.ts';

/** "this time tomorrow", "monday at the same time": the clock as it is now. */
export const sameTime = rule(
  'same-time',
  '(?:at\\s)?(?:the\\s)?(?:same|this)\\s(?:time|hour)(?:\\sas\\snow)?',
  () => ({
    marks: ['same-time'],
  }),
);

const SAME_DAY = '(?:on\\s)?(?:the\\s)?(?:same|this|that)\\s(?:very\\s)?day';

/** "This day next week", "next month on the same day": the date or weekday that it is now. */
export const sameDayLater = rule(
  'same-day-later',
  `${SAME_DAY}\\snext\\s(?<after>week|month|year)|next\\s(?<before>week|month|year),?\\s${SAME_DAY}`,
  ({ after, before }, today) => {
    const unit = after ?? before;
    const ahead = unit === 'week' ? { weeks: 1 } : unit === 'month' ? { months: 1 } : { years: 1 };
    return saidDate(today.plus(ahead));
  },
);

const AHEAD = { week: 'after/P7D', month: 'after/P1M', year: 'after/P1Y' } as const;

const SAME_TIME = '(?:at\\s)?(?:the\\s)?(?:same|this)\\stime';

/** "this time next week", "next week at the same time". */
export const sameTimeLater = rule(
  'same-time-later',
  `${SAME_TIME}\\snext\\s(?<after>week|month|year)|next\\s(?<before>week|month|year),?\\s${SAME_TIME}`,
  ({ after, before }) => {
    const unit = after ?? before;
    return { marks: [unit === 'week' || unit === 'month' ? AHEAD[unit] : AHEAD.year] };
  },
);
