import type { NotUnderstood } from './moment.ts';

/** Slack's field takes more, but no moment needs more words, and long texts cost time. */
export const LONGEST_TEXT = 200;

/** Phrases that always work, for those whose own did not. */
const EXAMPLES = ['tomorrow 9am', 'fri 14:30', '1 Dec at 10:15 London time'] as const;

export function notUnderstood(words: string, reason: string): NotUnderstood {
  return { kind: 'not-understood', words: words.trim(), reason, examples: EXAMPLES };
}
