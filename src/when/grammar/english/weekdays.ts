import type { Parser } from 'chrono-node';
import { DateTime, Duration } from 'luxon';
import { dateOf, eitherDateOf, type Meaning, type WeekChoice } from '../piece.ts';
import { rule } from '../rule.ts';
import { comingDate, MONTH, monthOf, WEEKDAY, WEEKDAY_NAME, weekdayOf } from './calendar-words.ts';
import { YEAR_BESIDE, yearOf } from './month-dates.ts';
import { NUMBER_WORD, numberOf, ORDINAL_FIGURE, ORDINAL_WORD, ordinalOf } from './numbers.ts';

const BEFORE = '(?<before>this\\s(?:coming|upcoming)|this|next|coming|upcoming|the\\sfollowing|following)';

/** "friday", "next tues", "friday after next", "next friday but one". */
const weekdays = rule(
  `(?:${BEFORE}\\s)?(?<day>${WEEKDAY})(?:'s\\b)?(?:(?<after>\\safter\\s(?:the\\s)?next(?:\\sone)?(?!\\s(?:${WEEKDAY}|week|weekend|month|quarter|year|easter|christmas)\\b)|\\sbut\\sone)|(?<next>\\snext)(?!\\s(?!at\\b|noon|\\d)\\w)|\\s(?:coming|upcoming))?`,
  ({ before, day, after, next }) =>
    weekdayIn(day, after === undefined ? weekChoice(before ?? next?.trim()) : 'after-next'),
);

function weekdayIn(day: string | undefined, week: WeekChoice | undefined): Meaning | undefined {
  const weekday = weekdayOf(day);
  if (weekday === undefined) return undefined;
  return week === undefined ? { weekday } : { weekday, week };
}

function weekChoice(before: string | undefined): WeekChoice | undefined {
  if (before === undefined) return undefined;
  return before === 'next' || before.endsWith('following') ? 'next' : 'this';
}

/** "friday week": a week after the coming friday, in British English. */
const weekAfterWeekday = rule(
  `(?:(?:on|next|this(?:\\scoming)?)\\s)?(?<day>${WEEKDAY})\\s(?<week>week|fortnight)(?!\\s?(?:of|in|from|day|end|\\d\\d?(?!\\d|\\s?(?:[ap:.h]|o'))))`,
  ({ day, week }) => {
    const weekday = weekdayOf(day);
    if (weekday === undefined) return undefined;
    return { weekday, plus: Duration.fromObject({ days: week === 'week' ? 7 : 14 }) };
  },
);

/** A number above these can't be an hour. A number below them is rarely one beside a weekday: "mon 7" is the 7th. */
const HOURS = { first: 7, last: 20 };

/**
 * "tue 14": the date if the 14th is a Tuesday within a month, or the hour. "Friday 25" can't be an hour. If the date
 * doesn't fit, it's the hour.
 */
const weekdaysWithDay = rule(
  `(?<weekday>${WEEKDAY}),?\\s(?<number>\\d{1,2})(?![:.,/-]?\\d|[-/]\\w|\\s?(?:[ap]\\.?m|h|o'?\\s?clock|${MONTH}))`,
  ({ weekday, number }, today) => {
    const named = weekdayOf(weekday);
    const day = Number(number);
    if (named === undefined || day === 0) return undefined;
    const ahead = (named - today.weekday + 7) % 7;
    const weeks = Math.ceil(((day > 24 ? 90 : 31) - ahead) / 7);
    const dates = Array.from({ length: weeks }, (_, week) => today.plus({ days: ahead + week * 7 }));
    if (!dates.some((date) => date.day === day)) return undefined;
    const canBeHour = day >= HOURS.first && day <= HOURS.last;
    return { weekday: named, day, ...(canBeHour && { orHour: day }) };
  },
);

/** "two fridays from now", "in two fridays", "the second friday from today". */
const weekdaysFromNow = rule(
  `(?<count>\\d|${NUMBER_WORD})\\s(?<weekday>${WEEKDAY_NAME})s?\\s(?:from\\s(?:now|today)|hence|later|out|away)|in\\s(?<inCount>\\d|${NUMBER_WORD})\\s(?<later>${WEEKDAY_NAME})s|(?:the\\s)?(?<nth>${ORDINAL_WORD}|\\d(?:st|nd|rd|th))\\s(?<one>${WEEKDAY})\\sfrom\\s(?:now|today)`,
  ({ count, weekday, inCount, later, nth, one }, today) => {
    const named = weekdayOf(weekday ?? later ?? one);
    const weeks = numberOf(count ?? inCount) ?? ordinalOf(nth);
    if (named === undefined || weeks === undefined || weeks < 1) return undefined;
    return dateOf(nextWeekday(today, named).plus({ weeks: weeks - 1 }));
  },
);

