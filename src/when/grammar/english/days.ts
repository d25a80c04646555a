import { DateTime, Duration } from 'luxon';
import { dayNames, weekdays } from '../european/days.ts';
import { comingDate, isWeekend, workingDay } from '../feasts.ts';
import { dateOf, type Meaning } from '../piece.ts';
import { needing, type Rules, rule, WORD_END } from '../rule.ts';
import { YEAR_BESIDE, yearOf } from './dates.ts';
import {
  DURATION,
  durationOf,
  ENGLISH_WORDS,
  HOURS_MINUTES,
  MONTH,
  monthOf,
  NUMBER_WORD,
  numberOf,
  ORDINAL_FIGURE,
  ORDINAL_WORD,
  ordinalOf,
  WEEKDAY,
  WEEKDAY_NAME,
  weekdayOf,
} from './vocabulary.ts';

const ABOUT = '(?:(?:about|around|like|approximately|approx\\.?|roughly|exactly|precisely)\\s|~\\s?)?';
const NOW = '(?:(?:right\\s)?now|today|this\\s(?:very\\s)?(?:moment|second|minute|time))';

/** "in 2 hours", "in a week's time", "within 10 minutes", "in 2h15". */
const inDuration = rule(
  `(?:in|after|within)\\s?${ABOUT}(?<duration>${DURATION}|${HOURS_MINUTES})(?:(?:'s?)?\\stime|(?:\\sor\\sso)?\\sfrom\\s${NOW}|\\sor\\sso)?`,
  ({ duration }) => {
    const meaning = fromNowOf(duration);
    // "In 3 days 20h" can be at 20:00, "in 3 days 20 hours" can't.
    const [, hour] = /[a-z]{3}\s(\d\d?)h$/.exec(duration ?? '') ?? [];
    if (meaning?.fromNow === undefined || hour === undefined) return meaning;
    const fromNow = meaning.fromNow.set({ hours: 0 });
    return { fromNow, hour: Number(hour) % 24, minute: 0, orFromNow: meaning.fromNow };
  },
);

/** "3 days from now", "two weeks later", "week from today". */
const fromNow = rule(
  `(?:(?<duration>${DURATION}|${HOURS_MINUTES})|(?<unit>minute|hour(?:\\sand\\sa\\s(?:half|quarter))?|day|week|fortnight|month|year))(?=(?<tail>(?:\\sor\\sso)?\\s(?:from\\s${NOW}|after\\snow)|(?<later>\\s(?:later|hence|ahead|out|in\\sthe\\sfuture)|(?:'s?)?\\stime))${WORD_END})`,
  ({ duration, unit, later }) =>
    duration === undefined && later !== undefined ? undefined : fromNowOf(duration ?? `1 ${unit}`),
);

/** "now + 2 hours", "+45 min", "today plus 3 days"; or counted from the words before: "dec 1 + 30 days". */
const plusDuration = rule(
  `(?:(?<now>(?<=^\\s*|\\b(?:now|today)\\s?)(?:now\\s?)?(?:\\+|\\bplus\\b))|\\+|\\bplus\\b)\\s?(?<duration>${DURATION})`,
  ({ now, duration }) => (now === undefined ? plusOf(duration, { followsDay: true }) : fromNowOf(duration)),
);

/** "5 minutes", "2h" as the whole text. "0900 hours", "1800h" and "18h" are times of the day. */
const bareDuration = rule(
  `(?<=^\\s*)(?!0\\d|\\d{4}\\s?h|\\d\\d?\\.00\\s?h|[1-9][0-5]\\d\\s?h|(?:1[3-9]|2[0-3])h\\s*$)(?:(?<duration>${DURATION})|(?<unit>fortnight|hour\\sand\\sa\\s(?:half|quarter)))(?=\\s*$)`,
  ({ duration, unit }) => fromNowOf(duration ?? `1 ${unit}`),
);

