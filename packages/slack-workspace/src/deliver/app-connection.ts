import { randomUUID } from 'node:crypto';
import type { SlackFaults } from '../faults/slack-faults.ts';
import { getString, type Json } from '../json.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { TrafficLog } from '../traffic/traffic-log.ts';

/** A request to the app: a payload before it is sent over a socket or HTTP. */
export interface AppRequest {
  type: 'slash_commands' | 'interactive' | 'events_api';
  payload: Json;
  /** The number of the repetition, from 1, and its reason, such as `http_timeout`. */
  retry?: { num: number; reason: string };
  /** The id of an envelope that is sent again in Socket Mode. Defaults to a new id. */
  envelopeId?: string;
  /** The time of the signature of an identical HTTP request, in ms. Defaults to now. */
  signedAt?: number;
}

export type DeliveryAnswer =
  /** `payload` is undefined for an empty acknowledgement, and a string for plain text. */
  | { kind: 'acknowledged'; payload: unknown }
  | { kind: 'not-connected' }
  /** `final` is true if the app wants no retries. */
  | { kind: 'refused'; reason: string; final?: boolean };

export type Answer = DeliveryAnswer | { kind: 'late' };

/** The connection to an app: Socket Mode, or signed HTTP requests to an address. */
export interface Delivery {
  readonly transport: 'http' | 'socket';
  readonly connected: boolean;
  /** Resolves when the app is connected, and after `withinMs` at the latest. */
  ready(withinMs: number): Promise<void>;
  /** Resolves with the app's answer, however late it comes. */
  send(request: AppRequest): Promise<DeliveryAnswer>;
  close(): void;
}

interface ConnectedApp {
  delivery: Delivery;
  faults: SlackFaults;
  traffic: TrafficLog;
  /** Whether the workspace has the app now. */
  isInstalled: () => boolean;
  /** The clock of signatures, in ms. */
  now: () => number;
}

function logError(error: unknown): void {
  console.error('could not send a request to the app:', error);
}

/** Never settles. */
const NO_ANSWER = new Promise<never>(() => undefined);

/** Delivers requests as the app's faults allow, limits the time of acknowledgements, and records all of it. */
export class AppConnection {
  readonly #app: ConnectedApp;
  /** Of delayed requests. */
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Each ends the wait for the acknowledgement of an event. */
  readonly #waits = new Set<(answer: Answer) => void>();

  constructor(app: ConnectedApp) {
    this.#app = app;
  }

  get transport(): Delivery['transport'] {
    return this.#app.delivery.transport;
  }

  get connected(): boolean {
    return this.#app.isInstalled() && this.#app.delivery.connected;
  }

  ready(withinMs: number): Promise<void> {
    return this.#app.delivery.ready(withinMs);
  }

  /** Drops the requests that are delayed, and the retries of events that aren't acknowledged yet. */
  cancel(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    for (const end of this.#waits) end({ kind: 'refused', reason: 'the workspace was reset', final: true });
  }

  close(): void {
    this.cancel();
    this.#app.delivery.close();
  }

  /** Resolves after three seconds at the latest. `label` is for the inspector. */
  async deliver(label: string, request: AppRequest): Promise<Answer> {
    const { traffic, isInstalled } = this.#app;
    const { type, payload } = request;
    // After it was removed from a workspace, an app only gets events, such as app_uninstalled.
    if (type !== 'events_api' && !isInstalled()) return { kind: 'not-connected' };
    const kind = type === 'interactive' ? (getString(payload, 'type') ?? type) : type;
    const record = traffic.start({ direction: 'to-app', kind, label, payload });
    let isLate = false;
    const sent = this.#send(request).then((answer) => {
      if (answer.kind === 'acknowledged') {
        record.end({ outcome: isLate ? 'late' : 'acknowledged', answer: answer.payload });
      } else {
        const reason = answer.kind === 'refused' ? answer.reason : 'the app is not connected';
        record.end({ outcome: 'failed', reason });
      }
      return answer;
    });
    const deadline = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => {
      isLate = true;
      record.markLate();
      deadline.resolve({ kind: 'late' });
    }, SLACK_LIMITS.acknowledgementMs.value);
    // The process may end before the deadline.
    timer.unref();
    if (type === 'events_api') this.#waits.add(deadline.resolve);
    const answer = await Promise.race([sent, deadline.promise]);
    this.#waits.delete(deadline.resolve);
    clearTimeout(timer);
    return answer;
  }

  #send(request: AppRequest): Promise<DeliveryAnswer> {
    const { delivery, faults, now } = this.#app;
    const rule = faults.pickForDelivery(request);
    switch (rule?.fault) {
      case undefined:
        return delivery.send(request);
      case 'duplicate':
        return this.#sendTwice(rule.identical ? { ...request, signedAt: now() } : request, rule.afterMs);
      case 'delayed':
        return this.#sendLater(rule.afterMs, request);
      case 'unacknowledged':
        delivery.send(request).catch(logError);
        return NO_ANSWER;
      case 'lost':
        return NO_ANSWER;
    }
  }

  /** Never settles if the request is cancelled. */
  #sendLater(ms: number, request: AppRequest): Promise<DeliveryAnswer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#app.delivery.send(request).then(resolve, reject);
      }, ms);
      this.#timers.add(timer);
    });
  }

  /** Returns the answer to the first request, and ignores the second one, as Slack does. */
  #sendTwice(request: AppRequest, afterMs = 0): Promise<DeliveryAnswer> {
    const first = { ...request, envelopeId: request.envelopeId ?? randomUUID() };
    const answer = this.#app.delivery.send(first);
    const retry = { num: (request.retry?.num ?? 0) + 1, reason: 'timeout' };
    const second = request.type === 'events_api' ? { ...first, retry } : first;
    this.#sendLater(afterMs, second).catch(logError);
    return answer;
  }
}

/** The error that Slack shows to the person if the app didn't acknowledge. */
export function getDeliveryError(answer: Answer): string | undefined {
  if (answer.kind === 'acknowledged') return undefined;
  return answer.kind === 'late' ? 'operation_timeout' : 'dispatch_failed';
}
