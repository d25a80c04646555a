import { tame } from '../../slack/escape.ts';

/** On one line, with single blanks. */
export function tidied(words: string): string {
  return tame(words).replace(/\s+/g, ' ').trim();
}
