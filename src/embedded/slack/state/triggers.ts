import { Refusal } from '../refusal.ts';
import { makeSecret } from './ids.ts';

/** A trigger_id opens one view within this time (docs.slack.dev, "Opening modals"). */
const LIFETIME_MS = 3_000;
/** Used and expired ones are remembered this long, to be told apart from invented ones. */
const REMEMBERED_MS = 60_000;

interface Trigger {
  person: string;
  /** The view that the interaction came from. */
  fromView: string | undefined;
  madeAt: number;
  used: boolean;
}

/** Made → used once → refused as exchanged; made → 3 s later refused as expired. */
export class Triggers {
  readonly #triggers = new Map<string, Trigger>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  make(person: string, fromView?: string): string {
    const madeAt = this.#now();
    for (const [id, trigger] of this.#triggers) {
      if (madeAt - trigger.madeAt < REMEMBERED_MS) break;
      this.#triggers.delete(id);
    }
    const id = `${Math.floor(madeAt / 1000)}.${madeAt % 1000}.${makeSecret(16)}`;
    this.#triggers.set(id, { person, fromView, madeAt, used: false });
    return id;
  }

  /** Uses it up; refuses with Slack's own error strings. */
  use(id: string): { person: string; fromView: string | undefined } {
    const trigger = this.#triggers.get(id);
    if (!trigger) throw new Refusal('invalid_trigger_id');
    if (trigger.used) throw new Refusal('exchanged_trigger_id');
    if (this.#now() - trigger.madeAt > LIFETIME_MS) throw new Refusal('expired_trigger_id');
    trigger.used = true;
    return trigger;
  }
}
