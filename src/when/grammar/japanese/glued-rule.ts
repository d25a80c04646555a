import type { Parser } from 'chrono-node';
import type { DateTime } from 'luxon';
import { type Said, wallClockOf } from '../rule.ts';

/** A chrono parser of one idea, in a language that writes no blanks: only figures have an edge. */
export function gluedRule(
  name: string,
  pattern: string,
  read: (groups: Readonly<Record<string, string | undefined>>, today: DateTime) => Said | undefined,
): Parser {
  const regex = new RegExp(`(?<![\\d〇一二三四五六七八九十])(?:${pattern})`, 'iu');
  return {
    pattern: () => regex,
    extract: (context, match) => {
      const said = read(match.groups ?? {}, wallClockOf(context));
      if (said === undefined) return null;
      const { marks = [], ...known } = said;
      return context.createParsingComponents(known).addTags([...marks, `rule/${name}`]);
    },
  };
}
