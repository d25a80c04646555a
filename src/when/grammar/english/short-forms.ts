import { wholeWords } from '../word-edges.ts';
import { WEEKDAY, WEEKDAY_NAME } from './calendar-words.ts';

/** Everyday abbreviations. */
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  ['nxt', 'next'],
  ['(?<=(?:next|this|nxt)\\s)wk', 'week'],
  ['(?<=(?:next|this|nxt|the)\\s)yr', 'year'],
  ['(?<=(?:next|this|nxt)\\s)mth', 'month'],
  ['tomoz|tmoz|tomo|tomm|2moz|2mo|tmo|tmro', 'tomorrow'],
  ['thanks\\sgiving', 'thanksgiving'],
  ['wknd|wkend', 'weekend'],
  ['morn', 'morning'],
  ['arvo|aft|aftn', 'afternoon'],
  ['nite', 'night'],
  [`(?<=(?:${WEEKDAY}|tomorrow|tom|tmrw|this)\\s)eve`, 'evening'],
].map(([short = '', word = '']) => [everyWord(short), word]);

/** Spells out abbreviations: "next week thurs morning" for "nxt wk thurs morn". */
export function spellOut(text: string): string {
  return SHORT_FORMS.reduce((spelled, [short, word]) => spelled.replaceAll(short, word), addSpaces(text));
}

const DAY_WORD = `(?:today|tomorrow|tmrw?|tom|tonight|${WEEKDAY_NAME}|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)`;
const GLUED: readonly RegExp[] = [
  `(?<=\\b${DAY_WORD})(?=@?\\d{1,2}(?::\\d\\d|\\s?[ap]\\.?m|h\\d|$))`,
  `(?<=\\d\\s?(?:[ap]m|noon)|\\bnoon|\\d:\\d\\d)(?=${DAY_WORD}\\b)`,
  `(?<=\\b${DAY_WORD}|\\b(?:this|next))(?=(?:morning|afternoon|evening|night|noon)\\b)`,
  `(?<=\\b(?:this|next|on))(?=(?:${WEEKDAY_NAME}|week|month|year|weekend)\\b)`,
  '(?<=\\b(?:half|quarter)(?:past|to)?)(?=(?:past|to|\\d)\\d{0,2}\\b)',
  '(?<=\\d[a-z]{1,7})(?=from\\s?now\\b)|(?<=from)(?=now\\b)',
  '(?<=\\b(?:a|an|one|two|three|four|five|six))(?=(?:minutes?|hours?|days?|weeks?|months?|years?)\\b)',
].map((boundary) => new RegExp(boundary, 'gi'));

/** Inserts missing spaces: "9amtomorrow", "tom9am", "nextweek", "halfpast9". */
function addSpaces(text: string): string {
  return GLUED.reduce((spaced, boundary) => spaced.replaceAll(boundary, ' '), text);
}

function everyWord(pattern: string): RegExp {
  return new RegExp(wholeWords(pattern).source, 'gi');
}
