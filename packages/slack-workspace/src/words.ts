/** The words of a list that is written as text. */
export const listWords = (text: string): string[] => text.trim().split(/\s+/);

export const words = (text: string): ReadonlySet<string> => new Set(listWords(text));
