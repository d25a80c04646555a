const AND_LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const OR_LIST = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Joins words as in a sentence: "Ana, Ben and Mira". */
export const joinWithAnd = (words: readonly string[]): string => AND_LIST.format(words);

/** Joins words of which one counts: "Ana, Ben or Mira". */
export const joinWithOr = (words: readonly string[]): string => OR_LIST.format(words);
