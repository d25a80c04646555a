import { rule } from '../rule.ts';

/** "Week of december 7", "the week commencing 7 dec", "w/c 7/12": its Monday, or the day itself. */
export const weekOfDay = rule(
  'week-of-day',
  '(?:in\\s)?(?:the\\s)?(?:week\\s(?:of|commencing|beginning|starting)|w/c)(?:\\son)?(?=\\s(?:the\\s)?(?!next|this|last|month|year)(?:\\d|[a-z]))',
  () => ({ marks: ['beside/1=1'] }),
);
