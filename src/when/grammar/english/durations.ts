import { Duration } from 'luxon';
import type { Meaning } from '../piece.ts';
import { needing, type Rules, rule } from '../rule.ts';
import { DURATION, durationOf, NUMBER_WORD, numberOf, WEEKDAY } from './vocabulary.ts';

const ABOUT =
  '(?:(?:about|around|like|approximately|approx\\.?|roughly|exactly|precisely|another)\\s|~\\s?)?';
const NOW = '(?:(?:right\\s)?now|today|this\\s(?:very\\s)?(?:moment|second|minute|time))';

/** "2h15": beside "in" or "from now", a duration and not a time. */
const HOURS_MINUTES = '\\d{1,2}\\s?h\\s?[0-5]\\d(?![\\d:.,/-])';

/** "in 2 hours", "in a week's time", "within 10 minutes", "in 2h15". */
const inDuration = rule(
  `(?:in|after|within)\\s?${ABOUT}(?<duration>${DURATION}|${HOURS_MINUTES})(?:(?:'s?)?\\stime|(?:\\sor\\sso)?\\sfrom\\s${NOW}|\\sor\\sso)?`,
  ({ duration }) => fromNowOf(duration),
);

/** "3 days from now", "two weeks later", "week from today". */
const fromNow = rule(
  `(?:(?<duration>${DURATION}|${HOURS_MINUTES})|(?<unit>minute|hour(?:\\sand\\sa\\s(?:half|quarter))?|day|week|fortnight|month|year))(?:(?:\\sor\\sso)?\\s(?:from\\s${NOW}|after\\snow)|(?<later>\\s(?:later|hence|ahead|out|in\\sthe\\sfuture)|(?:'s?)?\\stime))`,
  ({ duration, unit, later }) =>
    duration === undefined && later !== undefined ? undefined : fromNowOf(duration ?? `1 ${unit}`),
);

/** "now + 2 hours", "+45 min", "today plus 3 days". */
const nowPlus = rule(
  `(?<=^\\s*|\\b(?:now|today)\\s?)(?:now\\s?)?(?:\\+|\\bplus\\b)\\s?(?<duration>${DURATION})`,
  ({ duration }) => fromNowOf(duration),
);

