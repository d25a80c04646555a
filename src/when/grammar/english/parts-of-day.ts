import type { Parser } from 'chrono-node';
import { dateOf, PART_NAMES, type PartOfDay } from '../piece.ts';
import { rule } from '../rule.ts';
import { WEEKDAY } from './calendar-words.ts';

const TWELVE = "(?:12(?::00)?|twelve)(?:\\so['’]?\\s?clock)?";

/** "noon", "12 midday", "eod" (17:00), "start of business" (09:00). */
const namedTimes = rule(
  `(?:(?:over|during|at)\\s)?(?:(?:the|this)\\s)?(?:(?<noon>(?:(?:${TWELVE}|high)\\s(?:at\\s)?)?(?:noon(?:ish|[\\s-]?time)?|mid[\\s-]?day)|middle\\sof\\sthe\\sday)|(?<open>(?:start|opening|beginning)\\sof\\s(?:the\\s)?(?:(?:working\\s|business\\s)?day|business)|sod|(?:start|beginning)\\sof(?=\\s(?:today|tom|tmr|${WEEKDAY})))|eod|end\\sof(?=\\s(?:today|tom|tmr|${WEEKDAY}))|eob|cob|cop|end\\sof\\s(?:the\\s)?(?:(?:working\\s|business\\s|work\\s?)?day|business|play|work)|(?:right\\s|just\\s)?after\\swork|close\\sof\\s(?:business|play))`,
  ({ noon, open }) => ({ hour: noon === undefined ? (open === undefined ? 17 : 9) : 12, minute: 0 }),
);

/** "tomorrow am", "saturday pm". */
const halvesOfDay = rule('(?<half>[ap])\\.?m\\.?', ({ half }) => ({
  part: half === 'a' ? 'morning' : 'afternoon',
}));

/** "midnight": the beginning or the end of the day beside it. */
const midnight = rule(`(?:${TWELVE}\\s(?:at\\s)?)?mid[\\s-]?ni(?:ght|te)`, () => ({
  hour: 0,
  minute: 0,
  isMidnight: true,
}));

/** "in the morning", "late afternoon", "tonight". */
const partsOfDay = rule(
  '(?<!\\bgood\\s)(?:(?:in|during|at)\\s)?(?:(?<this>this)\\s|(?:the\\s)?(?<next>next|following)\\s|the\\s)?(?:(?<stretch>early|mid|late|middle(?=\\sof\\sthe\\s(?:morning|afternoon)))(?:\\s(?:in|of)\\sthe|\\sat)?[\\s-]*)?(?<part>morning|forenoon|afternoon|evening|night)(?:ish)?|(?<late>late\\s)?(?<tonight>tonight|tonite|2nite|over-?night)',
  ({ this: isThis, next, stretch, part, late, tonight }, today) => {
    const name = nameOf(tonight === undefined ? part : 'night', stretch ?? late?.trim());
    if (name === undefined) return undefined;
    if (next !== undefined) return { ...dateOf(today.plus({ days: 1 })), part: name };
    if (tonight === undefined && isThis === undefined) return { part: name };
    return { ...dateOf(today), isToday: true, part: name };
  },
);

/** "breakfast", "at dinner time", "first thing", "over lunch". */
const occasions = rule(
  '(?:(?:at|over|during)\\s)?(?:(?<breakfast>breakfast)|(?<dinner>dinner|supper))(?:[\\s-]?time)?|(?<first>(?:first|1st)\\sthing)(?:\\sin\\sthe\\smorning)?|(?:during\\s)?(?:the\\s|this\\s)?lunch(?:[\\s-]?time)?',
  ({ breakfast, dinner, first }) => ({
    part: breakfast ? 'breakfast' : dinner ? 'dinner' : first ? 'morning' : 'midday',
    isOccasion: true,
  }),
);

/** "after lunch". */
const afterLunch = rule('(?:right\\s|straight\\s)?after\\slunch', () => ({
  part: 'early-afternoon',
}));

/** "early on monday", "tuesday, late", "early tomorrow morning": an edge of the day, or of its part. */
const earlyOrLate = rule(
  '(?:(?:as\\s)?(?<early>early)(?:\\sas\\spossible)?|late)(?:\\son|\\s(?:in|at)\\sthe\\sday)?|(?<bright>bright\\sand\\searly)|last\\sthing',
  ({ early, bright }) => ({ edge: (early ?? bright) === undefined ? 'late' : 'early' }),
);

/** "early morning", "middle of the afternoon". Undefined for parts that people don't name, such as "early night". */
function nameOf(part: string | undefined, stretch: string | undefined): PartOfDay | undefined {
  const plain = part === 'forenoon' ? 'late-morning' : part;
  const name = stretch === undefined ? plain : `${stretch.replace('middle', 'mid')}-${plain}`;
  return PART_NAMES.find((each) => each === name);
}

export const partOfDayRules: readonly Parser[] = [
  namedTimes,
  halvesOfDay,
  midnight,
  partsOfDay,
  occasions,
  afterLunch,
  earlyOrLate,
];
