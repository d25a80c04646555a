import { type NotUnderstood, notUnderstood } from '../moment.ts';

/** Words that show that a text isn't one time in the future, each with the reason for people. */
export type Refusals = readonly (readonly [words: RegExp, reason: string])[];

/** The refusal for the first of the words that the text has. */
export function findRefusal(refusals: Refusals, text: string): NotUnderstood | undefined {
  for (const [words, reason] of refusals) {
    const found = words.exec(text);
    if (found !== null) return notUnderstood(found[0], reason);
  }
  return undefined;
}
