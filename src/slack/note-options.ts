import type { PlainTextOption } from '@slack/types';
import { option } from './blocks.ts';

/** The value of an option that only shows a note. Choosing it counts as no choice. */
export const NO_CHOICE = '-';

/** Builds a note in a menu: a single option that can't be chosen. Its text says why other options are missing. */
export function buildNoteOptions(text: string): PlainTextOption[] {
  return [option(text, NO_CHOICE)];
}
