import { type NotUnderstood, REASONS } from '../../moment.ts';
import { type Corrected, correctWords } from '../../tidy-text.ts';
import { leavesNothing, type OtherLanguage, withDifferences } from '../read-grammar.ts';
import { refinersFor } from '../refiners.ts';
import {
  allMatches,
  beginningsIn,
  compiled,
  createGrammar,
  findRefusal,
  type Grammar,
  lazily,
  needing,
  type Refusals,
  type Rules,
  rule,
  WORD_START,
  wholeWords,
  yearFirstDates,
} from '../rule.ts';
import { bareDottedTimes, clockTimes, spokenTimes } from './clock.ts';
import { bareDottedDates, dates, numbersAfterWeekdays, numericDates } from './dates.ts';
import { days, durations, periods } from './days.ts';
import { type Lexicon, lexicon } from './lexicon.ts';
import {
  type EuropeanWords,
  group,
  LETTER,
  type Meanings,
  NAMED_UNITS,
  spelled,
  type Vocabulary,
  withoutAccents,
  wordList,
} from './vocabulary.ts';

/** The grammar that the languages of Western Europe share, with the words of one of them. */
export function european(languageWords: EuropeanWords): OtherLanguage {
  const { grammar: words } = languageWords;
  const fillers = `(?:[\\s,;:.@~()!?¿/-]|(?<!${LETTER})${group(words.fillers)}(?!${LETTER}))*`;
  const filler = new RegExp(`^${fillers}$`, 'i');
  // Few texts have such a word, so the long pattern is rarely compiled.
  const hasNow = needing(group(words.now), []).words;
  const now = new RegExp(`^${fillers}(?<!${LETTER})${group(words.now)}(?!${LETTER})\\W*$`, 'i');
  const isFiller = (text: string): boolean => filler.test(text);
  // Most languages are only asked for their words.
  const shared = lazily(() => lexicon(languageWords));
  const read = lazily(() => readings(languageWords, shared(), isFiller));
  const refuse = lazily(() => refusals(shared()));
  const correct = lazily(() => typos(words));
  return {
    get readings() {
      return read().readings;
    },
    get differences() {
      return read().differences;
    },
    prepare: withoutAccents,
    isFiller,
    canLeave: leavesNothing,
    isNow: (text) => hasNow.test(withoutAccents(text)) && now.test(withoutAccents(text)),
    refusalOf: (text) => refuse()(text),
    correctTypos: (text) => correct()(text),
    get dayEnd() {
      return read().dayEnd;
    },
    get weekdays() {
      return shared().weekdays;
    },
    hasTimeWord: timeWords(languageWords),
  };
}

function readings(languageWords: EuropeanWords, shared: Lexicon, isFiller: (text: string) => boolean) {
  const { words } = shared;
  const { numbers, ordinals, counts = [] } = words;
  const inFigures = lexicon({
    ...languageWords,
    grammar: { ...words, numbers: [], ordinals: [], counts: [] },
  });
  const hasNumberWord = beginningsIn(wordList<unknown>([...numbers, ...ordinals, ...counts]).pattern, 2);
  /** Most texts have no number in words, and V8 compiles the patterns without them several times as fast. */
  const withNumbers = (build: (lexicon: Lexicon) => Rules): Rules => {
    const inWords = lazily(() => build(shared));
    const words = { test: (text: string) => !hasNumberWord(text) };
    return [
      {
        words,
        rules: build(inFigures),
        get others() {
          return inWords();
        },
      },
    ];
  };
  const both = withNumbers((lexicon) => [
    ...yearFirstDates,
    ...days(lexicon),
    ...periods(lexicon),
    ...dates(lexicon),
    ...numericDates(lexicon),
    ...clockTimes(lexicon),
    ...spokenTimes(lexicon),
    ...durations(lexicon).rules,
    rule(group(words.sameTime), () => ({ isSameTime: true })),
  ]);
  const bareDurations = withNumbers((lexicon) => durations(lexicon).bare);
  const daysAfterWeekday = withNumbers(numbersAfterWeekdays);
  const dayEnd = rule(group(words.dayEnd), () => ({ hour: 23, minute: 59 }));
  const grammar = (more: Rules): Grammar => createGrammar([...both, ...more], refinersFor(isFiller));
  const own = withDifferences([
    grammar([bareDottedDates, ...daysAfterWeekday, { ...dayEnd, read: () => ({ part: 'late-afternoon' }) }]),
    grammar([
      bareDottedTimes(shared),
      ...bareDurations,
      ...(words.hourAfterWeekday ? [] : daysAfterWeekday),
      dayEnd,
    ]),
  ]);
  return { ...own, dayEnd };
}