/** "1h30", "600h", "630 hours" as the whole text: a time, or so long from now. */
const hourOrDuration = rule(
  '(?<=^\\s*)(?:(?<hour>[1-6])\\s?h\\s?(?<minute>[0-5]\\d)|(?<hour>[1-9])(?<minute>[0-5]\\d)\\s?(?<unit>h(?:rs?|ours)?))(?=[\\s.!?]*$)',
  (found) => {
    const [hour, minute] = [Number(found.hour), Number(found.minute)];
    const elapsed =
      found.unit === undefined ? { hours: hour, minutes: minute } : { hours: hour * 100 + minute };
    return { hour, minute, orFromNow: Duration.fromObject(elapsed) };
  },
);

/** More hours than this are usually counted in days. */
const MAX_HOURS = 12;

/** "in 5": minutes or, up to 12, hours. */
const bareCounts = rule(`in\\s(?<count>\\d{1,3}|${NUMBER_WORD})(?=[\\s.!?]*$)`, ({ count }) => {
  const size = numberOf(count);
  if (size === undefined || size === 0) return undefined;
  const inMinutes = { fromNow: Duration.fromObject({ minutes: size }) };
  return size > MAX_HOURS ? inMinutes : { ...inMinutes, orFromNow: Duration.fromObject({ hours: size }) };
});

const BESIDE_PARTS = ['morning', 'afternoon', 'evening', 'night'] as const;
const PART = `(?<part>${BESIDE_PARTS.join('|')})`;

/** "two nights from now", "in 5 mornings". */
const partsFromNow = rule(
  `(?:in\\s(?<count>\\d{1,2}|${NUMBER_WORD})\\s${PART}s|(?<count>\\d{1,2}|${NUMBER_WORD})\\s${PART}s\\s(?:from\\s(?:now|today)|hence|later))`,
  ({ count, part }) => {
    const days = numberOf(count);
    const named = BESIDE_PARTS.find((each) => each === part);
    if (days === undefined || named === undefined) return undefined;
    return { fromNow: Duration.fromObject({ days }), part: named };
  },
);

/** "two days after …", "a week from …", "the day before …", "the eve of …": counted from the words that follow. */
const fromAnother = rule(
  `(?:(?<duration>${DURATION})|(?:the\\s)?(?<one>day|week|hour|month|year|fortnight))(?=(?<tail>\\s(?:(?:right|just|immediately)\\s)?(?:(?<after>after|from|past|following)|(?<before>before|prior\\sto|ahead\\sof)))\\s(?!now|next$))|(?:on\\s)?(?:the\\s)?(?<eve>eve)\\sof(?=\\s)`,
  ({ duration, one, before, eve }) => {
    const plus = durationOf(eve === undefined ? (duration ?? `1 ${one}`) : '1 day');
    return plus && { plus: (before ?? eve) === undefined ? plus : plus.negate() };
  },
);

/** "a week on tuesday", "two weeks today", "a fortnight tomorrow". */
const weeksOnDay = rule(
  `(?<weeks>(?:(?:an?|\\d{1,2}|${NUMBER_WORD})\\s?|(?<![a-z]{3,}\\s))(?:weeks?|fortnights?))(?:\\son)?(?=\\s(?:(?:this|next)\\s)?(?:today|tomorrow|${WEEKDAY}))`,
  ({ weeks = '' }) => plusOf(/^(?:week|fortnight)/.test(weeks) ? `1 ${weeks}` : weeks),
);

function fromNowOf(text = ''): Meaning | undefined {
  const duration = durationOf(text);
  return duration && { fromNow: duration };
}

function plusOf(text = '', more: Meaning = {}): Meaning | undefined {
  const duration = durationOf(text);
  return duration && { ...more, plus: duration };
}

/** "this time tomorrow", "monday at the same time". */
const sameTime = rule('(?:at\\s)?(?:the\\s)?(?:same|this)\\s(?:time|hour)(?:\\sas\\snow)?', () => ({
  isSameTime: true,
}));

const STARTS_WITH_COUNT = new RegExp(
  `^\\s*(?:[\\d.]|an?\\s|half|quarter|couple|few|another|hour|fortnight|${NUMBER_WORD})`,
  'i',
);

