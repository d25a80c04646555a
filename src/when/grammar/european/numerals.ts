import type { Meanings } from './word-list.ts';

/** Numbers to 59: the words to where the language begins to compound, its tens, and how both make one word. */
export function numerals({
  small,
  tens,
  compound,
}: {
  small: readonly string[];
  tens: Readonly<Record<number, string>>;
  compound: (ten: string, unit: string, value: number) => string;
}): Meanings<number> {
  const numbers = new Map<number, string>(small.map((word, value) => [value, word] as const));
  for (const [figure, ten] of Object.entries(tens)) {
    const value = Number(figure);
    if (!numbers.has(value)) numbers.set(value, ten);
    for (let unit = 1; unit <= 9; unit += 1) {
      if (!numbers.has(value + unit))
        numbers.set(value + unit, compound(ten, small[unit] ?? '', value + unit));
    }
  }
  return [...numbers].map(([value, word]) => [word, value] as const);
}
