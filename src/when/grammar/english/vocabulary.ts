import { EXAMPLES } from '../../moment.ts';
import { type Corrected, correctWords, isOneLetterOff } from '../../tidy-text.ts';
import { durationWords } from '../european/days.ts';
import {
  byMeaning,
  inOrder,
  numerals,
  patternsIn,
  type ReadingWords,
  wordList,
} from '../european/vocabulary.ts';
import { wholeWords } from '../rule.ts';

const SMALL =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
   seventeen eighteen nineteen`.split(/\s+/);
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SMALL_ORDINALS =
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
   fifteenth sixteenth seventeenth eighteenth nineteenth twentieth`.split(/\s+/);

const words = new Map([
  ...numerals({
    small: SMALL,
    tens: Object.fromEntries(TENS.map((ten, index) => [(index + 2) * 10, ten])),
    compound: (ten, unit) => `${ten} ${unit}`,
  }),
  ['a', 1],
  ['an', 1],
]);

const ordinals = new Map<string, number>([
  ...SMALL_ORDINALS.map((word, index) => [word, index + 1] as const),
  ...SMALL_ORDINALS.slice(0, 9).map((word, index) => [`twenty ${word}`, index + 21] as const),
  ['thirtieth', 30],
  ['thirty first', 31],
]);

/** A pattern for any of the words, longer ones first. A blank matches a hyphen too. */
function anyOf(list: Iterable<string>): string {
  const longestFirst = [...list].sort((a, b) => b.length - a.length);
  return `(?:${longestFirst.map((word) => word.replaceAll('.', '\\.').replaceAll(' ', '[\\s-]')).join('|')})`;
}

const plain = (text: string): string => text.replaceAll(/[\s-]+/g, ' ');

const AFTER_TENS = `(?:[\\s-]${anyOf(SMALL.slice(1, 10))})?`;

/** "twenty five", to 99. Made of tens and units, because V8 compiles it in a hundred patterns. */
export const NUMBER_WORD = `(?:${anyOf(TENS)}${AFTER_TENS}|${anyOf(SMALL)})`;

/** The same, "a", and hundreds and dozens before a unit. */
const COUNT = `(?:(?:${NUMBER_WORD}|an?)\\s(?:hundred(?:\\s(?:and\\s)?${NUMBER_WORD})?|dozen)|${NUMBER_WORD}|an?(?=\\s))`;

/** The value of a number in words or figures, and of "a". Undefined for other words. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const [, count, many, more] = /^(.+?) (hundred|dozen)(?: (?:and )?(.+))?$/.exec(plain(text)) ?? [];
  if (many === undefined) return words.get(plain(text));
  return (words.get(count ?? '') ?? 1) * (many === 'dozen' ? 12 : 100) + (words.get(more ?? '') ?? 0);
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

const WEEKDAYS = patternsIn(
  'sunday|sun, monday|mon, tuesday|tues|tue, wednesday|weds|wed, thursday|thurs|thur|thu, friday|fri, saturday|sat',
);
const MONTHS =
  patternsIn(`january|jan, february|feb, march|mar, april|apr, may, june|jun, july|jul, august|aug, september|sept|sep,
    october|oct, november|nov, december|dec`);

const weekdays = wordList(inOrder(WEEKDAYS, 0));
const months = wordList(inOrder(MONTHS, 1));

/** A weekday's full name. */
export const WEEKDAY_NAME = '(?:sun|mon|tues|wednes|thurs|fri|satur)day';
export const WEEKDAY = `${weekdays.pattern}\\.?`;
export const MONTH = `${months.pattern}\\.?`;

/** What "next" can belong to in "after next christmas". */
export const LONG_PERIOD = `(?:${WEEKDAY}|week|weekend|month|quarter|year|easter|christmas)\\b`;

/** Sunday is 0. */
export const weekdayOf = (word: string | undefined) => weekdays.meaningOf(word?.replace('.', ''));
export const monthOf = (word: string | undefined) => months.meaningOf(word?.replace('.', ''));

const NEXT = '(?:next|coming|upcoming|following)';
const LAST = '(?:last|previous|past)';

const TOMORROW = '(?:tomm?orr?ow|tomoro|tomorro|tmrw?|tmrow|tmw|tom\\.?|2mr?rw|2moro|2morrow)';

