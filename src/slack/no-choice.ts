import type { PlainTextOption } from '@slack/types';
import { option } from './blocks.ts';

/** The value of an option that says something and chooses nothing. */
export const NO_CHOICE = '-';

/** Says why there is nothing to choose; choosing it chooses nothing. */
export function noChoice(words: string): PlainTextOption[] {
  return [option(words, NO_CHOICE)];
}
