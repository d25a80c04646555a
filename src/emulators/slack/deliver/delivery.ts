import type { Json } from '../json.ts';

export const ENVELOPE_TYPES = ['slash_commands', 'interactive', 'events_api'] as const;

/** The number of an event's retry, and its reason in Slack's words. */
export interface Retry {
  num: number;
  reason: string;
}

/** One payload for the app, before it is sent over a socket or HTTP. */
export interface Parcel {
  type: (typeof ENVELOPE_TYPES)[number];
  payload: Json;
  /** Whether the acknowledgement may contain a response: for commands, submissions and requests for options. */
  acceptsResponse: boolean;
  retry?: Retry;
  /** In Socket Mode, to send the same envelope again. Defaults to a new one. */
  envelopeId?: string;
  /** Over HTTP, to send the same request again: when it was signed (ms). Defaults to now. */
  signedAt?: number;
}

export type WireAnswer =
  /** `payload` is undefined for an empty acknowledgement, and a string for plain text. */
  | { kind: 'acknowledged'; payload: unknown }
  | { kind: 'not-connected' }
  /** `final`: the app asked for no retries. */
  | { kind: 'refused'; reason: string; final?: boolean };

/** A way to the app: Socket Mode's sockets, or signed requests to an address. */
export interface Delivery {
  readonly wire: 'http' | 'socket';
  readonly connected: boolean;
  /** Settles when the app is connected, and after `withinMs` at the latest. */
  ready(withinMs: number): Promise<void>;
  /** Settles when the app answers, however long that takes. */
  send(parcel: Parcel): Promise<WireAnswer>;
  close(): void;
}
