import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { makeSecret } from './ids.ts';

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

/** The details of the error `invalid_arguments` for an expired trigger_id. */
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
