import { numerals } from '../european/numerals.ts';

const SMALL = [
  'nul',
  '(?:één|een)',
  'twee',
  'drie',
  'vier',
  'vijf',
  'zes',
  'zeven',
  'acht',
  'negen',
  'tien',
  'elf',
  'twaalf',
  'dertien',
  'veertien',
  'vijftien',
  'zestien',
  'zeventien',
  'achttien',
  'negentien',
];

export const DUTCH_NUMBERS = numerals({
  small: SMALL,
  tens: { 20: 'twintig', 30: 'dertig', 40: 'veertig', 50: 'vijftig' },
  compound: (ten, unit) => `${unit}en${ten}`,
});

const IRREGULAR: Readonly<Record<number, string>> = { 1: 'eerste', 3: 'derde', 8: 'achtste' };

/** "tweede", "twintigste", "eenendertigste": to 19 with -de, from 20 with -ste. */
export const DUTCH_ORDINALS = DUTCH_NUMBERS.filter(([, value]) => value >= 1 && value <= 31).map(
  ([word, value]) => [IRREGULAR[value] ?? `${word}${value < 20 ? 'de' : 'ste'}`, value] as const,
);
