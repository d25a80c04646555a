import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { makeSecret } from './ids.ts';

/** Used and expired ones are remembered this long, to be told apart from invented ones. */
const RETENTION_MS = 60_000;

interface Trigger {
  person: string;
  /** The view that the interaction came from. */
  fromView: string | undefined;
  madeAt: number;
  used: boolean;
}

/** How Slack says that a trigger_id is too old: by an error of its own, or among the arguments (node-slack-sdk #1131). */
export type TriggerExpiryError = 'expired_trigger_id' | 'invalid_arguments';

/** What stands beside `invalid_arguments` where that is how a trigger is said to have expired. */
export const EXPIRED_TRIGGER_DETAILS = {
  response_metadata: { messages: ['[ERROR] `trigger_id` expired [json-pointer:/trigger_id]'] },
};

/** Made → used once → refused as exchanged; made → 3 s later refused as expired. */
export class Triggers {
  readonly #triggers = new Map<string, Trigger>();
  readonly #now: () => number;
  readonly #expiry: TriggerExpiryError;

  constructor(now: () => number, expiry: TriggerExpiryError) {
    this.#now = now;
    this.#expiry = expiry;
  }

  make(person: string, fromView?: string): string {
    const madeAt = this.#now();
    for (const [id, trigger] of this.#triggers) {
      if (madeAt - trigger.madeAt < RETENTION_MS) break;
      this.#triggers.delete(id);
    }
    const id = `${Math.floor(madeAt / 1000)}.${madeAt % 1000}.${makeSecret(16)}`;
    this.#triggers.set(id, { person, fromView, madeAt, used: false });
    return id;
  }

  /** It was given out here, and not long ago. */
  isKnown(id: string): boolean {
    return this.#triggers.has(id);
  }

  /** Uses it up; refuses with Slack's own error strings. */
  use(id: string): { person: string; fromView: string | undefined } {
    const trigger = this.#triggers.get(id);
    if (!trigger) throw new Refusal('invalid_trigger_id');
    if (trigger.used) throw new Refusal('exchanged_trigger_id');
    if (this.#now() - trigger.madeAt > SLACK_LIMITS.triggerIdMs.value) {
      throw new Refusal(this.#expiry, this.#expiry === 'invalid_arguments' ? EXPIRED_TRIGGER_DETAILS : {});
    }
    trigger.used = true;
    return trigger;
  }
}
