import type { Json } from '../json.ts';
import type { RequestRecord } from '../protocol.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { Audience } from '../state/audience.ts';
import { makeSecret } from '../state/ids.ts';
import type { Delivery, Parcel, WireAnswer } from './delivery.ts';

/** What the inspector can look back at. */
const RECORDS_KEPT = 100;
/** Of the name and the arguments of an unknown method. */
const MAX_LABEL_LENGTH = 100;
const MAX_ARGUMENTS_LENGTH = 16 * 1024;

export type Answer = WireAnswer | { kind: 'late' };

/** Carries things to the app, times their acknowledgement and keeps a record of each for the inspector. */
export class Courier {
  readonly records: RequestRecord[] = [];
  readonly #delivery: Delivery;
  readonly #audience: Audience;
  readonly #now: () => number;
  readonly #present: () => boolean;

  /** `present`: the app is installed in this workspace. */
  constructor(delivery: Delivery, audience: Audience, now: () => number, present: () => boolean) {
    this.#delivery = delivery;
    this.#audience = audience;
    this.#now = now;
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

  /** Shows a call of a method that this workspace doesn't have. */
  recordUnknownMethod(method: string, args: Json): void {
    const label = method.slice(0, MAX_LABEL_LENGTH);
    const payload = JSON.stringify(args).length > MAX_ARGUMENTS_LENGTH ? {} : args;
    this.#record({ kind: 'Web API', label, payload, outcome: 'failed', reason: 'unknown_method' });
  }

  /** Answers after three seconds at the latest. `kind` and `label` are for the inspector. */
  async deliver(about: { kind: string; label: string }, parcel: Parcel): Promise<Answer> {
    // Of what happens in a workspace that it is no longer in, an app hears by events alone.
    if (parcel.type !== 'events_api' && !this.#present()) return { kind: 'not-connected' };
    const record = this.#record({ ...about, payload: parcel.payload, outcome: 'waiting' });
    const sentAt = performance.now();
    let late = false;
    const sent = this.#delivery.send(parcel).then((answer) => {
      if (answer.kind === 'acknowledged') {
        record.ackMs = Math.round((performance.now() - sentAt) * 10) / 10;
        record.ackPayload = answer.payload;
      } else record.reason = answer.kind === 'refused' ? answer.reason : 'the app is not connected';
      record.outcome = answer.kind !== 'acknowledged' ? 'failed' : late ? 'late' : 'acknowledged';
      this.#audience.tellAll({ type: 'request', request: { ...record } });
      return answer;
    });
    const deadline = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => {
      late = true;
      record.outcome = 'late';
      this.#audience.tellAll({ type: 'request', request: { ...record } });
      deadline.resolve({ kind: 'late' });
    }, SLACK_LIMITS.acknowledgeMs.is);
    // Nothing else may be kept alive by a wait that only tells a person of an error.
    timer.unref();
    const answer = await Promise.race([sent, deadline.promise]);
    clearTimeout(timer);
    return answer;
  }

  #record(about: Omit<RequestRecord, 'id' | 'at'>): RequestRecord {
    const record: RequestRecord = { id: makeSecret(6), at: this.#now(), ...about };
    this.records.push(record);
    if (this.records.length > RECORDS_KEPT) this.records.shift();
    this.#audience.tellAll({ type: 'request', request: { ...record } });
    return record;
  }
}
