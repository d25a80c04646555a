import { Duration } from 'luxon';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { WEEKDAY } from './calendar-words.ts';
import { DURATION, durationOf, NUMBER_WORD, numberOf } from './numbers.ts';

const ABOUT =
  '(?:(?:about|around|like|approximately|approx\\.?|roughly|exactly|precisely|another)\\s|~\\s?)?';
const NOW = '(?:(?:right\\s)?now|today|this\\s(?:very\\s)?(?:moment|second|minute|time))';

/** "in 2 hours", "in a week's time", "within 10 minutes". */
export const inDuration = rule(
  `(?:in|after|within)\\s?${ABOUT}(?<duration>${DURATION})(?:(?:'s?)?\\stime|(?:\\sor\\sso)?\\sfrom\\s${NOW}|\\sor\\sso)?`,
  ({ duration }) => after(durationOf(duration ?? '')),
);

/** "3 days from now", "two weeks later", "week from today": the unit alone only where "now" is said. */
export const fromNow = rule(
  `(?:(?<duration>${DURATION})|(?<unit>minute|hour(?:\\sand\\sa\\s(?:half|quarter))?|day|week|fortnight|month|year))(?:(?:\\sor\\sso)?\\s(?:from\\s${NOW}|after\\snow)|(?<later>\\s(?:later|hence|ahead|out|in\\sthe\\sfuture)|(?:'s?)?\\stime))`,
  ({ duration, unit, later }) =>
    duration === undefined && later !== undefined ? undefined : after(durationOf(duration ?? `1 ${unit}`)),
);

/** "now + 2 hours", "+45 min", "today plus 3 days". */
export const nowPlus = rule(
  `(?<=^\\s*|\\b(?:now|today)\\s?)(?:now\\s?)?(?:\\+|\\bplus\\b)\\s?(?<duration>${DURATION})`,
  ({ duration }) => after(durationOf(duration ?? '')),
);

/** "Next hour" is one from now; "in the next hour" is a stretch. */
export const nextUnit = rule(
  '(?<!\\b(?:in|over|within|for|during)\\s(?:the\\s)?)next\\s(?<unit>minute|min|hour|hr)',
  ({ unit }) => after(durationOf(`1 ${unit}`)),
);

/** "In the next 30 minutes", "within the hour": so short a stretch is as good as its end; days are a range. */
export const withinNext = rule(
  `(?:in|within)\\sthe\\s(?:next\\s(?<duration>${DURATION})|(?:next\\s)?(?<hour>hour))(?!\\s(?:of|before|after|from))`,
  ({ duration, hour }) => {
    const long = durationOf(hour === undefined ? (duration ?? '') : '1 hour');
    return long !== undefined && long.as('hours') <= 12 ? after(long) : undefined;
  },
);

/** "in 15'": minutes as runners and cooks write them. */
export const primes = rule("in\\s(?<minutes>\\d{1,3})\\s?'", ({ minutes }) =>
  after(durationOf(`${minutes} minutes`)),
);

/** "5 minutes", "2h": the whole text is a duration. "0900 hours", "1800h" and "18h" are times of the day. */
export const bareDuration = rule(
  `(?<=^\\s*)(?!0\\d|\\d{4}\\s?h|\\d\\d?\\.00\\s?h|[1-9][0-5]\\d\\s?h|\\S+\\shundred\\sh|(?:1[3-9]|2[0-3])h\\s*$)(?<duration>${DURATION}|fortnight|hour\\sand\\sa\\s(?:half|quarter))(?=\\s*$)`,
  ({ duration }) => after(durationOf(counted(duration ?? ''))),
);

/** "dec 1 + 30 days", "noon plus one hour": counted from the words before. */
export const plusDuration = rule(
  `(?<!^\\s*|\\b(?:now|today)\\s?)(?:\\+|\\bplus\\b)\\s?(?<duration>${DURATION})`,
  ({ duration }) => {
    const said = plus(durationOf(duration ?? ''), false);
    return said === undefined ? undefined : { ...said, followsDay: true };
  },
);

/** "two days after …", "a week from …", "the day before …", "3 hours before …": counted from the words that follow. */
export const fromAnother = rule(
  `(?:(?<duration>${DURATION})|(?:the\\s)?(?<one>day|week|hour|month|year|fortnight))\\s(?:(?:right|just|immediately)\\s)?(?:(?<after>after|from|past|following)|(?<before>before|prior\\sto|ahead\\sof))(?=\\s(?!now|next$))|(?:on\\s)?(?:the\\s)?(?<eve>eve)\\sof(?=\\s)`,
  ({ duration, one, before, eve }) =>
    eve === undefined
      ? plus(durationOf(duration ?? `1 ${one}`), before !== undefined)
      : plus(durationOf('1 day'), true),
);

/** "the night before christmas", "the morning after new year's eve". */
export const partBesideDay = rule(
  '(?:the\\s)?(?<part>morning|afternoon|evening|night)\\s(?:(?<before>before)|after)(?=\\s)',
  ({ part, before }) => {
    const named = BESIDE_PARTS.find((each) => each === part);
    if (named === undefined) return undefined;
    return { plus: Duration.fromObject({ days: before === undefined ? 1 : -1 }), part: named };
  },
);

/** "Two nights from now", "in 5 mornings". */
export const partsFromNow = rule(
  `(?:in\\s(?<ahead>\\d{1,2}|${NUMBER_WORD})\\s(?<name>morning|afternoon|evening|night)s|(?<count>\\d{1,2}|${NUMBER_WORD})\\s(?<part>morning|afternoon|evening|night)s\\s(?:from\\s(?:now|today)|hence|later))`,
  ({ ahead, name, count, part }) => {
    const days = numberOf(ahead ?? count);
    const named = BESIDE_PARTS.find((each) => each === (name ?? part));
    if (days === undefined || named === undefined) return undefined;
    return { fromNow: Duration.fromObject({ days }), part: named };
  },
);

const BESIDE_PARTS = ['morning', 'afternoon', 'evening', 'night'] as const;

/** "a week on tuesday", "two weeks today", "a fortnight tomorrow". */
export const weeksOnDay = rule(
  `(?<weeks>(?:(?:an?|\\d{1,2}|${NUMBER_WORD})\\s?|(?<![a-z]{3,}\\s))(?:weeks?|fortnights?))(?:\\son)?(?=\\s(?:(?:this|next)\\s)?(?:today|tomorrow|${WEEKDAY}))`,
  ({ weeks = '' }) => plus(durationOf(/^(?:week|fortnight)/.test(weeks) ? `1 ${weeks}` : weeks), false),
);

/** "Week from now" is one. */
function counted(duration: string): string {
  return /^(?:minute|min|hour|hr|day|week|fortnight|month|year)(?:\sand\sa\s\w+)?$/.test(duration)
    ? `1 ${duration}`
    : duration;
}

function after(duration: Duration | undefined): Meaning | undefined {
  return duration === undefined ? undefined : { fromNow: duration };
}

function plus(duration: Duration | undefined, isBefore: boolean): Meaning | undefined {
  if (duration === undefined) return undefined;
  return { plus: isBefore ? duration.negate() : duration };
}