export const durationRules: Rules = [
  needing(/\d\s?h/i, [hourOrDuration]),
  needing(/\b(?:in|within|after)/i, [inDuration]),
  needing(/\b(?:from|after|later|hence|ahead|out|future|time)\b/i, [fromNow]),
  needing(STARTS_WITH_COUNT, [bareDuration]),
  needing(/\bin\s/i, [bareCounts]),
  needing(/(?:morning|afternoon|evening|night)s/i, [partsFromNow]),
  needing(/\+|plus/i, [plusDuration]),
  needing(/\b(?:after|from|past|following|before|prior|ahead|eve)\b/i, [fromAnother]),
  needing(/week|fortnight/i, [weeksOnDay]),
  needing(/(?:same|this)\s(?:time|hour)/i, [sameTime]),
];

const SAME = '(?:(?:on|at)\\s)?(?:the\\s)?(?:same|this|that)\\s(?:very\\s)?(?<same>time|day)';

/** "this day next week", "next month on the same day", "this time next week": at the same time in so long from now. */
const sameLater = rule(
  `${SAME}\\snext\\s(?<unit>week|month|year)|next\\s(?<unit>week|month|year),?\\s${SAME}`,
  ({ same, unit }, today) =>
    same === 'time' ? fromNowOf(`1 ${unit}`) : dateOf(today.plus({ [`${unit}s`]: 1 })),
);

export const dayNameRules: Rules = [
  needing(/day|tom|tm|2m|overmorrow/i, [dayNames(ENGLISH_WORDS.grammar)]),
  needing(/next/i, [sameLater]),
];

export const WORKDAY = '(?:(?:business|biz|working|work)[\\s-]?day|week-?day)';
const OF_WEEK = WORKDAY.replace('week-?day', '(?<ofWeek>week-?day)');
const WORKDAYS = `(?<count>\\d{1,2}|${NUMBER_WORD}|an?)\\s${OF_WEEK}s?`;

/**
 * "in 3 business days", "two working days from now": the same time of day, counted from Monday to Friday. Unlike a working
 * day, a weekday can be New Year's Day.
 */
const businessDays = rule(
  `(?:in|after)\\s${WORKDAYS}(?:(?:'s?)?\\stime)?|${WORKDAYS}(?:\\s(?:from\\s(?:now|today)|later|hence)|(?:'s?)?\\stime)|(?<next>(?:the\\s)?(?:next|following)\\s${OF_WEEK})`,
  ({ count: counted, next, ofWeek }, today) => {
    const isFree = ofWeek === undefined ? undefined : isWeekend;
    if (next !== undefined) return dateOf(workingDay(today, 1, 1, isFree));
    const count = numberOf(counted);
    return count === undefined
      ? undefined
      : { fromNow: workingDay(today, 1, count, isFree).diff(today, 'days') };
  },
);

export const businessDayRules: Rules = [businessDays];

/** A number above these can't be an hour. A number below them is rarely one beside a weekday: "mon 7" is the 7th. */
const HOURS = { first: 7, last: 20 };

/**
 * "tue 14": the date if the 14th is a Tuesday within a month, or the hour. "Friday 25" can't be an hour. If the date
 * doesn't fit, a number up to 12 is the hour.
 */
const weekdaysWithDay = rule(
  `(?<weekday>${WEEKDAY}),?\\s(?<number>\\d{1,2})(?![:.,/-]?\\d|[-/]\\w|\\s?(?:[ap]\\.?m|h|o'?\\s?clock)|[.,]?\\s?(?:of\\s)?${MONTH})`,
  ({ weekday, number }, today) => {
    const named = weekdayOf(weekday);
    const day = Number(number);
    if (named === undefined || day === 0) return undefined;
    const ahead = (named - today.weekday + 7) % 7;
    const weeks = Math.ceil(((day > 24 ? 90 : 31) - ahead) / 7);
    const dates = Array.from({ length: weeks }, (_, week) => today.plus({ days: ahead + week * 7 }));
    const fits = dates.some((date) => date.day === day);
    if (!fits && (day <= 12 || day > 23)) return undefined;
    const canBeHour = !fits || (day >= HOURS.first && day <= HOURS.last);
    return { weekday: named, day, ...(canBeHour && { orHour: day }) };
  },
);

