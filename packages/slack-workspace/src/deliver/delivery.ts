import type { Json } from '../json.ts';

export const ENVELOPE_TYPES = ['slash_commands', 'interactive', 'events_api'] as const;

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
