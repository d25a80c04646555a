import type { Feast } from '../feasts.ts';
import type { PartOfDay } from '../piece.ts';
import type { YearPart } from '../places.ts';

/** The text without accents, letter for letter: people leave them out, so no rule depends on them. */
export function withoutAccents(text: string): string {
  return text.replaceAll(/[\u00c0-\u024f]/gu, (letter) => letter.normalize('NFD').slice(0, 1));
}

/**
 * A letter, in a text without accents. Written as a negated class: a pattern with \p{L} that ignores case takes V8
 * 1 ms of CPU to compile for each place where it stands, and the long ones half a second.
 */
export const LETTER = '[^\\0-@[-`{-\\u00bf]';

const UMLAUTS: Readonly<Record<string, string>> = {
  ä: '(?:a|ae)',
  ö: '(?:o|oe)',
  ü: '(?:u|ue)',
  ß: '(?:ß|ss)',
};

/**
 * A pattern for text without accents, from one in the language's own spelling: a blank matches a blank or a hyphen,
 * and \p{L} a letter.
 */
export function spelled(pattern: string): string {
  const umlauts = pattern.replaceAll(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter);
  return withoutAccents(umlauts).replaceAll(' ', '[\\s-]').replaceAll('\\p{L}', LETTER);
}

/** The same as one group, ready to be part of a longer pattern; never matches for words that a language lacks. */
export function group(pattern = '(?!)'): string {
  return `(?:${spelled(pattern)})`;
}

/** Words (each a small pattern) and the meaning of each. */
export type Meanings<T> = readonly (readonly [string, T])[];

export interface WordList<T> {
  /** Any of the words, longer ones first. */
  pattern: string;
  meaningOf(text: string | undefined): T | undefined;
}

/** A list that never matches if the language has no such words. */
export function wordList<T>(meanings: Meanings<T> = []): WordList<T> {
  const longestFirst = meanings.toSorted(([a], [b]) => b.length - a.length);
  const any = longestFirst.map(([pattern]) => spelled(pattern)).join('|');
  let words: readonly { exact: RegExp; meaning: T }[] | undefined;
  return {
    pattern: any === '' ? '(?!)' : `(?:${any})`,
    meaningOf: (text) => {
      if (text === undefined) return undefined;
      words ??= longestFirst.map(([pattern, meaning]) => ({
        exact: new RegExp(`^(?:${spelled(pattern)})$`, 'i'),
        meaning,
      }));
      return words.find(({ exact }) => exact.test(text))?.meaning;
    },
  };
}

/** The patterns of each meaning. */
export function byMeaning<T extends string | number>(
  words: Readonly<Partial<Record<T, string | readonly string[]>>>,
): Meanings<T> {
  return Object.keys(words).flatMap((key) => {
    const meaning = (/^\d+$/.test(key) ? Number(key) : key) as T;
    return [words[meaning] ?? []].flat().map((pattern) => [pattern, meaning] as const);
  });
}

/** Patterns separated by commas, each with its alternatives: "januar|jan, februar|feb". */
export function patternsIn(list: string): readonly string[] {
  return list.split(/,\s+/).map((pattern) => `(?:${pattern.trim()})`);
}

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years'] as const;

/** The patterns of the units of time, from seconds to years, and the signs of minutes and seconds. */
export function unitsIn(list: string): Meanings<(typeof UNITS)[number]> {
  const patterns = patternsIn(list);
  const units = UNITS.map((unit, index) => [`${patterns[index] ?? '(?!)'}\\.?`, unit] as const);
  return [...units, ["'", 'minutes'], ['"', 'seconds']];
}

/** Words that mean their place in the list, counted from `first`. */
export function inOrder(patterns: readonly string[], first: number): Meanings<number> {
  return patterns.map((pattern, index) => [pattern, index + first] as const);
}

