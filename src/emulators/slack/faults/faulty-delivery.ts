import { randomUUID } from 'node:crypto';
import type { Delivery, Parcel, WireAnswer } from '../deliver/delivery.ts';
import type { SlackFaults } from './slack-faults.ts';

/** A way to the app on which things come twice, or are lost. */
export class FaultyDelivery implements Delivery {
  readonly #delivery: Delivery;
  readonly #faults: SlackFaults;
  readonly #now: () => number;
  readonly #waiting = new Set<NodeJS.Timeout>();

  /** `now`: the clock of signatures, ms. */
  constructor(delivery: Delivery, faults: SlackFaults, now: () => number) {
    this.#delivery = delivery;
    this.#faults = faults;
    this.#now = now;
  }

  get wire(): Delivery['wire'] {
    return this.#delivery.wire;
  }

  get connected(): boolean {
    return this.#delivery.connected;
  }

  ready(withinMs: number): Promise<void> {
    return this.#delivery.ready(withinMs);
  }

  send(parcel: Parcel): Promise<WireAnswer> {
    const rule = this.#faults.forParcel(parcel);
    switch (rule?.fault) {
      case undefined:
        return this.#delivery.send(parcel);
      case 'duplicate':
        return this.#twice(rule.identical ? { ...parcel, signedAt: this.#now() } : parcel, rule.afterMs ?? 0);
      case 'delayed':
        return this.#later(rule.afterMs, () => this.#delivery.send(parcel));
      case 'unacknowledged':
        this.#delivery.send(parcel).catch(report);
        return NEVER;
      case 'lost':
        return NEVER;
    }
  }

  close(): void {
    for (const timer of this.#waiting) clearTimeout(timer);
    this.#delivery.close();
  }

  /** Never settles if everything is closed before. */
  #later(ms: number, send: () => Promise<WireAnswer>): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(timer);
        send().then(resolve, reject);
      }, ms);
      this.#waiting.add(timer);
    });
  }

  /** Slack goes by the first answer. */
  #twice(parcel: Parcel, afterMs: number): Promise<WireAnswer> {
    const once = { ...parcel, envelopeId: parcel.envelopeId ?? randomUUID() };
    const first = this.#delivery.send(once);
    const retry = { num: (parcel.retry?.num ?? 0) + 1, reason: 'timeout' };
    const again = parcel.type === 'events_api' ? { ...once, retry } : once;
    this.#later(afterMs, () => this.#delivery.send(again)).catch(report);
    return first;
  }
}

function report(error: unknown): void {
  console.error('A request to the app could not be sent:', error);
}

const NEVER = new Promise<never>(() => undefined);
