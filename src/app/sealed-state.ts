import { z } from 'zod';
import { type Encryption, parseKeyId } from '../access/access.ts';
import type { Actor } from '../slack/actor.ts';
import { isButtonState } from '../slack/button-state.ts';

/** How long the state of a button is valid. After that its list starts again from the first page. */
const VALID_MS = 7 * 24 * 60 * 60 * 1000;

/** Short names, because a button's value has at most 2,000 characters and sealing takes a third of them. */
const sealed = z.object({ u: z.string(), t: z.number(), v: z.string() });

/** The state of a list in its buttons. It is sealed for one person in one workspace, and valid for a week. */
interface SealedState {
  /** Returns ids of rows unchanged, because the row itself says who may use it. */
  seal(value: string, actor: Actor, now: Date): string;
  /** Undefined if it was sealed for somebody else, has expired, or is forged. */
  open(value: string, actor: Actor, now: Date): string | undefined;
}

export function createSealedState(encryption: Encryption): SealedState {
  return {
    seal(value, { workspace, user }, now) {
      if (!isButtonState(value)) return value;
      return encryption.seal(JSON.stringify({ u: user, t: now.getTime(), v: value }), workspace);
    },
    open(value, { workspace, user }, now) {
      if (isButtonState(value)) return undefined;
      if (parseKeyId(value) === undefined) return value;
      try {
        const { data } = sealed.safeParse(JSON.parse(encryption.open(value, workspace)));
        const isExpired = data && now.getTime() - data.t > VALID_MS;
        return data?.u === user && !isExpired ? data.v : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
