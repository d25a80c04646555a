import { Duration } from 'luxon';
import { rule } from '../rule.ts';
import { saidDate } from './said-date.ts';

/** "this time tomorrow", "monday at the same time": the clock as it is now. */
export const sameTime = rule('(?:at\\s)?(?:the\\s)?(?:same|this)\\s(?:time|hour)(?:\\sas\\snow)?', () => ({
  isSameTime: true,
}));

const SAME_DAY = '(?:on\\s)?(?:the\\s)?(?:same|this|that)\\s(?:very\\s)?day';

/** "This day next week", "next month on the same day": the date or weekday that it is now. */
export const sameDayLater = rule(
  `${SAME_DAY}\\snext\\s(?<after>week|month|year)|next\\s(?<before>week|month|year),?\\s${SAME_DAY}`,
  ({ after, before }, today) => {
    return saidDate(today.plus(oneOf(after ?? before)));
  },
);

function oneOf(unit: string | undefined): Duration {
  if (unit === 'week') return Duration.fromObject({ days: 7 });
  return Duration.fromObject(unit === 'month' ? { months: 1 } : { years: 1 });
}

const SAME_TIME = '(?:at\\s)?(?:the\\s)?(?:same|this)\\stime';

/** "this time next week", "next week at the same time". */
export const sameTimeLater = rule(
  `${SAME_TIME}\\snext\\s(?<after>week|month|year)|next\\s(?<before>week|month|year),?\\s${SAME_TIME}`,
  ({ after, before }) => {
    return { fromNow: oneOf(after ?? before) };
  },
);
