/** Maximum number of edits in a typo. A word of three letters may have only one edit. */
const MAX_DISTANCE = 2;
/** Shorter words must match exactly. */
const MIN_TYPO_LENGTH = 3;
/** A longer word isn't a typo of any name, so it isn't compared. */
const MAX_TYPED_LENGTH = 40;

/** Finds the first name with the smallest edit distance from the typed word, if that is close enough. */
export function findNearest(typed: string, names: readonly string[]): string | undefined {
  if (typed.length === 0 || typed.length > MAX_TYPED_LENGTH) return undefined;
  let nearest: string | undefined;
  const maxDistance =
    typed.length < MIN_TYPO_LENGTH ? 0 : Math.min(MAX_DISTANCE, Math.ceil(typed.length / 3));
  let leastEdits = maxDistance + 1;
  for (const name of names) {
    const edits = computeDistance(typed, name);
    if (edits < leastEdits) [nearest, leastEdits] = [name, edits];
  }
  return nearest;
}

/** Computes the Damerau-Levenshtein distance (optimal alignment): insertions, deletions, changes, transpositions. */
function computeDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    const getCell = (rowIndex: number, column: number) => rows[rowIndex]?.[column] ?? 0;
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      let edits = Math.min(
        getCell(i - 1, j) + 1,
        (row[j - 1] ?? 0) + 1,
        getCell(i - 1, j - 1) + (isSame ? 0 : 1),
      );
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (isSwapped) edits = Math.min(edits, getCell(i - 2, j - 2) + 1);
      row[j] = edits;
    }
    rows.push(row);
  }
  return rows[from.length]?.[to.length] ?? 0;
}
