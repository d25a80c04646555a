import type { DeliveryStorage } from '../delivery/definition.ts';
import { RESTORED } from './lasting-reasons.ts';
import { LIFECYCLE, type State } from './lifecycle.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** The storage of digest occurrences, for the delivery kernel. */
export const OCCURRENCES: DeliveryStorage<State, OccurrenceRow> = {
  table: 'digest_occurrence',
  lifecycle: LIFECYCLE,
  getExtraChange: (to) => (LIFECYCLE[to].waitsFor === 'nobody' ? { follow_ups: null } : {}),
  afterRestore: {
    createTransitionChange: (now) => ({ reason: RESTORED, checks: 0, retrying_since: now }),
  },
};
