import type { DateTime } from 'luxon';
import type { PartOfDay } from '../marks.ts';
import { rule, type Said } from '../rule.ts';

/** "noon", "at lunch", "eod", "start of business": work begins at nine and ends at five. */
export const namedTimes = rule(
  'named-times',
  '(?:(?:the|this)\\s)?(?:(?<noon>(?:(?:12(?::00)?|twelve)\\s)?noon(?:ish|[\\s-]?time)?|mid-?day|lunch(?:\\s?time)?)|(?<open>(?:start|opening|beginning)\\sof\\s(?:the\\s)?(?:(?:working\\s|business\\s)?day|business))|eod|eob|cob|cop|end\\sof\\s(?:the\\s)?(?:(?:working\\s|business\\s)?day|business|play)|close\\sof\\s(?:business|play))',
  ({ noon, open }) => ({ hour: noon === undefined ? (open === undefined ? 17 : 9) : 12, minute: 0 }),
);

/** "tomorrow am", "saturday pm": half of a day. */
export const halvesOfDay = rule('halves-of-day', '(?<half>[ap])\\.?m\\.?', ({ half }) => ({
  marks: [half === 'a' ? 'part/morning' : 'part/afternoon'],
}));

/** Midnight ends one day and begins the next: which of them is meant is decided beside the day. */
export const midnight = rule('midnight', '(?:(?:12(?::00)?|twelve)\\s)?mid-?ni(?:ght|te)', () => ({
  hour: 0,
  minute: 0,
  marks: ['midnight'],
}));

/** "in the morning", "late afternoon", "tonight", "early on": a stretch of the day, and an hour when none is said. */
export const partsOfDay = rule(
  'parts-of-day',
  '(?:(?:in|during|at)\\s)?(?:(?<this>this)\\s|(?:the\\s)?(?<next>next|following)\\s|the\\s)?(?:(?<stretch>early|mid|late)(?:\\sin\\sthe|\\sat)?[\\s-]+)?(?<part>morning|forenoon|afternoon|evening|night)(?:ish)?|(?<late>late\\s)?(?<tonight>tonight|tonite|2nite)',
  ({ this: these, next, stretch, part, late, tonight }, today) => {
    const name = nameOf(tonight === undefined ? part : 'night', stretch ?? late?.trim());
    if (name === undefined) return undefined;
    if (next !== undefined) return { ...dateOf(today.plus({ days: 1 })), marks: [`part/${name}`] };
    if (tonight === undefined && these === undefined) return { marks: [`part/${name}`] };
    return { ...dateOf(today), marks: ['today', `part/${name}`] };
  },
);

/** "breakfast", "at dinner time", "first thing", "after lunch": a part of the day by what is done in it. */
export const occasions = rule(
  'occasions',
  '(?:(?:at|over|during)\\s)?(?:(?<breakfast>breakfast)|(?<dinner>dinner|supper))(?:[\\s-]?time)?|(?<first>first\\sthing)(?:\\sin\\sthe\\smorning)?|(?<lunch>after\\slunch)',
  ({ breakfast, dinner, first }) => {
    if (breakfast !== undefined) return { marks: ['part/breakfast'] };
    if (dinner !== undefined) return { marks: ['part/dinner'] };
    return { marks: [first === undefined ? 'part/early-afternoon' : 'part/morning'] };
  },
);

function dateOf({ year, month, day }: DateTime): Said {
  return { year, month, day };
}

const PARTS: Readonly<Record<string, PartOfDay>> = {
  morning: 'morning',
  forenoon: 'late-morning',
  'early morning': 'early-morning',
  'mid morning': 'mid-morning',
  'late morning': 'late-morning',
  afternoon: 'afternoon',
  'early afternoon': 'early-afternoon',
  'mid afternoon': 'mid-afternoon',
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
