const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts the text to `limit` UTF-16 units, ellipsis included. Never splits a grapheme. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - 1;
  let end = 0;
  // Segment only the part that can fit: the whole text may have 100 kB.
  for (const { index, segment } of graphemes.segment(text.slice(0, limit + 1))) {
    const next = index + segment.length;
    if (next > room) break;
    end = next;
  }
  return `${text.slice(0, end)}…`;
}
