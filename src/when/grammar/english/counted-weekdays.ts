import { Duration } from 'luxon';
import { rule } from '../rule.ts';
import { MONTH, WEEKDAY, WEEKDAY_NAME, weekdayOf } from './calendar-words.ts';
import { NUMBER_WORD, numberOf, ORDINAL_WORD, ordinalOf } from './numbers.ts';

/** "friday week" is a week after the friday to come, as the British say it. */
export const weekAfterWeekday = rule(
  `(?:(?:on|next|this(?:\\scoming)?)\\s)?(?<day>${WEEKDAY})\\s(?<week>week|fortnight)(?!\\s?(?:of|in|from|day|end|\\d\\d?(?!\\d|\\s?(?:[ap:.h]|o'))))`,
  ({ day, week }) => {
    const weekday = weekdayOf(day);
    return weekday === undefined
      ? undefined
      : { weekday, plus: Duration.fromObject({ days: week === 'week' ? 7 : 14 }) };
  },
);

const LAST_HOUR = 24;

/** "monday 21": a number that is an hour, unless it is the date of such a day within a month; "friday 25" is no hour. */
export const weekdaysWithDay = rule(
  `(?<weekday>${WEEKDAY}),?\\s(?<day>\\d{1,2})(?![:.,/-]?\\d|[-/]\\w|\\s?(?:[ap]\\.?m|h|o'?\\s?clock|${MONTH}))`,
  ({ weekday, day }, today) => {
    const named = weekdayOf(weekday);
    if (named === undefined || Number(day) < 13) return undefined;
    const days = Number(day) > LAST_HOUR ? 90 : 31;
    const dates = Array.from({ length: days }, (_, ahead) => today.plus({ days: ahead }));
    const isSuch = dates.some(
      (date) => date.day === Number(day) && date.weekday === (named === 0 ? 7 : named),
    );
    return isSuch ? { weekday: named, day: Number(day) } : undefined;
  },
);

/** "two fridays from now", "in two fridays", "the second friday from today": the second to come. */
export const weekdaysFromNow = rule(
  `(?<count>\\d|${NUMBER_WORD})\\s(?<weekday>${WEEKDAY_NAME})s\\s(?:from\\s(?:now|today)|hence|later|out|away)|in\\s(?<inCount>\\d|${NUMBER_WORD})\\s(?<later>${WEEKDAY_NAME})s|(?:the\\s)?(?<nth>${ORDINAL_WORD}|\\d(?:st|nd|rd|th))\\s(?<one>${WEEKDAY})\\sfrom\\s(?:now|today)`,
  ({ count, weekday, inCount, later, nth, one }, today) => {
    const named = weekdayOf(weekday ?? later ?? one);
    const weeks = numberOf(count ?? inCount) ?? ordinalOf(nth);
    if (named === undefined || weeks === undefined || weeks < 1) return undefined;
    const ahead = (named - (today.weekday % 7) + 7) % 7;
    const date = today.plus({ days: (ahead === 0 ? 7 : ahead) + (weeks - 1) * 7 });
    return { year: date.year, month: date.month, day: date.day };
  },
);

const WEEKS = `(?:\\d|an?|${NUMBER_WORD})(?=\\sweeks?)`;
const IN_WEEKS = `(?:in\\s(?<ahead>${WEEKS})\\sweeks?(?:'?\\stime)?|(?<hence>${WEEKS})\\sweeks?\\sfrom\\snow)`;

/** "friday in two weeks", "in 3 weeks on monday": of the week that is so far ahead, or so long after the next one. */
export const weekdaysInWeeks = rule(
  `(?<first>${WEEKDAY}),?\\s${IN_WEEKS}|${IN_WEEKS.replace('ahead', 'before').replace('hence', 'later')},?\\s(?:on\\s)?(?<last>${WEEKDAY})`,
  ({ first, ahead, hence, before, later, last }, today) => {
    const named = weekdayOf(first ?? last);
    const weeks = ahead ?? hence ?? before ?? later;
    const count = weeks?.startsWith('a') ? 1 : numberOf(weeks);
    if (named === undefined || count === undefined) return undefined;
    const ofWeek = today
      .plus({ weeks: count })
      .startOf('week')
      .plus({ days: (named + 6) % 7 });
    const away = (named - (today.weekday % 7) + 7) % 7;
    const afterNext = today.plus({ days: (away === 0 ? 7 : away) + count * 7 });
    const { year, month, day } = ofWeek;
    if (ofWeek.hasSame(afterNext, 'day')) return { year, month, day };
    return { year, month, day, otherDates: [afterNext] };
  },
);
