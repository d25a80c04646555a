/** Splits a text into what people see as one character, such as a letter with its accents, a flag or a family. */
export const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Computes the end of the graphemes that fit into `length` UTF-16 units at the start of a text. */
export function findGraphemeEnd(text: string, length: number): number {
  if (text.length <= length) return text.length;
  // Only the start, because the whole text may have 80 kB. The next character, of one or two units, may join the last.
  return graphemes.segment(text.slice(0, length + 2)).containing(length)?.index ?? 0;
}
