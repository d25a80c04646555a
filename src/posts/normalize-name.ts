/** Normalizes a name for comparisons that ignore case, quotes, invisible characters and repeated spaces. */
export function normalizeName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}"'`“”„‘’«»]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Whether a text contains all the words, in any order. */
export function containsWords(text: string, words: string): boolean {
  const normalizedText = normalizeName(text);
  return normalizeName(words)
    .split(' ')
    .every((word) => normalizedText.includes(word));
}
