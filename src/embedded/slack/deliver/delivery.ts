import type { Json } from '../json.ts';

export const ENVELOPE_TYPES = ['slash_commands', 'interactive', 'events_api'] as const;

/** One thing for the app, before it is put on a wire. */
export interface Parcel {
  type: (typeof ENVELOPE_TYPES)[number];
  payload: Json;
  /** The acknowledgement may carry an answer: commands, submissions and options requests. */
  acceptsResponse: boolean;
}

export type WireAnswer =
  /** `payload` is undefined where the acknowledgement was empty, a string where it was bare text. */
  | { kind: 'acknowledged'; payload: unknown }
  | { kind: 'not-connected' }
  | { kind: 'refused'; reason: string };

/** A way to the app: Socket Mode's sockets, or signed requests to an address. */
export interface Delivery {
  readonly connected: boolean;
  /** Settles whenever the app answers; it knows nothing of the three seconds. */
  send(parcel: Parcel): Promise<WireAnswer>;
  close(): void;
}
