const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The text, or as much of its beginning as fits `limit` UTF-16 units with an ellipsis. Never cuts through a
 * character that people see as one.
 */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - 1;
  let end = 0;
  // Only what can fit is looked at: the rest may be 100 kB.
  for (const { index, segment } of graphemes.segment(text.slice(0, limit + 1))) {
    const next = index + segment.length;
    if (next > room) break;
    end = next;
  }
  return `${text.slice(0, end)}…`;
}
