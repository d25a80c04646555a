import { z } from 'zod';
import { type Encryption, keyIdOf } from '../access/access.ts';
import type { Actor } from '../slack/actor.ts';
import { isButtonState } from '../slack/carried.ts';

/** A list that was shown longer ago begins anew. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Short names: a button carries 2,000 characters, and a third of them goes to the sealing. */
const sealed = z.object({ u: z.string(), t: z.number(), v: z.string() });

/** What a button tells of its list: sealed for the person to whom it was shown, in their workspace, for a week. */
interface SealedState {
  /** Ids of our own rows stay as they are: what they mean, and for whom, is in the row. */
  seal(value: string, who: Actor, now: Date): string;
  /** Undefined where it is another's, too old, or was not made here. */
  open(value: string, who: Actor, now: Date): string | undefined;
}

export function createSealedState(encryption: Encryption): SealedState {
  return {
    seal(value, { workspace, user }, now) {
      if (!isButtonState(value)) return value;
      return encryption.seal(JSON.stringify({ u: user, t: now.getTime(), v: value }), workspace);
    },
    open(value, { workspace, user }, now) {
      if (isButtonState(value)) return undefined;
      if (keyIdOf(value) === undefined) return value;
      try {
        const { data } = sealed.safeParse(JSON.parse(encryption.open(value, workspace)));
        const isOld = data && now.getTime() - data.t > KEPT_MS;
        return data?.u === user && !isOld ? data.v : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
