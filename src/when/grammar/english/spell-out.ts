import { wholeWords } from '../word-edges.ts';
import { WEEKDAY } from './calendar-words.ts';

/** Short forms that people type, and the words that they stand for. */
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  ['nxt', 'next'],
  ['(?<=(?:next|this|nxt)\\s)wk', 'week'],
  ['tomoz|tmoz|tomo', 'tomorrow'],
  ['morn', 'morning'],
  ['arvo|aft|aftn', 'afternoon'],
  ['nite', 'night'],
  [`(?<=(?:${WEEKDAY}|tomorrow|tom|tmrw|this)\\s)eve`, 'evening'],
].map(([short = '', word = '']) => [everyWord(short), word]);

/** "nxt wk thurs morn" as "next week thurs morning". */
export function spellOut(text: string): string {
  return SHORT_FORMS.reduce((spelled, [short, word]) => spelled.replaceAll(short, word), text);
}

function everyWord(pattern: string): RegExp {
  return new RegExp(wholeWords(pattern).source, 'gi');
}
