import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { TrafficLog } from '../traffic/traffic-log.ts';
import type { Delivery, Parcel, WireAnswer } from './delivery.ts';

export type Answer = WireAnswer | { kind: 'late' };

/** Delivers requests to the app, measures their acknowledgement, and records each for the inspector. */
export class Courier {
  readonly #delivery: Delivery;
  readonly #traffic: TrafficLog;
  readonly #present: () => boolean;

  /** `present`: the app is installed in this workspace. */
  constructor(delivery: Delivery, traffic: TrafficLog, present: () => boolean) {
    this.#delivery = delivery;
    this.#traffic = traffic;
    this.#present = present;
  }

  get wire(): Delivery['wire'] {
    return this.#delivery.wire;
  }

  get connected(): boolean {
    return this.#present() && this.#delivery.connected;
  }

  /** Settles once the app is connected, at the latest after that many ms. */
  ready(withinMs: number): Promise<void> {
    return this.#delivery.ready(withinMs);
  }

  close(): void {
    this.#delivery.close();
  }

  /** Answers after three seconds at the latest. `kind` and `label` are for the inspector. */
  async deliver(about: { kind: string; label: string }, parcel: Parcel): Promise<Answer> {
    // Of what happens in a workspace that it is no longer in, an app hears by events alone.
    if (parcel.type !== 'events_api' && !this.#present()) return { kind: 'not-connected' };
    const record = this.#traffic.begin({ ...about, direction: 'to-app', payload: parcel.payload });
    let late = false;
    const sent = this.#delivery.send(parcel).then((answer) => {
      if (answer.kind === 'acknowledged') {
        record.end({ outcome: late ? 'late' : 'acknowledged', answer: answer.payload });
      } else {
        const reason = answer.kind === 'refused' ? answer.reason : 'the app is not connected';
        record.end({ outcome: 'failed', reason });
      }
      return answer;
    });
    const deadline = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => {
      late = true;
      record.markLate();
      deadline.resolve({ kind: 'late' });
    }, SLACK_LIMITS.acknowledgementMs.value);
    // Nothing else may be kept alive by a wait that only tells a person of an error.
    timer.unref();
    const answer = await Promise.race([sent, deadline.promise]);
    clearTimeout(timer);
    return answer;
  }
}
