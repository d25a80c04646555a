import type { ParsedComponents, Parser, ParsingComponents, ParsingContext } from 'chrono-node';
import { DateTime } from 'luxon';
import { INSIDE_WORD, wholeWords } from './word-edges.ts';

/** Parts of a day that people name, with the hour that stands for each when no other is said. */
export const PARTS_OF_DAY = {
  'early-morning': 6,
  breakfast: 8,
  morning: 9,
  'mid-morning': 10,
  'late-morning': 11,
  midday: 12,
  'early-afternoon': 13,
  afternoon: 15,
  'mid-afternoon': 15,
  'late-afternoon': 17,
  'early-evening': 17,
  evening: 18,
  dinner: 18,
  'late-evening': 21,
  night: 21,
  'late-night': 23,
} as const;

export type PartOfDay = keyof typeof PARTS_OF_DAY;

/**
 * What words say beyond figures, carried through chrono as tags:
 *
 *   which/…        the weekday's week: this one to come, the next, the one after, by calendar week
 *   today          the day is today, by name
 *   either-order   day and month could be the other way round
 *   or/…           other dates that are meant as well (2027-12-25,2028-12-25)
 *   or-after/…     a duration from now (ISO 8601) that is meant as well
 *   stretch        a whole week, month … of which the day is not said
 *   beside/…       the weekday before or after the day that follows: beside/1-2 is the second Monday before it,
 *                  beside/1=1 the Monday of its week, beside/w+2 the second working day after it
 *   spoken-hour    1 to 12 as spoken: morning or afternoon is open, and asked
 *   clock-hour     1 to 12 as clocks show it: taken as it is, unless a part of the day says afternoon
 *   loose-hour     a number that is an hour only beside a day
 *   same-time      the time of the day that it is now
 *   past-hour/…    that many minutes past the hour to come
 *   midnight       00:00 that may begin or end its day
 *   part/…         a part of the day
 *   early, late    its beginning or its end, or the day's
 *   after/…        a duration from now (ISO 8601)
 *   plus/…         a duration after what follows (ISO 8601)
 */
export type Mark =
  | `which/${'this' | 'next' | 'after-next' | 'this-week' | 'next-week' | 'week-after-next'}`
  | 'today'
  | 'either-order'
  | `or/${string}`
  | `or-after/${string}`
  | 'stretch'
  | `beside/${number | 'w'}${'+' | '-' | '='}${number}`
  | 'spoken-hour'
  | 'clock-hour'
  | 'loose-hour'
  | 'same-time'
  | `past-hour/${number}`
  | 'midnight'
  | `part/${PartOfDay}`
  | 'early'
  | 'late'
  | `after/${string}`
  | `plus/${string}`;

export function has(components: ParsedComponents, mark: Mark): boolean {
  return components.tags().has(mark);
}

/** What follows the prefix in the mark of that kind: "P3D" of "after/P3D". */
export function markValue(
  components: ParsedComponents,
  kind: 'which' | 'part' | 'after' | 'plus' | 'or' | 'or-after' | 'past-hour' | 'beside',
): string | undefined {
  for (const tag of components.tags()) {
    if (tag.startsWith(`${kind}/`)) return tag.slice(kind.length + 1);
  }
  return undefined;
}

/** What a rule reads out of its words. Hours and minutes as a 24-hour clock unless marked as spoken. */
export interface Said {
  year?: number;
  month?: number;
  day?: number;
  weekday?: number;
  hour?: number;
  minute?: number;
  marks?: readonly Mark[];
}

type Groups = Readonly<Record<string, string | undefined>>;

/**
 * A chrono parser of one idea. The pattern begins and ends at a word's edge, knows no capitals, and hands over
 * its named groups in small letters; `today` is a midnight in UTC, so that the computer's own zone has
 * no part in it. `read` answers undefined where the words only look like this idea.
 */
export function rule(
  name: string,
  pattern: string,
  read: (groups: Groups, today: DateTime) => Said | undefined,
): Parser {
  const regex = wholeWords(pattern);
  return {
    pattern: () => regex,
    extract: (context, match) => {
      if (beginsInsideWord(context.text, match.index ?? 0)) return null;
      const said = read(inSmallLetters(match.groups ?? {}), wallClockOf(context));
      return said === undefined ? null : components(context, said).addTag(`rule/${name}`);
    },
  };
}

/** Chrono goes on with the text cut after what a rule has refused, where the edge of a word cannot be told. */
function beginsInsideWord(text: string, index: number): boolean {
  return INSIDE_WORD.test(text.slice(Math.max(0, index - 1), index + 1));
}

/** The midnight of the day that the text is read on. */
export function wallClockOf(context: ParsingContext): DateTime {
  return DateTime.fromJSDate(context.reference.instant, { zone: 'utc' });
}

function components(context: ParsingContext, { marks = [], ...known }: Said): ParsingComponents {
  return context.createParsingComponents(known).addTags([...marks]);
}

function inSmallLetters(groups: Groups): Groups {
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, text?.toLowerCase()]));
}
