import { z } from 'zod';
import type { Call } from '../../app/call.ts';
import { openSealed, storeSealed } from '../../forms/sealed-store.ts';

const KIND = 'typed-line.2';

/** Stores what somebody typed, which may be the text of a post, for the button that does it; its opaque id. */
export function keepLine(call: Call, line: string): Promise<string> {
  return storeSealed(call, KIND, line.toWellFormed());
}

/** Only for the person who typed it; undefined for everybody else, and when it is no longer stored. */
export function keptLine(call: Call, id: string): Promise<string | undefined> {
  return openSealed(call, KIND, z.string(), id);
}
