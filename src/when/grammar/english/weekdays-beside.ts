import { rule } from '../rule.ts';
import { WEEKDAY, WEEKDAY_NAME, weekdayOf } from './calendar-words.ts';
import { NUMBER_WORD, numberOf, ordinalOf } from './numbers.ts';

/** "the monday before …", "first friday after …", "next friday after …", "two tuesdays after …": counted from the day that follows. */
export const weekdaysBeside = rule(
  `(?:(?<count>[2-9]|${NUMBER_WORD})\\s(?<days>${WEEKDAY_NAME})s|(?:the\\s)?(?:(?<nth>first|second|third|fourth|1st|2nd|3rd|4th|next|last)\\s)?(?<day>${WEEKDAY}))\\s(?:(?:right|just|immediately|directly)\\s)?(?<way>before|preceding|prior\\sto|after|following)(?=\\s(?!next(?:[\\s.!]*$|\\s(?:one|at|noon|\\d))))`,
  ({ count, days, nth, day, way }) => {
    const weekday = weekdayOf(day ?? days);
    const many = count === undefined ? (ordinalOf(nth) ?? 1) : numberOf(count);
    if (weekday === undefined || many === undefined || many < 1 || many > 9) return undefined;
    const isAfter = way === 'after' || way === 'following';
    return { beside: { weekday, count: many, way: isAfter ? 'after' : 'before' } };
  },
);
