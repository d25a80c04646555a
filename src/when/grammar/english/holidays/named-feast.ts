import { DateTime } from 'luxon';

/** What leads to a feast: nothing, a preposition, or a time; "for" only where the text begins with it. */
const BEFORE =
  '(?<=^[\\s(]*(?:for\\s)?|\\b(?:on|next|this|the|before|after|by|of|from)\\s|(?:\\d(?:\\s?[ap]\\.?m\\.?)?|\\b(?:noon|midday|midnight|morning|afternoon|evening|night)),?\\s)';
/** What a feast's time is led in by. What is done then, or a place of that name, is something else. */
const AFTER =
  '(?=[\\s)]*$|\\s?[,;.!?()@-]|\\s(?:at|by|around|about|from|in|on|please|noon|midday|midnight|morning|afternoon|evening|night|half|quarter|\\d))';

/**
 * "First day of hanukkah", "next diwali", "passover 2027", "lunar new year's eve": the name is group `name`, a year
 * group `year` or `which`. Other words around it may make a person or a place of it ("lunch at Pongal House").
 */
export function feastPattern(names: readonly string[]): string {
  return `${BEFORE}(?:(?:the\\s)?(?:first\\sday|start|beginning)\\sof\\s)?(?:(?:the|next|this)\\s)?(?<name>${names.join('|')})(?:(?<eve>(?:'?s)?\\seve)|(?:'?s)?\\sday)?(?:,?\\s(?:of\\s|in\\s)?(?<year>20\\d\\d)(?!\\s?h(?:rs?|ours?)?\\b)|\\s(?<which>this|next)\\syear)?${AFTER}`;
}

interface Asked {
  eve?: string | undefined;
  year?: string | undefined;
  which?: string | undefined;
}

/** The first such day to come, today included, or the one of a year that was named; undefined where there is none. */
export function feastFrom(
  today: DateTime,
  { eve, year, which }: Asked,
  firstFrom: (from: DateTime) => DateTime | undefined,
): DateTime | undefined {
  const before = { days: eve === undefined ? 0 : 1 };
  const named = which === undefined ? year && Number(year) : today.year + (which === 'next' ? 1 : 0);
  if (named === undefined || named === '') return firstFrom(today.plus(before))?.minus(before);
  const first = DateTime.utc(named, 1, 1);
  // A year may have two of one: the next is meant.
  const dates = [today > first ? today : first, first].map((from) => firstFrom(from.plus(before)));
  return dates.find((date) => date?.year === named)?.minus(before);
}
