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
