/** Largest edit distance of a typo: one letter in three, at most two. Shorter words must match exactly. */
const MAX_DISTANCE = 2;
const MIN_TYPO_LENGTH = 3;
/** Longer than any name, so not worth comparing. */
const MAX_TYPED_LENGTH = 40;

/** The name nearest to the typed word. Undefined if none is near enough. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  if (typed.length === 0 || typed.length > MAX_TYPED_LENGTH) return undefined;
  let best: string | undefined;
  const maxDistance =
    typed.length < MIN_TYPO_LENGTH ? 0 : Math.min(MAX_DISTANCE, Math.ceil(typed.length / 3));
  let least = maxDistance + 1;
  for (const name of names) {
    const edits = distance(typed, name);
    if (edits < least) [best, least] = [name, edits];
  }
  return best;
}

/** Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, changes, swapped neighbours. */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    const at = (r: number, column: number) => rows[r]?.[column] ?? 0;
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let steps = Math.min(at(i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(i - 1, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) steps = Math.min(steps, at(i - 2, j - 2) + 1);
      row[j] = steps;
    }
    rows.push(row);
  }
  return rows[from.length]?.[to.length] ?? 0;
}