/** "two fridays from now", "in two fridays", "the second friday from today". */
const weekdaysFromNow = rule(
  `(?<count>\\d|${NUMBER_WORD})\\s(?<weekday>${WEEKDAY_NAME})s?\\s(?:from\\s(?:now|today)|hence|later|out|away)|in\\s(?<count>\\d|${NUMBER_WORD})\\s(?<weekday>${WEEKDAY_NAME})s|(?:the\\s)?(?<nth>${ORDINAL_WORD}|\\d(?:st|nd|rd|th))\\s(?<weekday>${WEEKDAY})\\sfrom\\s(?:now|today)`,
  ({ count, weekday, nth }, today) => {
    const named = weekdayOf(weekday);
    const weeks = numberOf(count) ?? ordinalOf(nth);
    if (named === undefined || weeks === undefined || weeks < 1) return undefined;
    const days = (named - today.weekday + 7) % 7 || 7;
    return dateOf(today.plus({ days, weeks: weeks - 1 }));
  },
);

/** "the monday before …", "first friday after …", "two tuesdays after …": counted from the day that follows. */
const weekdaysBeside = rule(
  `(?:(?<count>[2-9]|${NUMBER_WORD})\\s(?<day>${WEEKDAY_NAME})s|(?:the\\s)?(?:(?<nth>first|second|third|fourth|1st|2nd|3rd|4th|next|last)\\s)?(?<day>${WEEKDAY}))\\s(?:(?:right|just|immediately|directly)\\s)?(?<way>before|preceding|prior\\sto|after|following)(?=\\s(?!lunch|noon|midnight|work\\b|\\d{1,2}(?::\\d\\d|\\s?[ap]\\.?m?\\b|\\s?o['’]?clock)|next(?:[\\s.!]*$|\\s(?:one|at|noon|\\d))))`,
  ({ count, nth, day, way }) => {
    const weekday = weekdayOf(day);
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
  `(?:the\\s)?(?:(?<second>second|2nd)\\s)?(?:${NEAR}\\s(?<weekday>${WEEKDAY})\\sto|(?<weekday>${WEEKDAY})\\s${NEAR}(?:\\sto)?)\\s(?:the\\s)?(?:(?<month>${MONTH})\\s(?:the\\s)?(?<day>${DAY})|(?<day>${DAY})\\s(?:of\\s)?(?<month>${MONTH}))${YEAR_BESIDE}`,
  ({ second, ...found }, today) => {
    const weekday = weekdayOf(found.weekday);
    const [inMonth, onDay] = [monthOf(found.month), ordinalOf(found.day)];
    if (weekday === undefined || inMonth === undefined || onDay === undefined) return undefined;
    const date = comingDate(today, yearOf(found, today), (year) => {
      const near = DateTime.utc(year, inMonth, onDay);
      return near.isValid ? closest(near, weekday, second !== undefined) : undefined;
    });
    return date && dateOf(date);
  },
);

/** The closest such weekday, or the second closest, which lies on the other side. */
export function closest(date: DateTime, weekday: number, isSecond = false): DateTime {
  const ahead = (weekday - date.weekday + 7) % 7;
  if (ahead === 0) return date.plus({ days: isSecond ? 7 : 0 });
  return date.plus({ days: ahead <= 3 === isSecond ? ahead - 7 : ahead });
}

export const weekdayRules: Rules = [
  weekdays(ENGLISH_WORDS.grammar, { pattern: WEEKDAY, meaningOf: weekdayOf }),
  needing(/\d/, [weekdaysWithDay]),
  needing(/\b(?:from|hence|later|out|away|in)\b/i, [weekdaysFromNow]),
  needing(/before|preceding|prior|after|following/i, [weekdaysBeside]),
  needing(/closest|nearest/i, [closestWeekdays]),
];
