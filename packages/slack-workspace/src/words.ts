/** The words of a list that is written as text. */
export const listWords = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

export const makeWordSet = (text: string): ReadonlySet<string> => new Set(listWords(text));
