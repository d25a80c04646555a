/** Normalizes a name for comparisons that ignore case, quotes, invisible characters and repeated spaces. */
export function normalizeName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}"'`“”„‘’«»]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
