import type { z } from 'zod';

/**
 * A button's value may have 2,000 UTF-16 units
 * (https://docs.slack.dev/reference/block-kit/block-elements/button-element#fields). The state is encrypted and encoded
 * in base64, which makes it a third longer, and the seal adds the person it belongs to.
 */
const MAX_STATE_BYTES = 1_300;

/**
 * Encodes the state of a button: ids and text, which the handler checks again when the button is pressed. Undefined if
 * the state is too long for a button.
 */
export function encodeButtonState(state: object): string | undefined {
  const value = JSON.stringify(state);
  return Buffer.byteLength(JSON.stringify(value)) <= MAX_STATE_BYTES ? value : undefined;
}

/** Whether a button's value is an encoded state, not the id of a row. */
export function isButtonState(value: string): boolean {
  return value.startsWith('{');
}

/** Undefined if the value is missing or doesn't match the schema. */
export function decodeButtonState<State>(
  schema: z.ZodType<State>,
  value: string | undefined,
): State | undefined {
  if (value === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}
