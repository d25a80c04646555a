import type { Json } from '../json.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import type { TrafficLog } from '../traffic/traffic-log.ts';

export type Answer = DeliveryAnswer | { kind: 'late' };

/** Delivers requests to the app, limits the time of their acknowledgement, and records them for the inspector. */
export class AppConnection {
  readonly #delivery: Delivery;
  readonly #traffic: TrafficLog;
  readonly #isInstalled: () => boolean;

  constructor(delivery: Delivery, traffic: TrafficLog, isInstalled: () => boolean) {
    this.#delivery = delivery;
    this.#traffic = traffic;
    this.#isInstalled = isInstalled;
  }

  get transport(): Delivery['transport'] {
    return this.#delivery.transport;
  }

  get connected(): boolean {
    return this.#isInstalled() && this.#delivery.connected;
  }

  ready(withinMs: number): Promise<void> {
    return this.#delivery.ready(withinMs);
  }

  close(): void {
    this.#delivery.close();
  }

  /** Resolves after three seconds at the latest. `description` is for the inspector. */
  async deliver(description: { kind: string; label: string }, request: AppRequest): Promise<Answer> {
    // After it was removed from a workspace, an app only gets events, such as app_uninstalled.
    if (request.type !== 'events_api' && !this.#isInstalled()) return { kind: 'not-connected' };
    const record = this.#traffic.start({ ...description, direction: 'to-app', payload: request.payload });
    let isLate = false;
    const sent = this.#delivery.send(request).then((answer) => {
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
    const answer = await Promise.race([sent, deadline.promise]);
    clearTimeout(timer);
    return answer;
  }
}

/** The error that Slack shows to the person if the app didn't acknowledge. */
export function getDeliveryError(answer: Answer): string | undefined {
  if (answer.kind === 'acknowledged') return undefined;
  return answer.kind === 'late' ? 'operation_timeout' : 'dispatch_failed';
}

const ENVELOPE_TYPES = ['slash_commands', 'interactive', 'events_api'] as const;

export interface Retry {
  /** Counts from 1. */
  num: number;
  /** Such as `http_timeout`. */
  reason: string;
}

/** A request to the app: a payload before it is sent over a socket or HTTP. */
export interface AppRequest {
  type: (typeof ENVELOPE_TYPES)[number];
  payload: Json;
  /** Whether the acknowledgement may contain a response: for commands, submissions and requests for options. */
  acceptsResponse: boolean;
  retry?: Retry;
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
