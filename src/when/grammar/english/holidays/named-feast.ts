import { DateTime } from 'luxon';

/** "First day of hanukkah", "next diwali", "passover 2027": the name is group `name`, a year group `year`. */
export function feastPattern(names: readonly string[]): string {
  return `(?:(?:the\\s)?(?:first\\sday|start|beginning)\\sof\\s)?(?:(?:the|next|this)\\s)?(?<name>${names.join('|')})(?:\\sday)?(?:,?\\s(?:of\\s|in\\s)?(?<year>20\\d\\d)(?!\\s?h(?:rs?|ours?)?\\b))?`;
}

/** The first such day to come, today included, or the one of a year that was named; undefined where there is none. */
export function feastFrom(
  today: DateTime,
  year: string | undefined,
  firstFrom: (from: DateTime) => DateTime | undefined,
): DateTime | undefined {
  const date = firstFrom(year === undefined ? today : DateTime.utc(Number(year), 1, 1));
  return year === undefined || date?.year === Number(year) ? date : undefined;
}
