/** As people compare names: without case, quotes, invisible characters and doubled blanks. */
export function plainName(words: string): string {
  return words
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}"'`“”„‘’«»]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