/** "Friday week 50" is in that week of the year. */
const NO_NUMBER = "(?! ?(?:of|in|from|after next|day|end|\\d\\d?(?!\\d|[:.]\\d| ?(?:[ap]\\.?m?\\b|h|o'))))";

/** After a part: "a quarter of an hour". */
const OF_A = '(?: of(?: an?)?\\b)';

export const ENGLISH_WORDS: ReadingWords = {
  grammar: {
    weekdays: WEEKDAYS,
    months: MONTHS,
    days: [
      ["(?:today|2day|this (?:very )?day(?! (?:next|of|in|month|year)\\b))(?:'?s\\b)?", { ahead: 0 }],
      [`(?:${TOMORROW}(?:'?s\\b)?|(?:the )?(?:next|following) day)`, { ahead: 1 }],
      [
        `(?:(?:(?:the|an?|one) )?day after (?:${TOMORROW}|(?:the )?next\\b(?! (?:\\w|$)))|overmorrow)`,
        { ahead: 2 },
      ],
      ['yesterday', { ahead: -1 }],
    ],
    edges: byMeaning({ start: '(?:the )?(?:start|beginning)', end: '(?:the )?(?:very )?end' }),
    weekdayBefore: byMeaning({
      this: '(?:(?:on )?this(?: (?:coming|upcoming))?|coming|upcoming)',
      next: '(?:next|(?:the )?following)',
    }),
    weekdayAfter: [
      [`(?:after (?:the )?next(?: one)?(?! ${LONG_PERIOD})|but one)`, 'after-next'],
      ['next(?! (?!at\\b|noon|\\d)\\w)', 'next'],
      ['(?:coming|upcoming)', undefined],
    ],
    // British English: "friday week", "tomorrow fortnight".
    weekdayPlus: byMeaning({ P7D: `week${NO_NUMBER}`, P14D: `fortnight${NO_NUMBER}` }),
    ordinaryWords: 'sun|sat|wed',
    plusOnlyAfter: true,
    numbers: [...words, ['couple(?: of)?', 2]],
    units: [
      ["(?:minutes?|mins?|m|'(?!\\w))", 'minutes'],
      ['(?:hours?|hrs?|h)', 'hours'],
      ['(?:days?|d)', 'days'],
      ['(?:weeks?|wks?|w)', 'weeks'],
      ['(?:months?|mths?|mos?)', 'months'],
      ['(?:years?|yrs?|y)', 'years'],
    ],
    moreUnits: [
      ['seconds?|secs?|s', ['seconds', 1]],
      ['fortnights?', ['weeks', 2]],
      ['quarters?(?!\\s(?:of|past|to|after|before|till?|hour)\\b|-)', ['months', 3]],
      ['decades?', ['years', 10]],
    ],
    counts: [
      [`(?:a )?half(?: an?|${OF_A})?`, 0.5],
      [`(?:a )?quarter(?!s)${OF_A}?`, 0.25],
      [`three quarter(?:s|(?!s))${OF_A}?`, 0.75],
      ['(?:a )?couple', 2],
      ['(?:a )?few', 3],
      ['another', 1],
    ],
    beforeCount: 'another',
    afterCount: '(?:(?:(?<=/ ?[24] )of an?|(?<=couple |few )of|more|full|whole|entire)(?= |-))',
    countsInParts: true,
    minutes: byMeaning({ 15: 'an? quarter', 30: 'an? half' }),
    andHalf: 'an? (?:half|quarter)',
    bareMinutesAfter: 'h(?:rs?|ours?)',
    // Whether "20h" is a time or part of a duration is asked.
    hourLetter: '(?!)',
    hourUnit: "o['’]clock|hours?|h",
    ordinals: inOrder(SMALL_ORDINALS.slice(0, 4), 1),
    last: 'last',
    dayNoun: 'day',
    and: 'and|&|\\+|plus|as well as',
  },
  fillers: 'on|in|during|for|the|of|at|all of|over|within|throughout',
  repeats: {
    every: '(?:(?:on|all) )?(?:eve?ry|each|all)(?: (?:week on|single))?|weekly on|on|the',
    weekdayEnding: "(?:'?s)?",
    everyDay:
      '(?:every ?day(?: of the week)?|each day|all days|daily|every single day|(?:7|seven) days a week)',
    workdays: '(?:week ?days?|(?:business|biz) days?|work(?:ing)? ?days?|school days)',
    determiners: 'an?|any|some|this|that|next|last|the',
    weekends: 'week ?ends?(?: days?)?',
    everyPart: '(?:every|each)',
    except: '(?:except|skip(?:ping)?|but(?: not)?|excluding|without|not)(?: (?:for|on))?',
    intervals: ['(?:once )?every # §', '(?:every|each) (?:other|alternate) §', 'alternat(?:e|ing) §'],
    fixedIntervals: [
      ['(?:weekly|(?:every|each|once a) week(?! ?days?))', { unit: 'weeks', interval: 1 }],
      [
        '(?:bi ?weekly|fortnightly|(?:every|each|once a) (?:fortnight|(?:second|2nd) week))',
        { unit: 'weeks', interval: 2 },
      ],
      ['(?:every|each) (?:second|2nd) day', { unit: 'days', interval: 2 }],
      ['(?:every|each) (?:second|2nd) month', { unit: 'months', interval: 2 }],
      ['(?:monthly|(?:every|each|once a) month)', { unit: 'months', interval: 1 }],
      ['(?:yearly|annually|(?:every|each|once a) year)', { unit: 'years', interval: 1 }],
    ],
    onDate: '(?:on )?(?:the )?(?:day )?',
    ofMonth: ['(?:of|in)', 'the month'],
    count: ['# times?', '(?:for )?# (?:posts|occurrences)'],
    lasting: ['(?:for|over) (?:the next )?# §'],
    unsupported:
      '(?:hourly|quarterly|bi ?monthly|semi ?\\p{L}+|bi ?annual(?:ly)?|(?:every|each) (?:(?:\\p{L}+|\\d+) )?(?:hours?|minutes?|mins?|quarters?(?! (?:past|to|till?|of)))|(?:once|twice|times) (?:a|per) (?:day|hour|quarter)|(?:twice|times) (?:a|per) \\p{L}+|every few \\p{L}+)',
  },
  copulas: "is|isn['’]t|are|was|were|will|has",
  stretches: {
    nouns: { week: 'week', weekend: 'week ?end', month: 'month', quarter: 'quarter', year: 'year' },
    half: 'half',
    halves: ['(?:first|1st) half (?:of|in) §', '(?:second|2nd|last|latter|other) half (?:of|in) §'],
    thirds: ['early(?: in)? §', 'late(?: in)? §'],
    ofCalendar: [
      ['(?:this|current|(?:this )?whole|all) §', 0],
      [`${NEXT} §`, 1],
      [`${LAST} §`, -1],
      ['§ after next', 2],
      ['§ before last', -2],
    ],
    restOf: '(?:(?:rest|remainder) of|later) (?:the|this) §',
    next: [`${NEXT} # §`, 'the (?:next|coming) §', 'within # §', '# § (?:ahead|to come)'],
    last: [`${LAST} # §`, 'the (?:last|past) §', 'past §'],
    ago: ['# § ago'],
    pastDays: ['(?:the )?day before yesterday', 'yesterday', 'today'],
    quarterLetter: 'q',
    // \x23 is the sign of "week #50": # stands for the number.
    calendarWeek: '(?:calendar )?(?:week|wk|cw|w) ?(?:no\\.? ?|number ?|\\x23)?#',
    // "This week after wednesday" isn't the week that follows.
    weekOf: `(?:(?:the )?week (?:of|starting|beginning|from|commencing|(?:(?<before>before)|(?<after>after))(?!(?<!the week \\w+) ${WEEKDAY}))|w/?c)`,
  },
  edges: {
    from: `(?:from|starting(?: (?:from|on|at))?|beginning(?: on)?(?! of (?!${WEEKDAY}))|as (?:of|from)|(?:no|not) (?:before|sooner than|earlier than))`,
    to: '(?:to|until|till?|through|thru|up to|ending(?: on)?)',
    between: 'between',
    onwards: '(?:on|onwards?|forward|and later|or later)',
    onwardsAlone: '(?:onwards?|forward|and later|or later)',
    since: '(?:ever )?since',
    until: '(?:until|till?|through|thru|by|up to(?: and including)?|(?:no|not) later than|ending(?: on)?)',
    endOf: '(?:(?:the )?(?:very )?end(?: of)?|(?=eo[wmqy]$))',
    before: '(?:before|prior to|earlier than|ahead of)',
    after: '(?:after|later than)',
  },
  examples: {
    moment: EXAMPLES,
    moments: ['mon, wed and fri 9am', 'tomorrow 9am and 5pm', '9am in Berlin, New York and Tokyo'],
    ranges: ['this week', 'from Monday to Friday', '1-5 December'],
    recurrences: ['weekdays 8:30', 'every Monday 9am, Berlin', 'Mon, Wed and Fri 10:00'],
  },
};

