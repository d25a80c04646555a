import type { z } from 'zod';

/**
 * Bytes. A button holds 2,000 UTF-16 units (https://docs.slack.dev/reference/block-kit/block-elements/button-element#fields),
 * and what it carries is sealed, in base64: four thirds, and some for whose it is.
 */
const LONGEST_VALUE = 1_300;

/**
 * What a button tells of itself when it is pressed: ids and words that are checked again then. Undefined where that
 * is more than a button carries.
 */
export function encodeButtonState(state: object): string | undefined {
  const value = JSON.stringify(state);
  return Buffer.byteLength(JSON.stringify(value)) <= LONGEST_VALUE ? value : undefined;
}

/** Whether a button's value is a state, and not an id of something that is kept. */
export function isButtonState(value: string): boolean {
  return value.startsWith('{');
}

/** Reads it back; undefined where it is none of ours. */
export function decodeButtonState<State>(schema: z.ZodType<State>, value: string | undefined): State | undefined {
  if (value === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}
