import type { Meanings } from '../../grammar/european/word-list.ts';

/** A stretch of the calendar, counted from the current one: next week is one week ahead. */
export interface Period {
  unit: 'week' | 'weekend' | 'month' | 'quarter' | 'year';
  ahead: number;
  /** Only from now to its end. */
  isRest?: boolean;
}

export type CountedUnit = 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years';

/**
 * A language's words for lists, ranges and recurrences. Strings are patterns for text without accents. In templates, #
 * is a number and § a unit.
 */
export interface ReadingWords {
  /** From Sunday, and from January. */
  weekdays: readonly string[];
  months: readonly string[];
  numbers: Meanings<number>;
  units: Meanings<CountedUnit>;
  /** Whether there are no spaces between words. */
  isGlued?: boolean;
  /** Words without meaning before a stretch of time, and after it. */
  fillers: string;
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
    /** Templates such as "every # §". Without a number, every other one. */
    intervals: readonly string[];
    fixedIntervals: Meanings<{ unit: CountedUnit; interval: number }>;
    /** "First" to "fourth", and "last". */
    ordinals: readonly [string, string, string, string, string];
    /** Words before the day of a month. */
    onDate: string;
    /** "of" and "the month". */
    ofMonth: readonly [string, string];
    /** "day" of "the last day of the month". */
    day: string;
    /** Templates such as "# times" and "for # §". */
    count: readonly string[];
    lasting: readonly string[];
    /** Repetitions that a recurrence can't express. */
    unsupported: string;
  };
  stretches: {
    periods: Meanings<Period>;
    next: readonly string[];
    last: readonly string[];
    ago: readonly string[];
    pastDays: Meanings<number>;
    /** Templates for "last friday" and "last november", in which § is a weekday or month. */
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
    /** Words after a start: "from monday on", and without "from", "monday onwards". */
    onwards: string;
    onwardsAlone: string;
    since: string;
    until: string;
    before: string;
    after: string;
  };
  /** Phrases that are always understood. */
  examples: { moments: readonly string[]; ranges: readonly string[]; recurrences: readonly string[] };
}