export const {
  pattern: DURATION,
  hoursMinutes: HOURS_MINUTES,
  durationOf,
} = durationWords({ words: ENGLISH_WORDS.grammar, number: COUNT, numberOf });

/** Everyday abbreviations, after the words for which they stand. */
const SHORT_FORMS =
  `next nxt; before b4; week (?<=(?:next|this|nxt|every|each|once\\sa|${WEEKDAY_NAME})\\s)wk;
  every evry|evey|evrey|evrery|everey|everry|evvery|eveyr|eveery; beginning beg(?=\\sof); with w/(?!c);
  year (?<=(?:next|this|nxt|the)\\s)yr; month (?<=(?:next|this|nxt)\\s)mth; thursday thrs?;
  monday mon-day; tuesday tues-day; thursday thurs-day; friday fri-day; saturday satur-day; sunday sun-day;
  tomorrow tomoz|tmoz|tomo|tomm|2moz|2mo|tmo|tmro; wednesday wensday|wendsday|wedsday|wednes-day;
  thanksgiving thanks\\sgiving; weekend wknd|wkend; holiday (?<=bank\\s)hols?; morning morn;
  afternoon arvo|aft|aftn; night nite; of (?<=sunday\\s)in(?=\\sadvent); evening (?<=(?:${WEEKDAY}|tomorrow|tom|tmrw|this)\\s)eve`
    .split(/;\s+/)
    .map((entry) => entry.split(' '));

