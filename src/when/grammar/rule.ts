import type { Parser, ParsingComponents, ParsingContext } from 'chrono-node';
import { DateTime } from 'luxon';
import type { Mark } from './marks.ts';
import { INSIDE_WORD, wholeWords } from './word-edges.ts';

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
