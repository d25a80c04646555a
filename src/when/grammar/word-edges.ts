/**
 * A letter or figure of any script: all characters but the blanks and marks of ASCII and Latin-1. V8 compiles a pattern
 * with this negated class in 0.05 ms, and one with \p{L} that ignores case in 1 ms.
 */
const LETTER = '[^\\0-/:-@[-`{-\\u00bf]';

export const WORD_START = `(?<!${LETTER})`;
const WORD_END = `(?!${LETTER})`;

/** Two characters of the same word. */
export const INSIDE_WORD = new RegExp(`^${LETTER}{2}$`);

/** Matches the pattern as whole words in any case. */
export function wholeWords(pattern: string): RegExp {
  return new RegExp(`${WORD_START}(?:${pattern})${WORD_END}`, pattern.includes('\\p{') ? 'iu' : 'i');
}

/**
 * All matches of a global pattern. `matchAll` would copy the pattern for each text, and V8 interprets a new copy of a
 * long one, which takes ten times as long.
 */
export function allMatches(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  const matches: RegExpExecArray[] = [];
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) matches.push(match);
  return matches;
}
