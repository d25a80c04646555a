import { numerals } from '../european/numerals.ts';

const SMALL = [
  'zero',
  '(?:uma|um)',
  '(?:dois|duas)',
  'três',
  'quatro',
  'cinco',
  '(?:seis|meia dúzia)',
  'sete',
  'oito',
  'nove',
  'dez',
  'onze',
  'doze',
  'treze',
  '(?:catorze|quatorze)',
  'quinze',
  '(?:dezesseis|dezasseis)',
  '(?:dezessete|dezassete)',
  'dezoito',
  '(?:dezenove|dezanove)',
];

export const PORTUGUESE_NUMBERS = numerals({
  small: SMALL,
  tens: { 20: 'vinte', 30: 'trinta', 40: 'quarenta', 50: 'cinquenta' },
  compound: (ten, unit) => `${ten} e ${unit}`,
});
