import { type Corrected, isOneLetterOff } from '../correct-words.ts';
import { wholeWords } from '../rule.ts';
import { NUMBER_WORD, WEEKDAY, WEEKDAY_NAME } from './vocabulary.ts';

/** Everyday abbreviations. */
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  ['nxt', 'next'],
  ['b4', 'before'],
  ['(?<=(?:next|this|nxt|every|each|once\\sa)\\s)wk', 'week'],
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

/** Notes about these words have a capital letter. */
const NAMES = new Set(
  `sunday monday tuesday wednesday thursday friday saturday january february march april june july august september
   october november december christmas easter thanksgiving halloween`.split(/\s+/),
);

const WORDS: readonly string[] = [
  ...NAMES,
  ...`today tomorrow tonight morning afternoon evening midnight midday weekend minute minutes hours weeks month months
     years fortnight quarter o'clock first second third fourth fifth seventh eighth ninth eleventh twelfth thirteenth
     fifteenth twentieth three seven eight eleven twelve thirteen fifteen twenty thirty forty fifty beginning
     following`.split(/\s+/),
];

/** Words, names and words of other languages that are one letter off, but aren't typos. */
const WORDS_THEMSELVES = new Set(
  `sundae sundry sunda monda mondays frida fridge toady toad tody today's morrow mourning moaning
   corning warning horning morning's marsh match macho marcy marco marchy larch parch starch
   aprils augusta auguste augur gusty jules julie julia jolly duly june's jung junes jane jude juno jun jul juan tune
   dune junk judy fully bully gully sully pulley fortnight knight knights eveing levening evenings avening
   yesterday weekday someday noonday everyday midday octobers novembers decembers januar februar
   yours tours fours ours hour's houses hoards years' tears gears bears weaks works weeds month's mouth mouths minuet
   moths mints minded secondly seconds seconded theirs there these third's thirds forth fifths eights light fight might
   night right sight tight eighty seventy twelfths fist thirst worst burst trees thee fifteens thirty's forties farty
   shift fifths quarters quartet quarterly parties forts forth fortify tests heaven seventeen eighteen eighteenth
   fourteen fourteenth nineteen nineteenth nineth eastern easterly laster faster master
   eventing evensong tonights thursdays tuesdays wednesdays saturdays sundays fridays mornings afternoons`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/**
 * Corrects weekdays, months, units and other date words with one letter missing, added, wrong or swapped: "firday",
 * "tusday", "janaury". Leaves a word that could be either of two.
 */
export function correctEnglish(text: string): Corrected {
  const corrections: { written: string; meant: string }[] = [];
  const corrected = text.replaceAll(/[a-z']{5,}/gi, (written) => {
    const word = written.toLowerCase();
    if (WORDS_THEMSELVES.has(word) || isKnown(word)) return written;
    const near = WORDS.filter((known) => isOneLetterOff(word, known));
    const only = onlyOne(near, word);
    if (only === undefined) return written;
    corrections.push({ written, meant: NAMES.has(only) ? capital(only) : only });
    return only;
  });
  const withUnits = correctUnits(corrected, (written, meant) => corrections.push({ written, meant }));
  return { text: withUnits, corrections };
}

/** The only similar word. Of "minute" and "minutes", the one in the number of the written word. */
function onlyOne(near: readonly string[], written: string): string | undefined {
  const [first, second] = near;
  if (near.length < 2) return first;
  const isPlural = near.length === 2 && second === `${first}s`;
  return isPlural ? (written.endsWith('s') ? second : first) : undefined;
}

/** "mondays" and "monday's" aren't typos. */
function isKnown(word: string): boolean {
  return WORDS.some((known) => word === known || word === `${known}s` || word === `${known}'s`);
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
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
