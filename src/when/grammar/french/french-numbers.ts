import { numerals } from '../european/numerals.ts';

const SMALL = [
  'zéro',
  '(?:une|un)',
  'deux',
  'trois',
  'quatre',
  'cinq',
  'six',
  'sept',
  'huit',
  'neuf',
  'dix',
  'onze',
  'douze',
  'treize',
  'quatorze',
  'quinze',
  'seize',
  'dix sept',
  'dix huit',
  'dix neuf',
];

export const FRENCH_NUMBERS = numerals({
  small: SMALL,
  tens: { 20: 'vingt', 30: 'trente', 40: 'quarante', 50: 'cinquante' },
  compound: (ten, unit, value) => `${ten} ${value % 10 === 1 ? 'et ' : ''}${unit}`,
});
