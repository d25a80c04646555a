import type { Corrected } from '../correct-words.ts';
import { isOneLetterOff } from '../correct-words.ts';
import { correctUnits } from './correct-units.ts';

/** Meaning back with a capital. */
const NAMES = new Set(
  `sunday monday tuesday wednesday thursday friday saturday january february march april june july august september
   october november december christmas easter thanksgiving halloween`.split(/\s+/),
);

const WORDS = [
  ...NAMES,
  ...['today', 'tomorrow', 'tonight', 'morning', 'afternoon', 'evening', 'midnight', 'midday', 'weekend'],
  ...['minute', 'minutes', 'hours', 'weeks', 'month', 'months', 'years', 'fortnight', 'quarter', "o'clock"],
  ...[
    'first',
    'second',
    'third',
    'fourth',
    'fifth',
    'seventh',
    'eighth',
    'ninth',
    'eleventh',
    'twelfth',
    'thirteenth',
  ],
  ...[
    'fifteenth',
    'twentieth',
    'three',
    'seven',
    'eight',
    'eleven',
    'twelve',
    'thirteen',
    'fifteen',
    'twenty',
  ],
  ...['thirty', 'forty', 'fifty', 'beginning', 'following'],
] as const;

/** Words, names and other languages' words that lie one letter off, and mean what they say. */
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
 * The text with weekdays, months, units and words for days put right where one letter is missing, too many, wrong, or
 * in its neighbour's place: "firday", "tusday", "janaury". Two words as near as each other are left as they are.
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

/** The one word that is near; of "minute" and "minutes" the one that ends as the written word does. */
function onlyOne(near: readonly string[], written: string): string | undefined {
  const [first, second] = near;
  if (near.length < 2) return first;
  const isPlural = near.length === 2 && second === `${first}s`;
  return isPlural ? (written.endsWith('s') ? second : first) : undefined;
}

/** A known word, or one with an ending: "mondays" and "monday's" are no slips. */
function isKnown(word: string): boolean {
  return WORDS.some((known) => word === known || word === `${known}s` || word === `${known}'s`);
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