const WEEKS = `(?:\\d|an?|${NUMBER_WORD})(?=\\sweeks?)`;
const IN_WEEKS = `(?:in\\s(?<ahead>${WEEKS})\\sweeks?(?:'?\\stime)?|(?<hence>${WEEKS})\\sweeks?\\sfrom\\snow)`;

/** "friday in two weeks", "in 3 weeks on monday": in that calendar week, or so many weeks after the coming one. */
const weekdaysInWeeks = rule(
  `(?<first>${WEEKDAY}),?\\s${IN_WEEKS}|${IN_WEEKS.replace('ahead', 'before').replace('hence', 'later')},?\\s(?:on\\s)?(?<last>${WEEKDAY})`,
  ({ first, ahead, hence, before, later, last }, today) => {
    const named = weekdayOf(first ?? last);
    const words = ahead ?? hence ?? before ?? later;
    const weeks = words?.startsWith('a') ? 1 : numberOf(words);
    if (named === undefined || weeks === undefined) return undefined;
    const inWeek = today.plus({ weeks }).startOf('week');
    return eitherDateOf(inWeek.plus({ days: (named + 6) % 7 }), [nextWeekday(today, named).plus({ weeks })]);
  },
);

/** The next such weekday after today. */
function nextWeekday(today: DateTime, weekday: number): DateTime {
  return today.plus({ days: (weekday - today.weekday + 7) % 7 || 7 });
}

/** "the monday before …", "first friday after …", "two tuesdays after …": counted from the day that follows. */
const weekdaysBeside = rule(
  `(?:(?<count>[2-9]|${NUMBER_WORD})\\s(?<days>${WEEKDAY_NAME})s|(?:the\\s)?(?:(?<nth>first|second|third|fourth|1st|2nd|3rd|4th|next|last)\\s)?(?<day>${WEEKDAY}))\\s(?:(?:right|just|immediately|directly)\\s)?(?<way>before|preceding|prior\\sto|after|following)(?=\\s(?!next(?:[\\s.!]*$|\\s(?:one|at|noon|\\d))))`,
  ({ count, days, nth, day, way }) => {
    const weekday = weekdayOf(day ?? days);
    const many = count === undefined ? (ordinalOf(nth) ?? 1) : numberOf(count);
    if (weekday === undefined || many === undefined || many < 1 || many > 9) return undefined;
    const isAfter = way === 'after' || way === 'following';
    return { beside: { weekday, count: many, way: isAfter ? 'after' : 'before' } };
  },
);

const DAY = `(?:${ORDINAL_WORD}|${ORDINAL_FIGURE}|\\d{1,2})`;
const NEAR = '(?:closest|nearest)';

/** "the closest monday to oct 5th", "second nearest friday to the 3rd of may", "the tuesday nearest december 25". */
const closestWeekdays = rule(
  `(?:the\\s)?(?:(?<second>second|2nd)\\s)?(?:${NEAR}\\s(?<day>${WEEKDAY})\\sto|(?<before>${WEEKDAY})\\s${NEAR}(?:\\sto)?)\\s(?:the\\s)?(?:(?<month>${MONTH})\\s(?:the\\s)?(?<number>${DAY})|(?<first>${DAY})\\s(?:of\\s)?(?<last>${MONTH}))${YEAR_BESIDE}`,
  ({ second, day, before, month, number, first, last, ...words }, today) => {
    const weekday = weekdayOf(day ?? before);
    const [inMonth, onDay] = [monthOf(month ?? last), ordinalOf(number ?? first)];
    if (weekday === undefined || inMonth === undefined || onDay === undefined) return undefined;
    const date = comingDate(today, yearOf(words, today), (year) =>
      closest(DateTime.utc(year, inMonth, onDay), weekday, second !== undefined),
    );
    return date && dateOf(date);
  },
);

/** The closest such weekday, or the second closest, which lies on the other side. */
function closest(date: DateTime, weekday: number, isSecond: boolean): DateTime | undefined {
  if (!date.isValid) return undefined;
  const ahead = (weekday - date.weekday + 7) % 7;
  if (ahead === 0) return date.plus({ days: isSecond ? 7 : 0 });
  return date.plus({ days: ahead <= 3 === isSecond ? ahead - 7 : ahead });
}

export const weekdayRules: readonly Parser[] = [
  weekdays,
  weekAfterWeekday,
  weekdaysWithDay,
  weekdaysFromNow,
  weekdaysInWeeks,
  weekdaysBeside,
  closestWeekdays,
];
