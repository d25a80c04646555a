import { rule } from '../rule.ts';

/** "this time tomorrow", "monday at the same time": the clock as it is now. */
export const sameTime = rule(
  'same-time',
  '(?:at\\s)?(?:the\\s)?(?:same|this)\\stime(?:\\sas\\snow)?',
  () => ({
    marks: ['same-time'],
  }),
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
