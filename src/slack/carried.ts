import type { z } from 'zod';

/** Of a button (https://docs.slack.dev/reference/block-kit/block-elements/button-element#fields), in UTF-16 units. */
const LONGEST_VALUE = 2_000;

/**
 * What a button tells of itself when it is pressed: ids and words that are checked again then. Undefined where that
 * is more than a button carries.
 */
export function carried(state: object): string | undefined {
  const value = JSON.stringify(state);
  return value.length <= LONGEST_VALUE ? value : undefined;
}

/** Reads it back; undefined where it is none of ours. */
export function readCarried<State>(schema: z.ZodType<State>, value: string | undefined): State | undefined {
  if (value === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}
