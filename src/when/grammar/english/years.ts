import type { DateTime } from 'luxon';
import { NUMBER_WORD, numberOf } from './numbers.ts';

/** "two thousand twenty seven", "two thousand and thirty", "twenty twenty-six": the years of this century as spoken. */
const SPOKEN = `(?<spoken>(?:two\\sthousand(?:\\sand)?|twenty)[\\s-](?:(?:twenty|thirty|forty)(?:[\\s-](?:one|two|three|four|five|six|seven|eight|nine))?|(?:thir|four|fif|six|seven|eigh|nine)teen))`;

const FIGURES =
  "(?:(?<=[a-z]\\.?)(?=\\d)|\\s?,\\s?|\\s|-|/|\\s(?:of|in)\\s(?:the\\syear\\s)?)(?<year>\\d{4}(?!\\s?h(?:rs?|ours?)?\\b|:))|,?\\s'(?<short>\\d\\d)";
/** Two figures alone that are no hour: "5 jan 27"; not those of the day after, as in "dec 28 29". */
const ALONE =
  "\\s(?<alone>2[5-9]|[3-5]\\d)(?![\\d:./-]|,\\d|\\s?(?:[ap]\\.?m|h|min|sec|day|week|month|year|o'?\\s?clock))";
const BESIDE = `,?\\s(?:of\\s)?(?<which>this|next)\\syear|\\sin\\s(?<ahead>an?|\\d{1,2}|${NUMBER_WORD})\\syears?(?:'?\\stime)?`;

/** A year after a day and month. Two figures only after an apostrophe: "aug 5 16" could as well be an hour. */
export const YEAR = `(?:${FIGURES}|${ALONE}|,?\\s${SPOKEN}|${BESIDE})?`;

/** A year after a month, a quarter or a half: "may 2027", "q1 '27", "september of next year". */
export const YEAR_BESIDE =
  "(?:(?:,?\\s(?:(?:of|in)\\s(?:the\\syear\\s)?)?|[-/])(?<year>20\\d\\d)(?!\\s?h(?:rs?|ours?)?\\b|:)|\\s'(?<short>\\d\\d)|,?\\s(?:of\\s)?(?<which>this|next|the)\\syear)?";

/** The year of the pattern's groups; undefined for none. */
export function yearBeside({ year, short, which }: YearWords, today: DateTime): number | undefined {
  if (year !== undefined || short !== undefined) return fullYear(year ?? short ?? '');
  return which === undefined ? undefined : today.year + (which === 'next' ? 1 : 0);
}

interface YearWords {
  year?: string | undefined;
  short?: string | undefined;
  spoken?: string | undefined;
  which?: string | undefined;
  ahead?: string | undefined;
  alone?: string | undefined;
}

/** The year that the pattern's groups name; undefined for none. */
export function yearOf(
  { year, short, spoken, which, ahead, alone }: YearWords,
  today: DateTime,
): number | undefined {
  if (year !== undefined || short !== undefined) return fullYear(year ?? short ?? '');
  if (alone !== undefined) return fullYear(alone);
  if (spoken !== undefined)
    return 2000 + (numberOf(spoken.replace(/^(?:two\sthousand(?:\sand)?|twenty)[\s-]/, '')) ?? 0);
  if (which !== undefined) return today.year + (which === 'next' ? 1 : 0);
  if (ahead === undefined) return undefined;
  return today.year + (numberOf(ahead) ?? 1);
}

/** Two figures of a year are of this century: posts are for days to come. */
export function fullYear(figures: string): number {
  return figures.length === 2 ? 2000 + Number(figures) : Number(figures);
}
