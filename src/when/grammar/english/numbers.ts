import { Duration, type DurationLikeObject } from 'luxon';
import { wholeParts } from '../piece.ts';
import { allMatches, WORD_START } from '../word-edges.ts';

const SMALL =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
   seventeen eighteen nineteen`.split(/\s+/);
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SMALL_ORDINALS =
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
   fifteenth sixteenth seventeenth eighteenth nineteenth twentieth`.split(/\s+/);

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

/** A pattern for any of the words, longer ones first. A blank matches a hyphen too. */
export function anyOf(list: Iterable<string>): string {
  const longestFirst = [...list].sort((a, b) => b.length - a.length);
  return `(?:${longestFirst.map((word) => word.replaceAll('.', '\\.').replaceAll(' ', '[\\s-]')).join('|')})`;
}

const plain = (text: string): string => text.replaceAll(/[\s-]+/g, ' ');

const AFTER_TENS = `(?:[\\s-]${anyOf(SMALL.slice(1, 10))})?`;

/** "twenty five", to 99. Made of tens and units, because V8 compiles it in a hundred patterns. */
export const NUMBER_WORD = `(?:${anyOf(TENS)}${AFTER_TENS}|${anyOf(SMALL)})`;

/** The value of a number in words or figures. Undefined for other words. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) : words.get(plain(text));
}

/** "twenty-first", "21st". */
export const ORDINAL_WORD = anyOf(ordinals.keys());
export const ORDINAL_FIGURE = '\\d{1,2}\\s?(?:st|nd|rd|th)';

/** The day of an ordinal or a number. Undefined for other words. */
export function ordinalOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const figure = /^(\d{1,2})\s?(?:st|nd|rd|th)?$/.exec(text)?.[1];
  return figure === undefined ? (ordinals.get(plain(text)) ?? numberOf(text)) : Number(figure);
}

/** The words of each unit, its name in luxon, and its size in it. */
const UNITS: readonly (readonly [RegExp, keyof DurationLikeObject, number])[] = [
  [/^s(?:ec(?:ond)?s?)?$/, 'seconds', 1],
  [/^(?:m|mins?|minutes?|')$/, 'minutes', 1],
  [/^h(?:rs?|ours?)?$/, 'hours', 1],
  [/^d(?:ays?)?$/, 'days', 1],
  [/^w(?:ks?|eeks?)?$/, 'weeks', 1],
  [/^fortnights?$/, 'weeks', 2],
  [/^(?:mos?|mths?|months?)$/, 'months', 1],
  [/^quarters?$/, 'months', 3],
  [/^y(?:rs?|ears?)?$/, 'years', 1],
  [/^decades?$/, 'years', 10],
];

const UNIT =
  '(?:seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|wks?|w|fortnights?|months?|mths?|mos?|quarters?(?!\\s(?:of|past|to|after|before|till?|hour)\\b|-)|decades?|years?|yrs?|y)';
const VAGUE = '(?:a\\s)?(?:couple|few)(?:\\sof)?';
const FRACTION =
  '(?:(?:a\\s)?half(?:\\san?)?|(?:a\\s|three\\s)?quarters?\\sof(?:\\san?)?|(?:a\\s)?quarter(?=[\\s-]hour))';
const COUNT = `(?:\\d+(?:[.,]\\d+)?|(?<![\\d.])\\.\\d+|(?:\\d+\\s(?:and\\s)?)?[13]\\s?/\\s?[24]|${WORD_START}(?:(?:an?|${NUMBER_WORD})\\s(?:hundred(?:\\s(?:and\\s)?${NUMBER_WORD})?|dozen)|${NUMBER_WORD}|${FRACTION}|another(?:\\s(?:\\d+|${NUMBER_WORD}))?|${VAGUE}|an?(?=\\s)))`;
/** "1 hour 30": minutes without their unit. */
const BARE_MINUTES = '(?:(?<=h(?:rs?|ours?))\\s(?:and\\s)?(?:[1-5]?\\d)(?![\\d:.,/-]|\\s?[a-z]))';
const AND_A_HALF = '(?:[\\s-](?:and[\\s-])?an?[\\s-](?:half|quarter))';
const MORE = '(?:more|full|whole|entire)\\s';
const PIECE = `(?:${COUNT}${AND_A_HALF}?[\\s-]?(?:${MORE})?${UNIT}(?![a-z])${AND_A_HALF}?)`;

/** "2 hours", "an hour and a half", "1 day, 2 hours and 5 minutes", "2h30m", "3/4 h". */
export const DURATION = `${PIECE}(?:(?:\\s?,?\\s?(?:and\\s)?)${PIECE}|(?<=h)\\s?\\d\\d?m(?:in)?|${BARE_MINUTES}){0,6}`;

const PIECES = new RegExp(
  `(?<count>${COUNT})(?<early>${AND_A_HALF})?[\\s-]?(?:${MORE})?(?<unit>${UNIT})(?![a-z])(?<late>${AND_A_HALF})?`,
  'gi',
);

/** The duration of words that match `DURATION`. Undefined for one that ISO 8601 can't write. */
export function durationOf(text: string): Duration | undefined {
  let total = Duration.fromMillis(0);
  for (const { groups } of allMatches(text, PIECES)) {
    const count = countOf(groups?.count?.toLowerCase() ?? '');
    const unit = UNITS.find(([words]) => words.test(groups?.unit?.toLowerCase() ?? ''));
    if (count === undefined || unit === undefined) return undefined;
    const more = groups?.early ?? groups?.late ?? '';
    const half = more === '' ? 0 : more.endsWith('quarter') ? 0.25 : 0.5;
    total = total.plus(wholeParts(unit[1], (count + half) * unit[2]));
  }
  const minutes = /h(?:rs?|ours?)?\s?(?:and\s)?(\d\d?)$/i.exec(text)?.[1];
  if (minutes !== undefined) total = total.plus({ minutes: Number(minutes) });
  return Duration.fromISO(total.toISO()).isValid ? total : undefined;
}

function countOf(text: string): number | undefined {
  const words = text.replaceAll(/\s+/g, ' ');
  if (/^an?$|^another$/.test(words)) return 1;
  if (words.startsWith('another ')) return numberOf(words.slice('another '.length));
  const many = /^(\S+) (hundred|dozen)(?: (?:and )?(.+))?$/.exec(words);
  if (many !== null)
    return (numberOf(many[1]) ?? 1) * (many[2] === 'dozen' ? 12 : 100) + (numberOf(many[3]) ?? 0);
  if (/^(?:a )?half/.test(words)) return 0.5;
  if (words.includes('quarter')) return words.startsWith('three') ? 0.75 : 0.25;
  if (words.includes('couple')) return 2;
  if (words.includes('few')) return 3;
  const fraction = /^(?:(\d+) (?:and )?)?(\d) ?\/ ?(\d)$/.exec(words);
  if (fraction !== null) return Number(fraction[1] ?? 0) + Number(fraction[2]) / Number(fraction[3]);
  const figures = Number(words.replace(',', '.'));
  return Number.isNaN(figures) ? numberOf(words) : figures;
}