/** Numbers to the end of the last ten: the words up to the first compound, the tens, and how a ten and a unit make one word. */
export function numerals({
  small,
  tens,
  compound,
}: {
  small: readonly string[];
  tens: Readonly<Record<number, string>>;
  compound: (ten: string, unit: string, value: number) => string;
}): Meanings<number> {
  const numbers = new Map<number, string>(small.map((word, value) => [value, word] as const));
  for (const [figure, ten] of Object.entries(tens)) {
    const value = Number(figure);
    if (!numbers.has(value)) numbers.set(value, ten);
    for (let unit = 1; unit <= 9; unit += 1) {
      if (!numbers.has(value + unit))
        numbers.set(value + unit, compound(ten, small[unit] ?? '', value + unit));
    }
  }
  return [...numbers].map(([value, word]) => [word, value] as const);
}

/** A day by name: the number of days ahead, and the part of the day if the name says one ("domattina"). */
export interface NamedDay {
  ahead: number;
  part?: PartOfDay;
}

/** Where in a week, month, quarter or year a day lies. */
export type Edge = 'start' | 'middle' | 'end';

/**
 * The words of one language. Strings are patterns in the language's own spelling: accents are optional in what
 * people type, and a blank matches a hyphen too.
 */
export interface Vocabulary {
  /** From Sunday, and from January. */
  weekdays: readonly string[];
  months: readonly string[];
  /** Numbers in words to 59, and the days of a month as ordinals. */
  numbers: Meanings<number>;
  ordinals: Meanings<number>;
  /** 2000 in a year in words: "dos mil" of "dos mil treinta". */
  twoThousand?: string;
  /** After the figures of an ordinal: "er" of "1er". */
  ordinalEnding: string;

  days: Meanings<NamedDay>;
  /** Days of the year with a name. */
  feasts: Meanings<Feast>;
  /** Before a weekday or after it: "nächsten", "prochain", "übernächsten". */
  weekdayBefore: Meanings<'this' | 'coming' | 'next' | 'after-next'>;
  weekdayAfter?: Meanings<'this' | 'coming' | 'next' | 'after-next' | undefined>;
  /** Weekdays that are words of other sentences too: "sat". */
  ordinaryWords?: string;
  /** For many people, the week begins on Sunday. */
  weeksMayBeginOnSunday?: boolean;
  /** "lundi en huit": a duration after the weekday. */
  weekdayPlus?: Meanings<string>;
  /** "Next week monday" isn't a week after a monday, and "next friday week" is a week after the coming one. */
  plusOnlyAfter?: boolean;
  /** Before a date: "am", "el día". It makes a number a day of the month. */
  dayMarker: string;
  /** Between day and month, and between month and year: "de". */
  of: string;
  /** Before a week, month, quarter or year: "Mitte" of "Mitte nächster Woche". */
  edges?: Meanings<Edge>;
  /** An edge and its period in one word: "Jahresende". */
  edgesInOneWord?: Meanings<{ place: Edge; unit: NamedUnit }>;
  /** A Saturday or Sunday: the number of weeks ahead. */
  weekends?: Meanings<number>;
  /** "Werktage", after a number or after "nächster". */
  workingDay?: string;
  /** Between a weekday and the day from which it counts: "le lundi après Noël". */
  dayAfter?: string;
  dayBefore?: string;
  /** "le lendemain de": a duration before or after the day that follows. */
  daysBeside?: Meanings<string>;
  /** Between the figures of a day and of a month, beside a blank: "del " of "17 del 11". */
  ofMonthFigure?: string;
  /** Whether an ordinal names a month too: "am siebten vierten". */
  ordinalMonths?: boolean;
  /** "Tag", in "der dritte Tag im Mai", "der letzte Tag des Monats" and "den ganzen Tag". */
  dayNoun: string;
  /** "ultimo", "letzter": the last of a weekday or a day in a month. */
  last: string;
  /** Whether a number after a weekday can be an hour too: "freitag 9". */
  hourAfterWeekday?: boolean;
  /** Whether two numbers with a dash are a date: "15-2". */
  dashedDates?: boolean;

  parts: Meanings<PartOfDay>;
  /** Parts of this day: "ce soir", "vanavond". */
  partsOfToday: Meanings<PartOfDay>;
  /** Parts of the day only after a weekday: "Montag morgen", "Montagabend". */
  partsOfWeekday?: Meanings<PartOfDay>;
  /** Late in the day, or in its part: "ce soir tard". */
  late?: string;
  /** The end of a day, which is the end of work or midnight: "al final del". */
  dayEnd?: string;
  /** "à la même heure". */
  sameTime?: string;

