import { Duration, type DurationLikeObject } from 'luxon';
import { NUMBER_WORD, numberOf } from './numbers.ts';

/** Each unit as luxon calls it, and how often. */
const UNITS: readonly (readonly [RegExp, keyof DurationLikeObject, number])[] = [
  [/^s(?:ec(?:ond)?s?)?$/, 'seconds', 1],
  [/^(?:m|mins?|minutes?)$/, 'minutes', 1],
  [/^h(?:rs?|ours?)?$/, 'hours', 1],
  [/^d(?:ays?)?$/, 'days', 1],
  [/^w(?:ks?|eeks?)?$/, 'weeks', 1],
  [/^fortnights?$/, 'weeks', 2],
  [/^(?:mos?|months?)$/, 'months', 1],
  [/^y(?:rs?|ears?)?$/, 'years', 1],
];

const UNIT =
  '(?:seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|wks?|w|fortnights?|months?|mos?|years?|yrs?|y)';
const VAGUE = '(?:a\\s)?(?:couple|few)(?:\\sof)?';
const FRACTION = '(?:half|(?:a\\s)?quarter\\sof)(?:\\san?)?';
const COUNT = `(?:\\d+(?:[.,]\\d+)?|[13]\\s?/\\s?[24]|(?<![\\p{L}])(?:${NUMBER_WORD}|${FRACTION}|${VAGUE}|an?(?=\\s)))`;
const AND_A_HALF = '(?:\\s(?:and\\s)?an?\\shalf)';
const PIECE = `(?:${COUNT}${AND_A_HALF}?\\s?(?:more\\s)?${UNIT}(?![\\p{L}])${AND_A_HALF}?)`;

/** "2 hours", "an hour and a half", "1 day, 2 hours and 5 minutes", "2h30m", "3/4 h". */
export const DURATION = `${PIECE}(?:(?:\\s?,?\\s?(?:and\\s)?)${PIECE}|(?<=h)\\s?\\d\\d?m(?:in)?){0,4}`;

const PIECES = new RegExp(
  `(?<count>${COUNT})(?<early>${AND_A_HALF})?\\s?(?:more\\s)?(?<unit>${UNIT})(?![\\p{L}])(?<late>${AND_A_HALF})?`,
  'giu',
);

/** The duration that words of the pattern above name; undefined where a number is none. */
export function durationOf(text: string): Duration | undefined {
  let total = Duration.fromMillis(0);
  for (const { groups } of text.matchAll(PIECES)) {
    const count = countOf(groups?.count?.toLowerCase() ?? '');
    const unit = UNITS.find(([words]) => words.test(groups?.unit?.toLowerCase() ?? ''));
    if (count === undefined || unit === undefined) return undefined;
    const half = (groups?.early ?? groups?.late) ? 0.5 : 0;
    total = total.plus(wholeParts(unit[1], (count + half) * unit[2]));
  }
  return total;
}

function countOf(text: string): number | undefined {
  const words = text.replaceAll(/\s+/g, ' ');
  if (/^an?$/.test(words)) return 1;
  if (words.startsWith('half')) return 0.5;
  if (words.includes('quarter')) return 0.25;
  if (words.includes('couple')) return 2;
  if (words.includes('few')) return 3;
  const [top, bottom] = words.split('/').map((part) => Number(part.trim()));
  if (top !== undefined && bottom !== undefined) return top / bottom;
  const figures = Number(words.replace(',', '.'));
  return Number.isNaN(figures) ? numberOf(words) : figures;
}

/** Half a day is 12 hours and half a week three days and a half; half a month has no length. */
function wholeParts(unit: keyof DurationLikeObject, count: number): DurationLikeObject {
  const whole = Math.floor(count);
  const rest = count - whole;
  if (rest === 0) return { [unit]: whole };
  if (unit === 'days') return { days: whole, hours: Math.round(rest * 24) };
  if (unit === 'weeks') return { weeks: whole, ...wholeParts('days', rest * 7) };
  if (unit === 'years') return { years: whole, months: Math.round(rest * 12) };
  return unit === 'months' ? { months: whole, days: Math.round(rest * 30) } : { [unit]: count };
}
