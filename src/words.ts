import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';

const AND_LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const OR_LIST = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Joins words as in a sentence: "Ana, Ben and Mira". */
export const joinWithAnd = (words: readonly string[]): string => AND_LIST.format(words);

/** Joins words of which one counts: "Ana, Ben or Mira". */
export const joinWithOr = (words: readonly string[]): string => OR_LIST.format(words);

const { format: formatNumber } = new Intl.NumberFormat('en-GB');

export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Renders a number with what it counts: "1 post", "5 posts", or "1 post is", "5 posts are". */
export function renderCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`;
}

/** Rows are counted up to this number and one more, because counting reads each of them. */
export const MAX_COUNTED = 1_000;

/** Renders a number that was counted up to `MAX_COUNTED`: "5 posts", "1,000+ posts". */
export function renderCounted(count: number, singular: string, plural = `${singular}s`): string {
  return count > MAX_COUNTED
    ? `${formatNumber(MAX_COUNTED)}+ ${plural}`
    : renderCount(count, singular, plural);
}

const DURATION_UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', 1000],
] as const;

/** Renders a duration in whole seconds: "2 days", "1 hour 30 minutes", "45 seconds". Less than a second is ''. */
export function renderDuration(durationMs: number): string {
  let restMs = durationMs;
  const parts = DURATION_UNITS.flatMap(([unit, unitMs]) => {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    return count === 0 ? [] : [renderCount(count, unit)];
  });
  return parts.join(' ');
}

/** Splits a text into what people see as one character, such as a letter with its accents, a flag or a family. */
export const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Computes the end of the graphemes that fit into `length` UTF-16 units at the start of a text. */
export function findGraphemeEnd(text: string, length: number): number {
  if (text.length <= length) return text.length;
  // Only the start, because the whole text may have 80 kB. The next character, of one or two units, may join the last.
  return graphemes.segment(text.slice(0, length + 2)).containing(length)?.index ?? 0;
}

/** Cuts the text to `limit` UTF-16 units, including the ellipsis. Never splits a grapheme. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, findGraphemeEnd(text, limit - 1))}…`;
}
