import { numerals } from '../european/numerals.ts';

const SMALL = [
  'null',
  '(?:ein|eins|eine|einen|einem|einer)',
  '(?:zwei|zwo)',
  'drei',
  'vier',
  'fünf',
  'sechs',
  'sieben',
  'acht',
  'neun',
  'zehn',
  'elf',
  'zwölf',
  'dreizehn',
  'vierzehn',
  'fünfzehn',
  'sechzehn',
  'siebzehn',
  'achtzehn',
  'neunzehn',
];

export const GERMAN_NUMBERS = numerals({
  small: SMALL,
  tens: { 20: 'zwanzig', 30: 'dreißig', 40: 'vierzig', 50: 'fünfzig' },
  compound: (ten, unit) => `${unit}und${ten}`,
});

const IRREGULAR: Readonly<Record<number, string>> = { 1: 'ers', 3: 'drit', 7: 'sieb(?:en)?', 8: 'ach' };

/** "ersten", "dritter", "einundzwanzigste": to 19 with -te, from 20 with -ste. */
export const GERMAN_ORDINALS = GERMAN_NUMBERS.filter(([, value]) => value >= 1 && value <= 31).map(
  ([word, value]) => [`${IRREGULAR[value] ?? word}${value < 20 ? 't' : 'st'}e[nrsm]?`, value] as const,
);