  /** Whether 3:30 is at night, because people write 15:30 for the afternoon. */
  writes24Hours?: boolean;
  /** Whether "am" is a word of the language, so that only "9am" is in the morning. */
  hasWordAm?: boolean;
  /** Before an hour: "um", "a las". */
  at: string;
  /** After an hour: "Uhr", "heures". */
  hourUnit: string;
  /** Up to this number, hours without "at" may be counted: "2 ore". Defaults to 0: "2 uur" is a time. */
  countsHoursTo?: number;
  /** Between the figures of hours and minutes, besides a colon. Defaults to "h". */
  hourLetter?: string;
  noon: string;
  midnight: string;
  /** "huit heures et quart", "nueve menos cuarto". */
  hourFirst?: { past: string; to: string };
  /** "Viertel nach acht", "quinze para as oito". "To", as in "five to seven", can be between two hours as well. */
  minutesFirst?: { past: string; to: string; toOrRange?: string };
  /** Minutes by name. */
  minutes: Meanings<number>;
  /** "halb neun": minutes before the hour that follows, or after it if they are negative. */
  beforeHour?: Meanings<number>;

  /** Units as luxon calls them. */
  units: Meanings<'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years'>;
  /** Other units, which only durations have, as a number of these: a fortnight is two weeks. */
  moreUnits?: Meanings<readonly [CountedUnit, number]>;
  /** Numbers that only count a unit: "anderthalb". */
  counts?: Meanings<number>;
  /** Between a count and its unit, or before the count: "more" and "another". */
  afterCount?: string;
  beforeCount?: string;
  /** Whether a half stands before its unit, and fractions count all units: "two and a half hours", "3/4 day". */
  countsInParts?: boolean;
  /** The words for hours after which a number without a unit counts minutes: "1 hour 30". */
  bareMinutesAfter?: string;
  /** Durations with a name (ISO 8601): "mezz'ora". */
  durations: Meanings<string>;
  /** Between two units, or the last two of a list: "und". After one: "et demie". */
  and: string;
  andHalf: string;
  /** Before a duration, after it, and between it and the day or time from which it counts. */
  durationBefore: string;
  durationAfter: string;
  durationFrom: string;

  /** Words without a meaning for the time. Two that differ only in accents would take exponential time. */
  fillers: string;
  now: string;
  /** Refused: the past, a recurrence, a range, a choice. */
  over: string;
  repeats: string;
  range: string;
  choice: string;
  /** Two words that make a range only together: ["von", "bis"]. */
  fromTo: readonly [string, string];
  /** Besides weekdays and months, the words that a typo can mean. */
  dayWords: string;
  /** Words and names that are one letter off any of those, but no typos. */
  wordsThemselves: string;
}

/** A stretch of the calendar that words can name. */
export type Period = 'week' | 'weekend' | 'month' | 'quarter' | 'year';

/** The periods that have a place, such as an end. */
export const NAMED_UNITS = ['week', 'month', 'quarter', 'year'] as const satisfies readonly Period[];

export type NamedUnit = (typeof NAMED_UNITS)[number];

export type CountedUnit = Vocabulary['units'][number][1];

/**
 * A language's words for lists, ranges and recurrences. Strings are patterns for text without accents. In templates, #
 * is a number and § a unit.
 */
