import { Duration } from 'luxon';
import { type NotUnderstood, REASONS } from '../../moment.ts';
import { type Corrected, correctWords } from '../correct-words.ts';
import { type Meaning, wholeParts } from '../piece.ts';
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
import { days, periods } from './days.ts';
import { type Lexicon, lexicon } from './lexicon.ts';
import {
  type CountedUnit,
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

/** Durations from now and from another moment; `bare` is a duration as the whole text. */
function durations(lexicon: Lexicon): { rules: Rules; bare: Rules } {
  const { words } = lexicon;
  const { pattern, durationOf } = durationWords(lexicon);
  const [hours, minutes] = [unitPattern(words, 'hours'), unitPattern(words, 'minutes')];
  const before = `${group(words.durationBefore)}\\s`;
  const vague =
    '(?:(?:ca|circa|zirka|etwa|ungefahr|environ|ongeveer|unos|unas|cerca de|uns|umas)\\.?\\s|~\\s?)?';
  const counted = `['"]|${wordList(words.units).pattern}|${wordList(words.durations).pattern}`;
  return {
    rules: [
      needing(counted, [
        // "drei Tage vor Heiligabend", "une semaine après Noël". "Deux jours après, à 9h" counts from now.
        rule(
          `(?:${before})?(?<duration>${pattern})(?=(?<tail>\\s(?:${group(words.durationFrom)}|(?<earlier>${group(words.dayBefore)})))\\s(?!${group(words.at)}\\s?\\d))`,
          ({ duration = '', earlier }) => {
            const plus = durationOf(duration);
            return plus && { plus: earlier === undefined ? plus : plus.negate() };
          },
        ),
        // The duration stands in the pattern once: written out for each case, it would take as long again to compile.
        rule(
          `(?<lead>${before}${vague}|\\+\\s?)?(?<duration>${pattern})(?<later>\\s${group(words.durationAfter)})?`,
          ({ lead, duration = '', later }) =>
            lead === undefined && later === undefined ? undefined : inWeeks(durationOf(duration), duration),
        ),
        // "dans 2h15", "en 1 hora 30".
        rule(
          `${before}${vague}(?<hours>\\d{1,2})\\s?${hours}\\s?(?:${group(words.and)}\\s)?(?<minutes>[0-5]\\d)(?![\\d:])(?:\\s?${minutes})?`,
          (found) => ({
            fromNow: Duration.fromObject({ hours: Number(found.hours), minutes: Number(found.minutes) }),
          }),
        ),
      ]),
    ],
    // "20 h", "3 heures" and "18h30min" are times.
    bare: [
      needing(counted, [
        rule(
          `(?<=^\\s*)(?!(?:\\d{1,2}|${lexicon.number})\\s?${group(words.hourUnit)}\\s*$|\\d{1,2}(?:${words.hourLetter ?? 'h'})\\d\\d)(?<duration>${pattern})(?=\\s*$)`,
          ({ duration = '' }) => inWeeks(durationOf(duration), duration),
        ),
      ]),
    ],
  };
}

const unitPattern = ({ units }: Vocabulary, unit: string): string =>
  wordList(units.filter(([, each]) => each === unit)).pattern;

function durationWords({ words, numberOf }: Lexicon) {
  const counts = wordList([...(words.counts ?? []), ...words.numbers]);
  const units = wordList<CountedUnit>([...words.units, ["'", 'minutes'], ['"', 'seconds']]);
  const minutes = wordList(words.minutes);
  const named = wordList(words.durations);
  const half = `(?:\\s${group(words.andHalf)}|\\s(?![&+])${group(words.and)}\\s${minutes.pattern}(?!${LETTER}))`;
  const beforeHalf = new RegExp(`^\\s${group(words.and)}\\s`, 'i');
  const halfOf = (text: string | undefined): number =>
    text === undefined ? 0 : (minutes.meaningOf(text.replace(beforeHalf, '')) ?? 30) / 60;
  const piece = `(?:${named.pattern}${half}?|(?:(?:1/2|\\d+(?:[.,]\\d+)?)\\s?|${counts.pattern}\\s)(?:${units.pattern})\\.?(?!${LETTER})${half}?)`;
  const pieces = new RegExp(
    `(?<name>(?<!${LETTER})${named.pattern}(?!${LETTER}))(?<more>${half})?|(?<count>1/2|\\d+(?:[.,]\\d+)?|(?<!${LETTER})${counts.pattern})\\s?(?<unit>${units.pattern})\\.?(?!${LETTER})(?<half>${half})?`,
    'gi',
  );
  // "Dans 3 jours 20h" is at 20:00, but "3j 20h" a duration.
  const noHour = `(?:(?<=\\d\\s?[a-z]\\s?)|(?!\\d{1,2}\\s?${words.hourLetter ?? 'h'}(?!${LETTER})))`;
  const joiner = `\\s?(?:${group(words.and)}\\s|(?:,\\s?)?${noHour})`;
  return {
    pattern: `(?:${piece}(?:${joiner}${piece}){0,4})`,
    durationOf(text: string): Duration | undefined {
      let total = Duration.fromMillis(0);
      const seen = new Set<string>();
      for (const { groups } of allMatches(text, pieces)) {
        const name = named.meaningOf(groups?.name);
        const unit = units.meaningOf(groups?.unit);
        const count =
          numberOf(groups?.count) ??
          counts.meaningOf(groups?.count) ??
          Number(groups?.count?.replace(',', '.').replace('1/2', '.5'));
        if (name !== undefined)
          total = total.plus(Duration.fromISO(name)).plus({ hours: halfOf(groups?.more) });
        // "9h et 17h" are two times.
        else if (unit === undefined || Number.isNaN(count) || seen.has(unit)) return undefined;
        else total = total.plus(wholeParts(unit, count + halfOf(groups?.half)));
        if (unit !== undefined) seen.add(unit);
      }
      return Duration.fromISO(total.toISO()).isValid ? total : undefined;
    },
  };
}

/** Counted with today: "in acht Tagen" is in a week, and "dans quinze jours" in two. */
const INCLUSIVE_DAYS: readonly number[] = [8, 15];

function inWeeks(duration: Duration | undefined, text: string): Meaning | undefined {
  if (duration === undefined) return undefined;
  const isExact = /\d/.test(text) || !INCLUSIVE_DAYS.includes(duration.as('days'));
  return isExact ? { fromNow: duration } : { fromNow: duration.minus({ days: 1 }), orFromNow: duration };
}

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
  const word = lazily(() => new RegExp(wholeWords(pattern).source, 'gi'));
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
  const days = [
    nthIn(weekdays.pattern, longer),
    nthIn(group(`${words.dayNoun}|${nouns.week}`), [weeks ?? '', ...longer]),
  ];
  const lastInPeriod = lazily(() => new RegExp(`${group(words.last)}\\s(?:${days.join('|')})`, 'iy'));
  const isToCome = (text: string, index: number): boolean => {
    lastInPeriod().lastIndex = index;
    return lastInPeriod().test(text);
  };
  const over = compiled(new RegExp(wholeWords(spelled(words.over)).source, 'gi'));
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
  const meant = [...words.weekdays, ...words.months].flatMap(namesIn).concat(words.dayWords.split(' '));
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
