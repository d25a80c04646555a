/** Normalizes a name for comparison: ignores case, quotes, invisible characters and repeated spaces. */
export function normalizeName(words: string): string {
  return words
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}"'`“”„‘’«»]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
