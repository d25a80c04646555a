import { rule } from '../rule.ts';
import { WEEKDAY, weekdayOf } from './calendar-words.ts';
import { ordinalOf } from './numbers.ts';

/** "the monday before …", "first friday after …": counted from the day that follows. */
export const weekdaysBeside = rule(
  'weekdays-beside',
  `(?:the\\s)?(?:(?<nth>first|second|third|fourth|1st|2nd|3rd|4th)\\s)?(?<day>${WEEKDAY})\\s(?:(?:right|just|immediately|directly)\\s)?(?<way>before|preceding|prior\\sto|after|following)(?=\\s(?!next))`,
  ({ nth, day, way }) => {
    const weekday = weekdayOf(day);
    if (weekday === undefined) return undefined;
    const sign = way === 'after' || way === 'following' ? '+' : '-';
    return { marks: [`beside/${weekday}${sign}${ordinalOf(nth) ?? 1}`] };
  },
);
