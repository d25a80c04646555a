import type { Storage } from '../engine/capability.ts';
import { LIFECYCLE, type State } from './lifecycle.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** The storage of digest occurrences, for the delivery kernel. */
export const OCCURRENCES: Storage<State, OccurrenceRow> = {
  table: 'digest_occurrence',
  lifecycle: LIFECYCLE,
  onEntry: (to) => (LIFECYCLE[to].waitsFor === 'nobody' ? { follow_ups: null } : {}),
};

/** Data about the last sent message. A transition of an occurrence writes it to the digest's row, as `companionData`. */
export interface LastDigest {
  /** When the message was sent; absent if none was. */
  sent_at?: Date;
  /** Passed to the composer with the next occurrence. */
  snapshot?: string | undefined;
}
