import { rule } from '../rule.ts';

/** "Week of december 7", "the week commencing 7 dec", "w/c 7/12": its Monday, or the day itself. */
export const weekOfDay = rule(
  '(?:in\\s)?(?:the\\s)?(?:week\\s(?:of|commencing|beginning|starting)|w/c)(?:\\son)?(?=\\s(?:the\\s)?(?!next|this|last|month|year)(?:\\d|[a-z]))',
  () => ({ beside: { weekday: 1, count: 1, way: 'in-week' } }),
);