/** Finds a word for a day, a part of the day or the clock. "So" and "do" are words of other languages, "lun" isn't. */
function timeWords({ grammar: words, stretches }: EuropeanWords): (text: string) => boolean {
  const { days, parts, partsOfToday, units, edges, edgesInOneWord, feasts } = words;
  const named = (...lists: readonly (Meanings<unknown> | undefined)[]) =>
    lists.flatMap((list) => list?.map(([pattern]) => pattern) ?? []);
  const nouns = NAMED_UNITS.map((unit) => stretches.nouns[unit]);
  const hours = named(words.numbers).slice(1, 13).join('|');
  const periods = stretches.ofCalendar
    .filter(([, ahead]) => ahead >= 0)
    .flatMap(([template]) => nouns.map((noun) => template.replace('§', noun)));
  const pattern = spelled(
    [
      ...named(days, parts, partsOfToday, units, edgesInOneWord, feasts),
      // "Halb neun", but not "half price".
      ...named(words.beforeHour).map((before) => `(?:${before})(?=\\s(?:\\d|${hours}))`),
      // The month in "Ende November" may be English, and the quarter in "début T2" has a letter.
      ...named(edges).map((edge) => `(?:${edge})(?=\\s(?:(?:${words.of})\\s?)?(?:\\s|$|[a-z]\\d))`),
      ...periods,
      ...nouns,
      ...words.weekdays,
      ...words.months,
      words.hourUnit,
    ]
      .toSorted((a, b) => b.length - a.length)
      .join('|'),
  );
  const word = lazily(() => wholeWords(pattern, 'gi'));
  const mayHaveWord = beginningsIn(pattern);
  // "Um 9", "alle 14"; but "a" only in "a 14h".
  const atHour = new RegExp(`${WORD_START}(?:${group(words.at)}\\s?(?<=[a-z]{2}\\s?)\\d|a\\s\\d{1,2}h)`, 'i');
  return (text) =>
    (/\d/.test(text) && atHour.test(text)) ||
    (mayHaveWord(text) && allMatches(text, word()).some(([found]) => /[a-z]{3}/i.test(found)));
}

const CLOCK = '\\d{1,2}(?:[:.h]\\d\\d)?\\s?(?:[ap]\\.?m\\.?|uhr|h|u)?';

/** Why a text is no single future moment, found before any rule reads it: past, repeated, a range, a choice. */
function refusals({
  words,
  weekdays,
  months,
  yearParts: parts,
  nouns,
  periods,
  openPeriods,
}: Lexicon): (text: string) => NotUnderstood | undefined {
  const [from, to] = words.fromTo;
  const dashed = words.dashedDates
    ? `${CLOCK}\\s-\\s?${CLOCK}|\\d{1,2}[:.h]\\d\\d\\s?-\\s?${CLOCK}`
    : `${CLOCK}\\s?-\\s?${CLOCK}`;
  // "el 12-5" is a date, "le 3-5 décembre" a range.
  const marked = `(?<=${group(words.dayMarker)}\\s)\\d{1,2}-\\d{1,2}(?!\\s(?:${group(words.of)}\\s?)?${months.pattern})`;
  const [weeks, ...longer] = NAMED_UNITS.map((unit) => `${periods[unit].pattern}|${openPeriods[unit]}`);
  const whole = [weeks, ...longer].join('|');
  longer.push(months.pattern, parts.pattern, `20\\d\\d(?!\\s?${group(words.hourUnit)})`);
  const nthIn = (day: string, named: readonly string[]) =>
    `${day}\\s(?:${group(words.of)}\\s)?(?:${named.join('|')})`;
  // "The last friday of next month" and "the last day of the week" aren't over.
  const part = wordList([...(words.partsOfWeekday ?? []), ...words.parts]).pattern;
  const days = [
    nthIn(`${weekdays.pattern}(?:\\s?${part})?`, longer),
    nthIn(group(`${words.dayNoun}|${nouns.week}`), [weeks ?? '', ...longer]),
  ];
  const lastInPeriod = lazily(() => new RegExp(`${group(words.last)}\\s(?:${days.join('|')})`, 'iy'));
  const isToCome = (text: string, index: number): boolean => {
    lastInPeriod().lastIndex = index;
    return lastInPeriod().test(text);
  };
  const over = compiled(wholeWords(spelled(words.over), 'gi'));
  const kinds: Refusals = [
    [
      { exec: (text) => allMatches(text, over).find(({ index }) => !isToCome(text, index)) ?? null },
      REASONS.past,
    ],
    [compiled(wholeWords(spelled(words.repeats))), REASONS.repeats],
    [wholeWords(spelled(words.range)), REASONS.range],
    [wholeWords(`${group(from)}\\s.*\\s${group(to)}\\s.*`), REASONS.range],
    [new RegExp(`(?<![\\d./-])(?!${marked})(?:${dashed})(?![\\d./-])`, 'i'), REASONS.range],
    [wholeWords(`${weekdays.pattern}\\s?-\\s?${weekdays.pattern}`), REASONS.range],
    [
      new RegExp(
        `^\\W*(?:${group(words.fillers)}\\s)*(?:${whole}|(?!${weekdays.pattern}\\b)${months.pattern}\\.?)(?:\\s\\d{4})?\\W*$`,
        'i',
      ),
      REASONS.period,
    ],
    [wholeWords(spelled(words.choice)), REASONS.choice],
  ];
  return (text) => findRefusal(kinds, text);
}

/** Corrects weekdays, months and words for days that are one letter off: "Dienstga", "febreo", "demian". */
function typos(words: Vocabulary): (text: string) => Corrected {
  const names = [...words.weekdays, ...words.months].flatMap(namesIn);
  const meant = [...new Set([...names, ...words.dayWords.split(' ')])];
  // Every whole word of the vocabulary is a word of its own, not a typo of another.
  const known = JSON.stringify(words).match(/(?<![\])\p{L}'])[\p{L}']+(?![\p{L}'[(\\?])/gu) ?? [];
  const isWord = new Set([...known, ...words.wordsThemselves.split(' ')].map(plain));
  return (text) =>
    correctWords(text, { meant, isWord: (word) => isWord.has(word), plain, ending: /[aeioulmnrs]$/ });
}

/** The words of a pattern that are long enough for a typo: "sonntag" of "(?:sonntag|so(?! um))". */
function namesIn(pattern: string): readonly string[] {
  return pattern.replace(/\(\?!.*$/u, '').match(/(?<![\p{L} ])\p{L}{5,}/gu) ?? [];
}

function plain(word: string): string {
  return withoutAccents(word.toLowerCase());
}
