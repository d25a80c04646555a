import type { DateTime } from 'luxon';
import type { Meaning, PartOfDay } from '../piece.ts';
import { rule } from '../rule.ts';
import { MONTH, WEEKDAY } from './calendar-words.ts';
import { NUMBER_WORD, numberOf } from './numbers.ts';

const TWELVE = "(?:12(?::00)?|twelve)(?:\\so['’]?\\s?clock)?";

/** "noon", "12 midday", "eod", "start of business": work begins at nine and ends at five. */
export const namedTimes = rule(
  `(?:(?:over|during|at)\\s)?(?:(?:the|this)\\s)?(?:(?<noon>(?:(?:${TWELVE}|high)\\s(?:at\\s)?)?(?:noon(?:ish|[\\s-]?time)?|mid[\\s-]?day)|middle\\sof\\sthe\\sday)|(?<open>(?:start|opening|beginning)\\sof\\s(?:the\\s)?(?:(?:working\\s|business\\s)?day|business)|sod|(?:start|beginning)\\sof(?=\\s(?:today|tom|tmr|${WEEKDAY})))|eod|end\\sof(?=\\s(?:today|tom|tmr|${WEEKDAY}))|eob|cob|cop|end\\sof\\s(?:the\\s)?(?:(?:working\\s|business\\s|work\\s?)?day|business|play|work)|(?:right\\s|just\\s)?after\\swork|close\\sof\\s(?:business|play))`,
  ({ noon, open }) => ({ hour: noon === undefined ? (open === undefined ? 17 : 9) : 12, minute: 0 }),
);

/** "tomorrow am", "saturday pm": half of a day. */
export const halvesOfDay = rule('(?<half>[ap])\\.?m\\.?', ({ half }) => ({
  part: half === 'a' ? 'morning' : 'afternoon',
}));

/** Midnight ends one day and begins the next: which of them is meant is decided beside the day. */
export const midnight = rule(`(?:${TWELVE}\\s(?:at\\s)?)?mid[\\s-]?ni(?:ght|te)`, () => ({
  hour: 0,
  minute: 0,
  isMidnight: true,
}));

/** "in the morning", "late afternoon", "tonight", "early on": a stretch of the day, and an hour when none is said. */
export const partsOfDay = rule(
  '(?<!\\bgood\\s)(?:(?:in|during|at)\\s)?(?:(?<this>this)\\s|(?:the\\s)?(?<next>next|following)\\s|the\\s)?(?:(?<stretch>early|mid|late|middle(?=\\sof\\sthe\\s(?:morning|afternoon)))(?:\\s(?:in|of)\\sthe|\\sat)?[\\s-]*)?(?<part>morning|forenoon|afternoon|evening|night)(?:ish)?|(?<late>late\\s)?(?<tonight>tonight|tonite|2nite|over-?night)',
  ({ this: these, next, stretch, part, late, tonight }, today) => {
    const name = nameOf(tonight === undefined ? part : 'night', stretch ?? late?.trim());
    if (name === undefined) return undefined;
    if (next !== undefined) return { ...dateOf(today.plus({ days: 1 })), part: name };
    if (tonight === undefined && these === undefined) return { part: name };
    return { ...dateOf(today), isToday: true, part: name };
  },
);

/** "9 in the evening", "three at night", "eight this morning": a number that the part of the day makes an hour. */
export const hoursOfPart = rule(
  `(?:at\\s)?(?<![/.:,-])(?<!(?:${MONTH}|past|to|after|before|till?|of|half|${NUMBER_WORD})[\\s-])(?<hour>1[0-2]|[1-9]|${NUMBER_WORD})\\s(?:o['’]?\\s?clock\\s)?(?:in\\sthe\\s(?<part>morning|afternoon|evening|night)|at\\s(?<night>night))`,
  ({ hour, part, night }) => {
    const number = numberOf(hour);
    const named = PARTS[part ?? night ?? ''];
    if (number === undefined || number < 1 || number > 12 || named === undefined) return undefined;
    return { hour: number, minute: 0, halfOfDay: 'open', part: named };
  },
);

/** "breakfast", "at dinner time", "first thing", "over lunch": a part of the day by what is done in it. */
export const occasions = rule(
  '(?:(?:at|over|during)\\s)?(?:(?<breakfast>breakfast)|(?<dinner>dinner|supper))(?:[\\s-]?time)?|(?<first>(?:first|1st)\\sthing)(?:\\sin\\sthe\\smorning)?|(?:during\\s)?(?:the\\s|this\\s)?lunch(?:[\\s-]?time)?',
  ({ breakfast, dinner, first }) => {
    if (breakfast !== undefined) return { part: 'breakfast', isOccasion: true };
    if (dinner !== undefined) return { part: 'dinner', isOccasion: true };
    return { part: first === undefined ? 'midday' : 'morning', isOccasion: true };
  },
);

export const afterLunch = rule('(?:right\\s|straight\\s)?after\\slunch', () => ({
  part: 'early-afternoon',
}));

function dateOf({ year, month, day }: DateTime): Meaning {
  return { year, month, day };
}

const PARTS: Readonly<Record<string, PartOfDay>> = {
  morning: 'morning',
  forenoon: 'late-morning',
  'early morning': 'early-morning',
  'mid morning': 'mid-morning',
  'middle morning': 'mid-morning',
  'late morning': 'late-morning',
  afternoon: 'afternoon',
  'early afternoon': 'early-afternoon',
  'mid afternoon': 'mid-afternoon',
  'middle afternoon': 'mid-afternoon',
  'late afternoon': 'late-afternoon',
  evening: 'evening',
  'early evening': 'early-evening',
  'late evening': 'late-evening',
  night: 'night',
  'late night': 'late-night',
};

function nameOf(part: string | undefined, stretch: string | undefined): PartOfDay | undefined {
  return PARTS[stretch === undefined ? `${part}` : `${stretch} ${part}`];
}
