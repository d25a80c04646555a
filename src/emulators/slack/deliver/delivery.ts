import type { Json } from '../json.ts';

export const ENVELOPE_TYPES = ['slash_commands', 'interactive', 'events_api'] as const;

/** An event is sent once more: the how many-th time, and why. */
export interface Retry {
  num: number;
  reason: string;
}

/** One thing for the app, before it is put on a wire. */
export interface Parcel {
  type: (typeof ENVELOPE_TYPES)[number];
  payload: Json;
  /** The acknowledgement may carry an answer: commands, submissions and options requests. */
  acceptsResponse: boolean;
  retry?: Retry;
  /** Socket Mode's, where the same envelope goes out once more; a new one otherwise. */
  envelopeId?: string;
  /** HTTP's moment of the signature, ms, where the same request goes out once more; now otherwise. */
  signedAt?: number;
}

export type WireAnswer =
  /** `payload` is undefined where the acknowledgement was empty, a string where it was bare text. */
  | { kind: 'acknowledged'; payload: unknown }
  | { kind: 'not-connected' }
  /** `final`: the app wants it not to be sent again. */
  | { kind: 'refused'; reason: string; final?: boolean };

/** A way to the app: Socket Mode's sockets, or signed requests to an address. */
export interface Delivery {
  readonly wire: 'http' | 'socket';
  readonly connected: boolean;
  /** Settles once something can be sent, at the latest after that many ms. */
  ready(withinMs: number): Promise<void>;
  /** Settles whenever the app answers; it knows nothing of the three seconds. */
  send(parcel: Parcel): Promise<WireAnswer>;
  close(): void;
}
