const SMALL = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
] as const;
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'] as const;
const SMALL_ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
  'fourteenth',
  'fifteenth',
  'sixteenth',
  'seventeenth',
  'eighteenth',
  'nineteenth',
  'twentieth',
] as const;

const words = new Map<string, number>([
  ...SMALL.map((word, value) => [word, value] as const),
  ...TENS.flatMap((ten, index) => tensAndUnits(ten, (index + 2) * 10)),
]);

const ordinals = new Map<string, number>([
  ...SMALL_ORDINALS.map((word, index) => [word, index + 1] as const),
  ...SMALL_ORDINALS.slice(0, 9).map((word, index) => [`twenty ${word}`, index + 21] as const),
  ['thirtieth', 30],
  ['thirty first', 31],
]);

function tensAndUnits(word: string, ten: number): readonly (readonly [string, number])[] {
  const units = SMALL.slice(1, 10).map((unit, index) => [`${word} ${unit}`, ten + index + 1] as const);
  return [[word, ten], ...units];
}

/** A pattern for any of the words, the longest first, a blank standing for a blank or a hyphen. */
export function anyOf(list: Iterable<string>): string {
  const longestFirst = [...list].sort((a, b) => b.length - a.length);
  return `(?:${longestFirst.map((word) => word.replaceAll('.', '\\.').replaceAll(' ', '[\\s-]')).join('|')})`;
}

const plain = (text: string): string => text.replaceAll(/[\s-]+/g, ' ');

const AFTER_TENS = `(?:[\\s-]${anyOf(SMALL.slice(1, 10))})?`;

/** "twenty five" to 99. Put together from tens and units: V8 compiles each of the hundred patterns that hold it. */
export const NUMBER_WORD = `(?:${anyOf(TENS)}${AFTER_TENS}|${anyOf(SMALL)})`;

/** The value of a number in words or figures; undefined for neither. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) : words.get(plain(text));
}

/** "twenty-first", "21st". */
export const ORDINAL_WORD = anyOf(ordinals.keys());
export const ORDINAL_FIGURE = '\\d{1,2}\\s?(?:st|nd|rd|th)';

/** The day that an ordinal or a number names; undefined for none. */
export function ordinalOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const figure = /^(\d{1,2})\s?(?:st|nd|rd|th)?$/.exec(text)?.[1];
  return figure === undefined ? (ordinals.get(plain(text)) ?? numberOf(text)) : Number(figure);
}
