import type { Vocabulary } from '../../grammar/european/vocabulary.ts';
import type { Meanings } from '../../grammar/european/word-list.ts';

/** A stretch of the calendar that words can name. */
export type Period = 'week' | 'weekend' | 'month' | 'quarter' | 'year';

export type CountedUnit = Vocabulary['units'][number][1];

/**
 * A language's words for lists, ranges and recurrences. Strings are patterns for text without accents. In templates, #
 * is a number and § a unit.
 */
export interface ReadingWords {
  grammar: Pick<Vocabulary, 'weekdays' | 'months' | 'numbers' | 'units'>;
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
    nouns: Readonly<Record<Period, string>>;
    /** Templates for "this §" and "last §" with a noun, and how many are between it and the current one. */
    ofCalendar: Meanings<number>;
    /** A template for the time from now to the end of a noun: "rest of the §". */
    restOf?: string;
    next: readonly string[];
    last: readonly string[];
    ago: readonly string[];
    /** The day before yesterday, yesterday and today. */
    pastDays: readonly [string, string, string];
    /** Templates for "last friday" and "last november", in which § is a weekday or month. */
    lastNamed: readonly string[];
    /** "q" of "q1". */
    quarterLetter: string;
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
  examples: { moments: readonly string[]; ranges: readonly string[]; recurrences: readonly string[] };
}