const SHORT_FORM_PATTERNS = SHORT_FORMS.map(
  ([word = '', short = '']) => [wholeWords(short, 'gi'), word] as const,
);

/** Spells out abbreviations, and inserts missing spaces: "next week thurs morning" for "nxt wk thursmorn". */
export function spellOut(text: string): string {
  if (!SHORTENED.test(text)) return text;
  const spaced = GLUED.reduce((words, boundary) => words.replaceAll(boundary, ' '), text);
  return SHORT_FORM_PATTERNS.reduce((words, [short, word]) => words.replaceAll(short, word), spaced);
}

const DAY_WORD = `(?:today|tomorrow|tmrw?|tom|tonight|${WEEKDAY_NAME}|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)`;
/** Where spaces are missing: "9amtomorrow", "tom9am", "nextweek", "halfpast9". */
const GLUED: readonly RegExp[] = [
  `(?<=\\b${DAY_WORD})(?=@?\\d{1,2}(?::\\d\\d|\\s?[ap]\\.?m|h\\d|$))`,
  `(?<=\\d\\s?(?:[ap]m|noon)|\\bnoon|\\d:\\d\\d)(?=${DAY_WORD}\\b)`,
  `(?<=\\b${DAY_WORD}|\\b(?:this|next))(?=(?:morning|afternoon|evening|night|noon)\\b)`,
  `(?<=\\b(?:this|next|on))(?=(?:${WEEKDAY_NAME}|week|month|year|weekend)\\b)`,
  '(?<=\\b(?:half|quarter)(?:past|to)?)(?=(?:past|to|\\d)\\d{0,2}\\b)',
  '(?<=\\d[a-z]{1,7})(?=from\\s?now\\b)|(?<=from)(?=now\\b)',
  '(?<=\\b(?:a|an|one|two|three|four|five|six))(?=(?:minutes?|hours?|days?|weeks?|months?|years?)\\b)',
].map((boundary) => new RegExp(boundary, 'gi'));

/** What most texts don't have: an abbreviation or a missing space. */
const SHORTENED = new RegExp(
  [wholeWords(SHORT_FORMS.map(([, short]) => short).join('|')), ...GLUED]
    .map(({ source }) => source)
    .join('|'),
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
