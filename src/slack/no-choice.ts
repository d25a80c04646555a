import type { PlainTextOption } from '@slack/types';
import { option } from './blocks.ts';

/** The value of an option that only shows a text. Choosing it counts as no choice. */
export const NO_CHOICE = '-';

/** Builds the options of a menu without choices: a single option, whose text says why there are none. */
export function buildNoChoiceOptions(text: string): PlainTextOption[] {
  return [option(text, NO_CHOICE)];
}
