/** A file to drop into a conversation, with these lines. */
export const csv = (lines: readonly string[], name = 'posts.csv') => [
  { name, bytes: new TextEncoder().encode(lines.join('\n')) },
];

/** The rows of a month, below “Time,Platforms,Project,Text”. */
export const MONTH = Array.from(
  { length: 31 },
  (_, index) =>
    `2026-12-${String(index + 1).padStart(2, '0')} 09:00,"LinkedIn, X",Harbour Coffee,Post ${index + 1}`,
);
