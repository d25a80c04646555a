import type { Meanings } from '../../grammar/european/word-list.ts';

/** A stretch of the calendar, counted from the one that it is now: the next week is one week ahead. */
export interface Period {
  unit: 'week' | 'weekend' | 'month' | 'quarter' | 'year';
  ahead: number;
  /** From now to its end only. */
  isRest?: boolean;
}

export type CountedUnit = 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years';

/**
 * What lists, ranges and recurrences need to know of a language beyond its moments. Strings are patterns for text
 * without accents, as in a Vocabulary of the grammar. In templates # stands for a number and § for a unit.
 */
export interface ReadingWords {
  /** From Sunday, and from January. */
  weekdays: readonly string[];
  months: readonly string[];
  numbers: Meanings<number>;
  units: Meanings<CountedUnit>;
  /** No blanks between words. */
  isGlued?: boolean;
  /** Words before a stretch of time that say nothing of it. */
  fillers: string;
  /** The same after one. */
  fillersAfter?: string;
  /** Between the last two of a list. */
  and: string;
  repeats: {
    /** Before a weekday, and what may follow it. */
    every: string;
    weekdayEnding: string;
    everyDay: string;
    workdays: string;
    weekends: string;
    /** "every" of "every morning". */
    everyPart: string;
    except: string;
    /** What comes at other times than on days of the week. */
    tooRare: string;
  };
  stretches: {
    periods: Meanings<Period>;
    next: readonly string[];
    last: readonly string[];
    ago: readonly string[];
    pastDays: Meanings<number>;
    /** Templates in which § is a weekday or month: the last one that is over. */
    lastNamed: readonly string[];
    /** "q1", "quarter 1", "first quarter". */
    quarters: { letter: string; noun: string; names: readonly [string, string, string, string] };
    calendarWeek: string;
    weekOf: string;
  };
  edges: {
    from: string;
    to: string;
    between: string;
    /** After a beginning without an end, "from monday on", and where nothing stands before it, "monday onwards". */
    onwards: string;
    onwardsAlone: string;
    since: string;
    until: string;
    before: string;
    after: string;
  };
  /** Phrases that always work. */
  examples: { moments: readonly string[]; ranges: readonly string[]; recurrences: readonly string[] };
}
