import type { PlainTextOption } from '@slack/types';
import { option } from './blocks.ts';

/** The value of an option that only shows a text and counts as no choice. */
export const NO_CHOICE = '-';

/** Options for a menu with nothing to choose: a single one that says why. */
export function noChoice(words: string): PlainTextOption[] {
  return [option(words, NO_CHOICE)];
}
