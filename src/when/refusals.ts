import type { NotUnderstood } from './moment.ts';

/** Phrases that always work, for those whose own did not. */
const EXAMPLES = ['tomorrow 9am', 'fri 14:30', '1 Dec at 10:15 London time'] as const;

export function notUnderstood(words: string, reason: string): NotUnderstood {
  return { kind: 'not-understood', unparsedText: words.trim(), reason, examples: EXAMPLES };
}
