import type { PartOfDay } from '../marks.ts';
import { rule } from '../rule.ts';

/** "noon", "at lunch", "eod". */
export const namedTimes = rule(
  'named-times',
  '(?:(?:the|this)\\s)?(?:(?<noon>(?:12\\s)?noon(?:ish)?|mid-?day|lunch(?:\\s?time)?)|(?<close>eod|cob|end\\sof\\s(?:the\\s)?(?:day|business)|close\\sof\\sbusiness))',
  ({ noon }) => (noon === undefined ? { hour: 17, minute: 0 } : { hour: 12, minute: 0 }),
);

/** "tomorrow am", "saturday pm": half of a day. */
export const halvesOfDay = rule('halves-of-day', '(?<half>[ap])\\.?m\\.?', ({ half }) => ({
  marks: [half === 'a' ? 'part/morning' : 'part/afternoon'],
}));

/** Midnight ends one day and begins the next: which of them is meant is decided beside the day. */
export const midnight = rule('midnight', '(?:12\\s)?mid-?night', () => ({
  hour: 0,
  minute: 0,
  marks: ['midnight'],
}));

/** "in the morning", "late afternoon", "tonight", "early on": a stretch of the day, and an hour when none is said. */
export const partsOfDay = rule(
  'parts-of-day',
  '(?:(?:in|during|at)\\s)?(?:(?<this>this)\\s|the\\s)?(?:(?<stretch>early|late)(?:\\sin\\sthe|\\sat)?[\\s-]+)?(?<part>morning|afternoon|evening|night)(?:ish)?|(?<late>late\\s)?(?<tonight>tonight|tonite)',
  ({ this: these, stretch, part, late, tonight }, today) => {
    const name = nameOf(tonight === undefined ? part : 'night', stretch ?? late?.trim());
    if (name === undefined) return undefined;
    if (tonight === undefined && these === undefined) return { marks: [`part/${name}`] };
    return { year: today.year, month: today.month, day: today.day, marks: ['today', `part/${name}`] };
  },
);

const PARTS: Readonly<Record<string, PartOfDay>> = {
  morning: 'morning',
  'early morning': 'early-morning',
  'late morning': 'late-morning',
  afternoon: 'afternoon',
  'early afternoon': 'early-afternoon',
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