/** "5 minutes", "2h" as the whole text. "0900 hours", "1800h" and "18h" are times of the day. */
const bareDuration = rule(
  `(?<=^\\s*)(?!0\\d|\\d{4}\\s?h|\\d\\d?\\.00\\s?h|[1-9][0-5]\\d\\s?h|\\S+\\shundred\\sh|(?:1[3-9]|2[0-3])h\\s*$)(?:(?<duration>${DURATION})|(?<unit>fortnight|hour\\sand\\sa\\s(?:half|quarter)))(?=\\s*$)`,
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

/** "in 15'". */
const primes = rule("in\\s(?<minutes>\\d{1,3})\\s?'", ({ minutes }) => fromNowOf(`${minutes} minutes`));

/** More hours than this are usually counted in days. */
const MAX_HOURS = 12;

/** "in 5": minutes or, up to 12, hours. */
const bareCounts = rule(`in\\s(?<count>\\d{1,3}|${NUMBER_WORD})(?=[\\s.!?]*$)`, ({ count }) => {
  const size = numberOf(count);
  if (size === undefined || size === 0) return undefined;
  const inMinutes = { fromNow: Duration.fromObject({ minutes: size }) };
  return size > MAX_HOURS ? inMinutes : { ...inMinutes, orFromNow: Duration.fromObject({ hours: size }) };
});

/** "next hour": one hour from now. "In the next hour" is a range. */
const nextUnit = rule(
  '(?<!\\b(?:in|over|within|for|during)\\s(?:the\\s)?)next\\s(?<unit>minute|min|hour|hr)',
  ({ unit }) => fromNowOf(`1 ${unit}`),
);

/** "in the next 30 minutes", "within the hour": the end of such a short range. Days are a range. */
const withinNext = rule(
  `(?:in|within)\\sthe\\s(?:next\\s(?<duration>${DURATION})|(?:next\\s)?(?<hour>hour))(?!\\s(?:of|before|after|from))`,
  ({ duration, hour }) => {
    const meaning = fromNowOf(hour === undefined ? duration : '1 hour');
    return (meaning?.fromNow?.as('hours') ?? MAX_HOURS + 1) <= MAX_HOURS ? meaning : undefined;
  },
);

const BESIDE_PARTS = ['morning', 'afternoon', 'evening', 'night'] as const;
const PART = `(?<part>${BESIDE_PARTS.join('|')})`;

/** "two nights from now", "in 5 mornings". */
const partsFromNow = rule(
  `(?:in\\s(?<ahead>\\d{1,2}|${NUMBER_WORD})\\s${PART}s|(?<count>\\d{1,2}|${NUMBER_WORD})\\s${PART.replace('part', 'name')}s\\s(?:from\\s(?:now|today)|hence|later))`,
  ({ ahead, count, part, name }) => {
    const days = numberOf(ahead ?? count);
    const named = BESIDE_PARTS.find((each) => each === (part ?? name));
    if (days === undefined || named === undefined) return undefined;
    return { fromNow: Duration.fromObject({ days }), part: named };
  },
);

/** "dec 1 + 30 days", "noon plus one hour": counted from the words before. */
const plusDuration = rule(
  `(?<!^\\s*|\\b(?:now|today)\\s?)(?:\\+|\\bplus\\b)\\s?(?<duration>${DURATION})`,
  ({ duration }) => {
    const meaning = plusOf(duration);
    return meaning && { ...meaning, followsDay: true };
  },
);

/** "two days after …", "a week from …", "the day before …", "the eve of …": counted from the words that follow. */
const fromAnother = rule(
  `(?:(?<duration>${DURATION})|(?:the\\s)?(?<one>day|week|hour|month|year|fortnight))\\s(?:(?:right|just|immediately)\\s)?(?:(?<after>after|from|past|following)|(?<before>before|prior\\sto|ahead\\sof))(?=\\s(?!now|next$))|(?:on\\s)?(?:the\\s)?(?<eve>eve)\\sof(?=\\s)`,
  ({ duration, one, before, eve }) => {
    const plus = durationOf(eve === undefined ? (duration ?? `1 ${one}`) : '1 day');
    return plus && { plus: (before ?? eve) === undefined ? plus : plus.negate() };
  },
);

/** "the night before christmas", "the morning after new year's eve". */
const partBesideDay = rule(`(?:the\\s)?${PART}\\s(?:(?<before>before)|after)(?=\\s)`, ({ part, before }) => {
  const named = BESIDE_PARTS.find((each) => each === part);
  return named && { plus: Duration.fromObject({ days: before === undefined ? 1 : -1 }), part: named };
});

/** "a week on tuesday", "two weeks today", "a fortnight tomorrow". */
const weeksOnDay = rule(
  `(?<weeks>(?:(?:an?|\\d{1,2}|${NUMBER_WORD})\\s?|(?<![a-z]{3,}\\s))(?:weeks?|fortnights?))(?:\\son)?(?=\\s(?:(?:this|next)\\s)?(?:today|tomorrow|${WEEKDAY}))`,
  ({ weeks = '' }) => plusOf(/^(?:week|fortnight)/.test(weeks) ? `1 ${weeks}` : weeks),
);

function fromNowOf(text = ''): Meaning | undefined {
  const duration = durationOf(text);
  return duration && { fromNow: duration };
}

function plusOf(text = ''): Meaning | undefined {
  const duration = durationOf(text);
  return duration && { plus: duration };
}

/** "this time tomorrow", "monday at the same time". */
const sameTime = rule('(?:at\\s)?(?:the\\s)?(?:same|this)\\s(?:time|hour)(?:\\sas\\snow)?', () => ({
  isSameTime: true,
}));

const SAME_TIME = '(?:at\\s)?(?:the\\s)?(?:same|this)\\stime';

/** "this time next week", "next week at the same time". */
const sameTimeLater = rule(
  `${SAME_TIME}\\snext\\s(?<after>week|month|year)|next\\s(?<before>week|month|year),?\\s${SAME_TIME}`,
  ({ after, before }) => fromNowOf(`1 ${after ?? before}`),
);

export const durationRules: Rules = [
  needing(/\d\s?h/i, [hourOrDuration]),
  needing(/\b(?:in|within|after)/i, [inDuration]),
  needing(/\b(?:from|after|later|hence|ahead|out|future|time)\b/i, [fromNow]),
  needing(/\+|plus/i, [nowPlus]),
  bareDuration,
  needing(/'/, [primes]),
  needing(/\bin\s/i, [bareCounts]),
  needing(/next/i, [nextUnit]),
  needing(/in\sthe/i, [withinNext]),
  needing(/(?:morning|afternoon|evening|night)s/i, [partsFromNow]),
  needing(/\+|plus/i, [plusDuration]),
  needing(/\b(?:after|from|past|following|before|prior|ahead|eve)\b/i, [fromAnother, partBesideDay]),
  needing(/week|fortnight/i, [weeksOnDay]),
  needing(/(?:same|this)\s(?:time|hour)/i, [sameTime, sameTimeLater]),
];
