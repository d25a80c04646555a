import { numerals } from '../european/numerals.ts';

const SMALL = [
  'zero',
  "(?:uno|una|un|un')",
  'due',
  'tre',
  'quattro',
  'cinque',
  'sei',
  'sette',
  'otto',
  'nove',
  'dieci',
  'undici',
  'dodici',
  'tredici',
  'quattordici',
  'quindici',
  'sedici',
  'diciassette',
  'diciotto',
  'diciannove',
];

/** The ten loses its last vowel before uno and otto: "ventuno", "trentotto". */
export const ITALIAN_NUMBERS = numerals({
  small: SMALL,
  tens: { 20: 'venti', 30: 'trenta', 40: 'quaranta', 50: 'cinquanta' },
  compound: (ten, unit, value) => {
    if (value % 10 === 1) return `${ten.slice(0, -1)}(?:uno|una|un)`;
    return value % 10 === 8 ? `${ten.slice(0, -1)}${unit}` : `${ten}${unit}`;
  },
});
