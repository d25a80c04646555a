import { randomUUID } from 'node:crypto';
import type { AppRequest, Delivery, DeliveryAnswer } from '../deliver/app-connection.ts';
import { HttpDelivery } from '../deliver/http-delivery.ts';
import { SocketDelivery } from '../deliver/socket-delivery.ts';
import type { WorkspaceOptions } from '../workspace-options.ts';
import { SlackFaults } from './slack-faults.ts';

/** A delivery that duplicates, delays or loses requests to the app, as the fault plan says. */
class FaultyDelivery implements Delivery {
  readonly #delivery: Delivery;
  readonly #faults: SlackFaults;
  readonly #now: () => number;
  readonly #timers = new Set<NodeJS.Timeout>();

  /** `now` is the clock of signatures, in ms. */
  constructor(delivery: Delivery, faults: SlackFaults, now: () => number) {
    this.#delivery = delivery;
    this.#faults = faults;
    this.#now = now;
  }

  get transport(): Delivery['transport'] {
    return this.#delivery.transport;
  }

  get connected(): boolean {
    return this.#delivery.connected;
  }

  ready(withinMs: number): Promise<void> {
    return this.#delivery.ready(withinMs);
  }

  send(request: AppRequest): Promise<DeliveryAnswer> {
    const rule = this.#faults.pickForDelivery(request);
    switch (rule?.fault) {
      case undefined:
        return this.#delivery.send(request);
      case 'duplicate':
        return this.#sendTwice(
          rule.identical ? { ...request, signedAt: this.#now() } : request,
          rule.afterMs ?? 0,
        );
      case 'delayed':
        return this.#sendLater(rule.afterMs, request);
      case 'unacknowledged':
        this.#delivery.send(request).catch(logError);
        return NO_ANSWER;
      case 'lost':
        return NO_ANSWER;
    }
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#delivery.close();
  }

  /** Never settles if the delivery is closed earlier. */
  #sendLater(ms: number, request: AppRequest): Promise<DeliveryAnswer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#delivery.send(request).then(resolve, reject);
      }, ms);
      this.#timers.add(timer);
    });
  }

  /** Returns the answer to the first request, and ignores the second one, as Slack does. */
  #sendTwice(request: AppRequest, afterMs: number): Promise<DeliveryAnswer> {
    const first = { ...request, envelopeId: request.envelopeId ?? randomUUID() };
    const answer = this.#delivery.send(first);
    const retry = { num: (request.retry?.num ?? 0) + 1, reason: 'timeout' };
    const second = request.type === 'events_api' ? { ...first, retry } : first;
    this.#sendLater(afterMs, second).catch(logError);
    return answer;
  }
}

function logError(error: unknown): void {
  console.error('could not send a request to the app:', error);
}

/** Never settles. */
const NO_ANSWER = new Promise<never>(() => undefined);

/** The delivery to an app, with its faults. In Socket Mode, `sockets` accepts the app's WebSockets. */
interface OpenDelivery {
  delivery: Delivery;
  sockets: SocketDelivery | undefined;
  faults: SlackFaults;
}

/**
 * Opens the delivery to an app. `onChange` is called when the app connects or disconnects. The app checks signatures by
 * `now`, the computer's clock, which tests can't move.
 */
export function openDelivery(
  to: WorkspaceOptions['delivery'],
  about: { appId: string; signingSecret: string; now: () => number; onChange: () => void },
): OpenDelivery {
  const faults = new SlackFaults();
  if (to?.kind === 'http') {
    const http = new HttpDelivery({ url: to.url, ...about });
    return { faults, sockets: undefined, delivery: new FaultyDelivery(http, faults, about.now) };
  }
  const sockets = new SocketDelivery(about.appId, about.onChange);
  return { faults, sockets, delivery: new FaultyDelivery(sockets, faults, about.now) };
}