export interface ReadingWords {
  grammar: Pick<
    Vocabulary,
    'weekdays' | 'months' | 'numbers' | 'ordinals' | 'last' | 'units' | 'hourUnit' | 'dayNoun' | 'and'
  > &
    Partial<Vocabulary>;
  /** Whether there are no spaces between words. */
  isGlued?: boolean;
  /** Words without meaning before a stretch of time, and after it. */
  fillers: string;
  fillersAfter?: string;
  repeats: {
    /** Before a weekday, and what may follow it. */
    every: string;
    weekdayEnding: string;
    everyDay: string;
    workdays: string;
    /** Before words for workdays, of which they make one day: "a weekday", "this business day". */
    determiners?: string;
    weekends: string;
    /** "every" of "every morning". */
    everyPart: string;
    /** A word for tomorrow that is the morning after "every", and one that is only the morning. */
    morning?: readonly [tomorrow: string, morning: string];
    except: string;
    /**
     * Templates such as "every # §". Without a number, every other one. "Un lunes sí y otro no" is one, unlike the contrast
     * of "el lunes sí, pero no a las 9".
     */
    intervals: readonly string[];
    /** Of quarters, the first begins with one. */
    fixedIntervals: Meanings<{ unit: CountedUnit; interval: number; isQuarter?: boolean }>;
    /** Words before the day of a month. */
    onDate: string;
    /** "of" and "the month". */
    ofMonth: readonly [string, string];
    /** Templates such as "# times" and "for # §". */
    count: readonly string[];
    lasting: readonly string[];
    /** Repetitions that a recurrence can't express. */
    unsupported: string;
  };
  /** Verbs of sentences about a time: "is" of "friday is the day". */
  copulas: string;
  /** Days that are words of many sentences too: "we", "so". */
  looseDays?: string;
  stretches: {
    nouns: Readonly<Record<Period, string>>;
    /** Before "the week", what makes a weekend of it: "fine" of "fine settimana". */
    weekendBegins?: string;
    /** Half of a year. */
    half: string;
    /** Templates for parts of a month or another §: the first and the second half; early, late and in its middle. */
    halves: readonly [string, string];
    thirds?: readonly string[];
    /** Templates for "this §" and "last §" with a noun, and how many are between it and the current one. */
    ofCalendar: Meanings<number>;
    /** A template for the time from now to the end of a noun: "rest of the §". */
    restOf?: string;
    next: readonly string[];
    last: readonly string[];
    ago: readonly string[];
    /** The day before yesterday, yesterday and today. */
    pastDays: readonly [string, string, string];
    /** Templates for "last friday", in which § is a weekday or month. Defaults to those of "last §" with a noun. */
    lastNamed?: readonly string[];
    /** "q" of "q1". */
    quarterLetter: string;
    /** A template for the number of a week: "KW #". */
    calendarWeek: string;
    weekOf: string;
  };
  edges: {
    from: string;
    to: string;
    between: string;
    /** Words after a start: "from monday on", and, where they differ, without "from", "monday onwards". */
    onwards: string;
    onwardsAlone?: string;
    since: string;
    until: string;
    /** The same after its day: "まで". So is "前". */
    untilAfter?: string;
    beforeAfter?: string;
    /** "The end of", before a day or a period that it includes. */
    endOf: string;
    before: string;
    after: string;
  };
  /** Phrases that always work. */
  examples: Readonly<Record<'moment' | 'moments' | 'ranges' | 'recurrences', readonly string[]>>;
}

/** After the figures of an ordinal. */
export const ORDINAL_ENDING = '(?:st|nd|rd|th|ste|er|e|de|[ºª°]|\\.|日)';

/** "First" to "fourth", and "last". */
export function placeWords({ ordinals, last }: Pick<Vocabulary, 'ordinals' | 'last'>): readonly string[] {
  const nth = [1, 2, 3, 4].map((place) => ordinals.filter(([, value]) => value === place));
  return [...nth.map((words) => words.map(([word]) => word).join('|') || '(?!)'), last];
}

/** "Q1", "first quarter", "1. Quartal", "second half", "H2". */
export function yearParts({
  stretches: { nouns, quarterLetter, half },
  grammar,
}: Pick<ReadingWords, 'stretches' | 'grammar'>): Meanings<YearPart> {
  const named = (unit: YearPart['unit'], letter: string, noun: string, count: number) =>
    placeWords(grammar)
      .slice(0, count)
      .map((ordinal, index) => {
        const nth = index + 1;
        return [
          `(?:${letter}|${noun} )${nth}|(?:${ordinal}|${nth}${ORDINAL_ENDING}) ?${noun}`,
          { unit, nth },
        ] as const;
      });
  return [...named('quarter', quarterLetter, nouns.quarter, 4), ...named('half', 'h', half, 2)];
}

/** The words of a language that shares the grammar of Western Europe. */
export interface EuropeanWords extends ReadingWords {
  grammar: Vocabulary;
}
