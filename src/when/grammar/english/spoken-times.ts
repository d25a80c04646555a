import type { Parser } from 'chrono-node';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { MONTH } from './calendar-words.ts';
import { hourOfDay, MERIDIEM } from './clock-times.ts';
import { NUMBER_WORD, numberOf } from './numbers.ts';

const MINUTES = `(?<minutes>half|1\\/[24]|(?:an?\\s)?quarter|three[\\s-]quarters?|\\d{1,2}|a(?=\\sminute)|${NUMBER_WORD})(?<unit>\\s(?:minutes?|mins?))?`;
const HOUR = `(?<hour>\\d{1,2}h?|${NUMBER_WORD}|noon|midday|midnight)(?:-?ish)?(?:\\s?o['’]?\\s?clock)?(?:\\s?(?<meridiem>${MERIDIEM})|(?<=\\d)(?<letter>p\\b|a\\b))?`;

/** "half past 8", "quarter to nine pm", "20 past 3", "ten to five". "Five to seven" could be a range, so isn't read. */
const minutesPastHour = rule(
  `${MINUTES}[\\s-](?<way>past|after|to|before|til|till|of)[\\s-]${HOUR}(?![:.]\\d)`,
  ({ minutes, unit, way, hour, meridiem: spelled, letter }) => {
    const meridiem = spelled ?? letter;
    const size = minutesOf(minutes);
    const full = fullHour(hour);
    if (size === undefined || full === undefined || size > 59) return undefined;
    if (way === 'past' || way === 'after') return moved(full, size, meridiem);
    if (way === 'of') return /\d/.test(minutes ?? '') ? undefined : moved(full, 0 - size, meridiem);
    const isFiveToTwelve = size === 5 && !full.isOpen && full.hour % 12 === 0;
    return !isFiveToTwelve && couldBeHours(size, full, unit) ? undefined : moved(full, 0 - size, meridiem);
  },
);

/** "half eight": half past eight, in British English. */
const halfHours = rule(`half[\\s-]${HOUR}`, ({ hour, meridiem, letter }) => {
  const full = fullHour(hour);
  return full === undefined ? undefined : moved(full, 30, meridiem ?? letter);
});

/** "ten thirty", "nine fifty nine a m", "twelve oh three", "at 12 15". */
const hourAndMinutes = rule(
  `(?:(?:at|around|about)\\s(?:about\\s)?(?<figures>\\d{1,2})\\s(?<figureMinutes>[0-5]\\d)|(?<!${MONTH}\\s|\\b(?:the|mon|tue|wed|thu|fri|sat|sun)\\s)(?<![\\d/.:-])(?<beforeMeridiem>1[0-2]|0?[1-9])\\s(?<itsMinutes>[0-5]\\d)(?=\\s?[ap]\\.?m)|(?:(?:oh?|zero)[\\s-])?(?<hour>${NUMBER_WORD}|1[0-2]|[1-9](?=\\s[a-z]))[\\s-](?:(?:oh?|ou|zero)[\\s-](?<single>${NUMBER_WORD})|(?<minutes>${NUMBER_WORD}|\\d\\d)))(?:\\shours|\\sminutes|\\so['’]?\\s?clock)?(?:\\s?(?<meridiem>${MERIDIEM}))?`,
  ({ figures, figureMinutes, beforeMeridiem, itsMinutes, hour, single, minutes, meridiem }) => {
    const full = numberOf(figures ?? beforeMeridiem ?? hour);
    const past = numberOf(figureMinutes ?? itsMinutes ?? single ?? minutes);
    // "Twenty ten" is a year.
    if (full === undefined || past === undefined || full < 1 || full > 23 || full === 20) return undefined;
    const isInWords = single !== undefined || minutes !== undefined;
    if (past > 59 || (isInWords && (single === undefined ? past < 10 : past > 9))) return undefined;
    return moved({ hour: full, isOpen: full <= 12 }, past, meridiem);
  },
);

/** "nineteen hundred", "oh nine hundred hours". */
const hundredHours = rule(
  `(?:at\\s)?(?:(?<zero>(?:oh?|zero)[\\s-])(?<digit>${NUMBER_WORD})|(?<hour>${NUMBER_WORD}|1\\d|2[0-3]))\\shundred(?<unit>\\sh(?:ou)?rs)?`,
  ({ zero, digit, hour, unit }) => {
    const full = numberOf(digit ?? hour);
    const isTime = zero !== undefined || unit !== undefined || (full ?? 0) > 9;
    return full === undefined || full > 23 || !isTime ? undefined : { hour: full, minute: 0 };
  },
);

/** "at quarter past", "ten to", "on the hour", "at 20 past the hour": the next time the clock shows these minutes. */
const minutesPast = rule(
  `(?:at\\s)?(?:(?<minutes>half|(?:an?\\s)?quarter|[0-5]?\\d|${NUMBER_WORD})(?:\\sminutes?|\\smins?)?\\s(?:past|after|(?<to>to|till?|before))(?:\\sthe\\shour)?|(?<full>(?:on|(?:(?:on|at)\\s)?(?:the\\s)?(?:top|start)\\sof)\\sthe\\s(?:next\\s)?(?:full\\s)?hour|at\\sthe\\s(?:next\\s)?(?:full\\s)?hour)|(?:(?:on|at)\\s)?(?:the\\s)?(?:bottom|middle)\\sof\\sthe\\shour|(?:on|at)\\sthe\\s(?:next\\s)?half[\\s-]hour)(?=[\\s.!?]*$)`,
  ({ minutes, to, full }) => {
    if (full !== undefined) return { minutePastHour: 0 };
    const size = minutesOf(minutes ?? 'half');
    if (size === undefined || size > 59) return undefined;
    return { minutePastHour: to === undefined ? size : (60 - size) % 60 };
  },
);

/** "Five to seven" and "9 to 5" can be ranges. */
function couldBeHours(size: number, full: FullHour, unit: string | undefined): boolean {
  return unit === undefined && size <= 12 && (size < full.hour || size % 5 !== 0);
}

function minutesOf(text: string | undefined): number | undefined {
  if (text === 'half' || text === '1/2') return 30;
  if (text === 'a') return 1;
  if (text?.startsWith('three') && text.includes('quarter')) return 45;
  return text?.endsWith('quarter') || text === '1/4' ? 15 : numberOf(text);
}

interface FullHour {
  hour: number;
  isOpen: boolean;
}

function fullHour(text: string | undefined): FullHour | undefined {
  if (text === 'noon' || text === 'midday') return { hour: 12, isOpen: false };
  if (text === 'midnight') return { hour: 24, isOpen: false };
  const hour = numberOf(text?.replace(/h$/, ''));
  if (hour === undefined || hour > 23) return undefined;
  return { hour, isOpen: hour >= 1 && hour <= 12 };
}

function moved(
  { hour, isOpen }: FullHour,
  minutes: number,
  meridiem: string | undefined,
): Meaning | undefined {
  const onClock = hour === 24 ? 24 : hourOfDay(hour, meridiem);
  if (onClock === undefined) return undefined;
  const total = (onClock * 60 + minutes + 1440) % 1440;
  const time = { hour: Math.floor(total / 60), minute: total % 60 };
  if (!isOpen || meridiem !== undefined) return time;
  return { ...time, hour: time.hour % 12 === 0 ? 12 : time.hour, halfOfDay: 'office-hours' };
}

export const spokenTimeRules: readonly Parser[] = [
  minutesPastHour,
  halfHours,
  hourAndMinutes,
  hundredHours,
  minutesPast,
];
