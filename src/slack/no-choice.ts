import type { PlainTextOption } from '@slack/types';
import { option } from './blocks.ts';

/** The value of an option that only shows a text. Choosing it counts as no choice. */
export const NO_CHOICE = '-';

/** Builds the options of a menu with nothing to choose: a single option whose text says why. */
export function buildNoChoiceOptions(text: string): PlainTextOption[] {
  return [option(text, NO_CHOICE)];
}
