import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { Site } from '../site.ts';
import { makeSecret } from './ids.ts';
import type { StoredResponseUrl } from './saved-state.ts';

/** Used and expired triggers are stored for this time, because Slack has other errors for unknown ones. */
const RETENTION_MS = 60_000;

interface Trigger {
  person: string;
  /** Id of the view of the interaction. */
  fromView: string | undefined;
  madeAt: number;
  isUsed: boolean;
}

/** The two errors that Slack returns for an expired trigger_id (node-slack-sdk #1131). */
export type TriggerExpiryError = 'expired_trigger_id' | 'invalid_arguments';

export const EXPIRED_TRIGGER_DETAILS = {
  response_metadata: { messages: ['[ERROR] `trigger_id` expired [json-pointer:/trigger_id]'] },
};

/** The trigger_ids of interactions. Each can be used once, within 3 s. */
export class Triggers {
  readonly #triggers = new Map<string, Trigger>();
  readonly #now: () => number;
  readonly #expiryError: TriggerExpiryError;

  constructor(now: () => number, expiryError: TriggerExpiryError) {
    this.#now = now;
    this.#expiryError = expiryError;
  }

  make(person: string, fromView?: string): string {
    const madeAt = this.#now();
    for (const [id, trigger] of this.#triggers) {
      if (madeAt - trigger.madeAt < RETENTION_MS) break;
      this.#triggers.delete(id);
    }
    const id = `${Math.floor(madeAt / 1000)}.${madeAt % 1000}.${makeSecret(16)}`;
    this.#triggers.set(id, { person, fromView, madeAt, isUsed: false });
    return id;
  }

  /** Whether a trigger_id was made here recently, used or not. */
  isKnown(id: string): boolean {
    return this.#triggers.has(id);
  }

  /** Uses a trigger_id. Throws Slack's errors if it is unknown, used or expired. */
  use(id: string): { person: string; fromView: string | undefined } {
    const trigger = this.#triggers.get(id);
    if (!trigger) throw new Refusal('invalid_trigger_id');
    if (trigger.isUsed) throw new Refusal('exchanged_trigger_id');
    if (this.#now() - trigger.madeAt > SLACK_LIMITS.triggerIdMs.value) {
      throw new Refusal(
        this.#expiryError,
        this.#expiryError === 'invalid_arguments' ? EXPIRED_TRIGGER_DETAILS : {},
      );
    }
    trigger.isUsed = true;
    return trigger;
  }
}

const LIFETIME_MS = SLACK_LIMITS.responseUrlMs.value;

/** Makes a response_url. `ts` is the message of the interaction, which `replace_original` replaces. */
export function makeResponseUrl(site: Site, about: { channel: string; person: string; ts?: string }): string {
  const secret = makeSecret();
  const madeAt = site.now();
  const { responseUrls } = site.state;
  // Oldest first. An expired address is stored for a while, because Slack refuses it differently from an unknown one.
  const firstStored = responseUrls.findIndex((entry) => madeAt - entry.madeAt < 2 * LIFETIME_MS);
  responseUrls.splice(0, firstStored < 0 ? responseUrls.length : firstStored);
  responseUrls.push({ ...about, secret, madeAt, uses: 0 });
  site.touch();
  return `${site.url}/response/${secret}`;
}

/** Counts one use. Refuses a sixth use, a use after 30 minutes, and an unknown address. */
export function useResponseUrl(site: Site, secret: string): StoredResponseUrl {
  const found = site.state.responseUrls.findLast((entry) => entry.secret === secret);
  if (!found) throw new Refusal('invalid_url');
  if (site.now() - found.madeAt > LIFETIME_MS) throw new Refusal('expired_url');
  if (found.uses >= SLACK_LIMITS.responseUrlUses.value) throw new Refusal('used_url');
  found.uses += 1;
  site.touch();
  return found;
}
