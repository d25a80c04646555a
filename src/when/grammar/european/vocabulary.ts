import type { Feast } from '../feasts.ts';
import type { PartOfDay, WeekChoice } from '../piece.ts';
import { LETTER, spelled } from './spelling.ts';
import { inOrder, type Meanings, type WordList, wordList } from './word-list.ts';

/** A day by name: the number of days ahead, and the part of the day if the name says one ("domattina"). */
export interface NamedDay {
  ahead: number;
  part?: PartOfDay;
}

/** Where in a week, month or year a day lies. */
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
  weekdayAfter?: Meanings<'this' | 'coming' | 'next'>;
  /** The week of a weekday: "nächste Woche". */
  weeks: Meanings<WeekChoice>;
  /** Before the number of a week: "KW". */
  calendarWeek?: string;
  /** "lundi en huit": a duration after the weekday. */
  weekdayPlus?: Meanings<string>;
  /** Before a date: "am", "el día". It makes a number a day of the month. */
  dayMarker: string;
  /** Between day and month, and between month and year: "de". */
  of: string;
  /** "next month", "of this month", "next year": the number of months or years ahead. */
  ofMonths: Meanings<number>;
  years?: Meanings<number>;
  /** The end of this month or year. */
  ends: Meanings<'month' | 'year'>;
  /** Before a week, month or year: "Mitte" of "Mitte nächster Woche". */
  edges?: Meanings<Edge>;
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
  /** "Tag", between an ordinal and its month. */
  dayNoun: string;
  /** "ultimo", "letzter": the last of a weekday in a month. */
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
  /** Between the figures of hours and minutes, besides a colon. Defaults to "h". */
  hourLetter?: string;
  noon: string;
  midnight: string;
  /** "huit heures et quart", "nueve menos cuarto". */
  hourFirst?: { past: string; to: string };
  /** "Viertel nach acht", "quinze para as oito". */
  minutesFirst?: { past: string; to: string };
  /** Minutes by name. */
  minutes: Meanings<number>;
  /** "halb neun": minutes before the hour that follows. */
  beforeHour?: Meanings<number>;

  /** Units as luxon calls them. */
  units: Meanings<'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years'>;
  /** Durations with a name (ISO 8601): "mezz'ora". */
  durations: Meanings<string>;
  /** Between two units: "und". After one: "et demie". */
  and: string;
  andHalf: string;
  /** Before a duration, after it, and between it and the day or time from which it counts. */
  durationBefore: string;
  durationAfter: string;
  durationFrom: string;

  /** Words without a meaning for the time. Two that differ only in accents would take exponential time. */
  fillers: string;
  now: string;
  /** Refused: the past, a recurrence, a range, a whole period, a choice. */
  over: string;
  repeats: string;
  range: string;
  stretch: string;
  choice: string;
  /** Two words that make a range only together: ["von", "bis"]. */
  fromTo: readonly [string, string];
  examples: readonly [string, string, string];
  /** Besides weekdays and months, the words that a typo can mean. */
  dayWords: string;
  /** Words and names that are one letter off any of those, but no typos. */
  wordsThemselves: string;
}

/** The compiled words of a vocabulary, shared by all rules of the language. */
export interface Lexicon {
  words: Vocabulary;
  weekdays: WordList<number>;
  months: WordList<number>;
  /** "am", "p.m.". */
  meridiem: string;
  /** Figures or words. */
  number: string;
  numberOf(text: string | undefined): number | undefined;
  /** "1er", "premier". */
  ordinal: string;
  /** The value of an ordinal or number; undefined for neither. */
  dayOf(text: string | undefined): number | undefined;
}

export function lexicon(words: Vocabulary): Lexicon {
  const numbers = wordList(words.numbers);
  const ordinals = wordList(words.ordinals);
  const ending = spelled(words.ordinalEnding);
  const figures = new RegExp(`^(\\d{1,2})(?:\\s?(?:${ending}))?$`, 'i');
  const numberOf = (text: string | undefined): number | undefined =>
    text !== undefined && /^\d+$/.test(text) ? Number(text) : numbers.meaningOf(text);
  return {
    words,
    weekdays: wordList(inOrder(words.weekdays, 0)),
    months: wordList(inOrder(words.months, 1)),
    meridiem: meridiem(words.hasWordAm),
    number: numbers.pattern,
    numberOf,
    ordinal: `(?:\\d{1,2}\\s?(?:${ending})|${ordinals.pattern})`,
    dayOf: (text) => {
      const figure = text === undefined ? undefined : figures.exec(text)?.[1];
      return figure === undefined ? (ordinals.meaningOf(text) ?? numbers.meaningOf(text)) : Number(figure);
    },
  };
}

/** "am", "p.m.", "a. m."; "9 am" with a blank only if "am" is no word of the language. */
function meridiem(hasWordAm = false): string {
  return `(?:(?<=\\d)[ap]m?|\\s?[ap]\\s?\\.\\s?m\\.?|\\s${hasWordAm ? 'p' : '[ap]'}m)(?!${LETTER})`;
}
