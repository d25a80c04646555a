/** How far a typo may be from what was meant: one letter in three, at most two; shorter words mean anything. */
const FARTHEST = 2;
const SHORTEST = 3;
/** Longer than any name of ours: not worth comparing. */
const LONGEST = 40;

/** The name nearest to what was typed, or undefined when none is near. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  if (typed.length === 0 || typed.length > LONGEST) return undefined;
  let best: string | undefined;
  let least = (typed.length < SHORTEST ? 0 : Math.min(FARTHEST, Math.ceil(typed.length / 3))) + 1;
  for (const name of names) {
    const steps = distance(typed, name);
    if (steps < least) [best, least] = [name, steps];
  }
  return best;
}

/** Letters to put in, take out, change, or swap with their neighbour. */
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
