import type { Feast } from '../feasts.ts';
import type { PartOfDay } from '../piece.ts';
import type { Meanings } from './word-list.ts';

/** A day by name: so many days ahead, and perhaps with a part of the day ("stasera"). */
export interface NamedDay {
  ahead: number;
  part?: PartOfDay;
}

/**
 * All that the common rules need to know of a language. Strings are patterns written as the language is: accents
 * are optional to the reader, and a blank matches a hyphen too.
 */
export interface Vocabulary {
  /** From Sunday, and from January. */
  weekdays: readonly string[];
  months: readonly string[];
  /** Numbers in words to 59, and the days of a month as ordinals. */
  numbers: Meanings<number>;
  ordinals: Meanings<number>;
  /** What follows the figures of an ordinal: "er" of "1er". */
  ordinalEnding: string;

  days: Meanings<NamedDay>;
  /** Days of the year with a name. */
  feasts: Meanings<Feast>;
  /** What stands before a weekday or after it: "nächsten", "prochain", "übernächsten". */
  weekdayBefore: Meanings<'this' | 'next' | 'after-next'>;
  weekdayAfter: Meanings<'this' | 'next'>;
  /** The week of a weekday: "nächste Woche". */
  weeks: Meanings<'this-week' | 'next-week' | 'week-after-next'>;
  /** "lundi en huit": what more is counted from the weekday. */
  weekdayPlus?: Meanings<string>;
  /** What may stand before a date: "am", "el día". It makes a number a day of the month. */
  dayMarker: string;
  /** Between day and month, and between month and year: "de". */
  of: string;
  /** "of next month", "of this month", after a day of the month; their value is the number of months ahead. */
  ofMonths: Meanings<number>;
  /** The end of a month or year, and how many ahead. */
  ends: Meanings<{ unit: 'month' | 'year'; ahead: number }>;
  /** Between the figures of a day and of a month: "17 del 11". */
  ofMonthFigure?: string;
  /** Whether an ordinal names a month too: "am siebten vierten". */
  ordinalMonths?: boolean;
  /** "Tag", where it stands between an ordinal and its month. */
  dayNoun: string;
  /** "ultimo", "letzter": the last of a weekday in a month. */
  last: string;
  /** Whether a number after a weekday can be an hour too: "freitag 9". */
  hourAfterWeekday: boolean;
  /** Whether two figures with a dash are a date: "15-2". */
  dashedDates: boolean;

  parts: Meanings<PartOfDay>;
  /** Parts of this day: "ce soir", "vanavond". */
  partsOfToday: Meanings<PartOfDay>;
  /** Parts that only a weekday before them makes parts: "Montag morgen", "Montagabend". */
  partsOfWeekday?: Meanings<PartOfDay>;

  /** Whether " am" apart from its hour is the morning, and no word of the language. */
  spacedAm: boolean;
  /** Before an hour: "um", "a las". */
  at: string;
  /** After an hour: "Uhr", "heures". */
  hourUnit: string;
  /** Between the figures of hours and minutes, besides a colon: "h". */
  hourLetter: string;
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
  /** Before a duration, after it, and after it where what it is counted from follows. */
  durationBefore: string;
  durationAfter: string;
  durationFrom: string;

  /** Words that say nothing of when, each once: two that differ in accents only would take exponential time. */
  fillers: string;
  now: string;
  /** What is no single moment to come: over, repeated, a stretch, a choice. */
  over: string;
  repeats: string;
  range: string;
  stretch: string;
  choice: string;
  /** Days that people count in two ways: "quinze jours" are two weeks. */
  idiom: string;
  /** A pair that is a range only around two points: ["von", "bis"]. */
  fromTo: readonly [string, string];
  examples: readonly [string, string, string];
  /**
   * Words for days and their parts that a slip can mean, besides weekdays and months; and words of the language,
   * and names, that lie one letter off any of them. Both parted by blanks.
   */
  typos: { dayWords: string; wordsThemselves: string };
}
