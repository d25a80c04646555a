import { type Corrected, correctWords, isOneLetterOff } from '../correct-words.ts';
import { wholeWords } from '../rule.ts';
import { NUMBER_WORD, WEEKDAY, WEEKDAY_NAME } from './vocabulary.ts';

/** Everyday abbreviations. */
const SHORT_FORMS: readonly (readonly [short: string, word: string])[] = [
  ['nxt', 'next'],
  ['b4', 'before'],
  [`(?<=(?:next|this|nxt|every|each|once\\sa|${WEEKDAY_NAME})\\s)wk`, 'week'],
  ['evry|evey|evrey|evrery|everey|everry|evvery|eveyr|eveery', 'every'],
  ['beg(?=\\sof)', 'beginning'],
  ['w/(?!c)', 'with'],
  ['(?<=(?:next|this|nxt|the)\\s)yr', 'year'],
  ['(?<=(?:next|this|nxt)\\s)mth', 'month'],
  ['tomoz|tmoz|tomo|tomm|2moz|2mo|tmo|tmro', 'tomorrow'],
  ['thanks\\sgiving', 'thanksgiving'],
  ['wknd|wkend', 'weekend'],
  ['morn', 'morning'],
  ['arvo|aft|aftn', 'afternoon'],
  ['nite', 'night'],
  [`(?<=(?:${WEEKDAY}|tomorrow|tom|tmrw|this)\\s)eve`, 'evening'],
];

const SHORT_FORM_PATTERNS = SHORT_FORMS.map(
  ([short, word]) => [new RegExp(wholeWords(short).source, 'gi'), word] as const,
);

/** Spells out abbreviations: "next week thurs morning" for "nxt wk thurs morn". */
export function spellOut(text: string): string {
  if (!SHORTENED.test(text)) return text;
  return SHORT_FORM_PATTERNS.reduce(
    (spelled, [short, word]) => spelled.replaceAll(short, word),
    addSpaces(text),
  );
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

/** What most texts don't have: an abbreviation or a missing space. */
const SHORTENED = new RegExp(
  [wholeWords(SHORT_FORMS.map(([short]) => short).join('|')), ...GLUED].map(({ source }) => source).join('|'),
  'i',
);

/** The words that a typo can mean. */
const WORDS =
  `Sunday Monday Tuesday Wednesday Thursday Friday Saturday January February March April June July August September
   October November December Christmas Easter Thanksgiving Halloween today tomorrow tonight morning afternoon evening
   midnight midday weekend minute minutes hours weeks month months years fortnight quarter o'clock first second third
   fourth fifth seventh eighth ninth eleventh twelfth thirteenth fifteenth twentieth three seven eight eleven twelve
   thirteen fifteen twenty thirty forty fifty beginning following`.split(/\s+/);

const KNOWN = new Set(
  WORDS.flatMap((word) => [word, `${word}s`, `${word}'s`]).map((word) => word.toLowerCase()),
);

/** Words, names and words of other languages that are one letter off, but aren't typos. */
const WORDS_THEMSELVES = new Set(
  `sundae sundry sunda monda frida toady mourning moaning corning horning marsh match marcy marco marchy larch
   parch augusta auguste eveing levening avening januar februar yours tours fours hour's years' tears gears
   bears weaks weeds mouth mouths minuet moths there light fight might night right sight tight seventy farty
   quartet nineth eastern laster faster master eventing`.split(/\s+/),
);

/**
 * Corrects weekdays, months, units and other date words with one letter missing, added, wrong or swapped: "firday",
 * "tusday", "janaury". Leaves a word that could be either of two.
 */
export function correctEnglish(text: string): Corrected {
  const { text: corrected, corrections } = correctWords(text, {
    meant: WORDS,
    isWord: (word) => KNOWN.has(word) || WORDS_THEMSELVES.has(word),
    plain: (word) => word.toLowerCase(),
    ending: /s$/,
  });
  const ofUnits: { written: string; meant: string }[] = [];
  const withUnits = correctUnits(corrected, (written, meant) => ofUnits.push({ written, meant }));
  return { text: withUnits, corrections: [...corrections, ...ofUnits] };
}

const UNITS = ['day', 'days', 'week', 'weeks', 'hour', 'hours', 'month', 'months', 'year', 'years'];

/** After a number, short words can be misspelled units. */
const BESIDE_COUNT = new RegExp(`(?<=\\b(?:\\d{1,3}|next|${NUMBER_WORD})\\s)[a-z]{2,7}(?![a-z'])`, 'gi');

/** "in 3 dyas", "next wek": with a letter missing, doubled or swapped. "2 ways" isn't a typo. */
function correctUnits(text: string, found: (written: string, meant: string) => void): string {
  return text.replaceAll(BESIDE_COUNT, (written) => {
    const word = written.toLowerCase();
    const near = UNITS.includes(word) ? [] : UNITS.filter((unit) => isTypoOf(word, unit));
    const [only] = near;
    if (only === undefined || near.length > 1) return written;
    found(written, only);
    return only;
  });
}

function isTypoOf(word: string, unit: string): boolean {
  const isSwapped = lettersOf(word) === lettersOf(unit);
  const isDoubled =
    word.length > unit.length && word.replaceAll(/(.)\1/g, '$1') === unit.replaceAll(/(.)\1/g, '$1');
  const isMissing = word.length < unit.length;
  return word[0] === unit[0] && isOneLetterOff(word, unit) && (isSwapped || isDoubled || isMissing);
}

function lettersOf(word: string): string {
  return [...word].sort().join('');
}
