import type { Storage } from '../engine/capability.ts';
import { LIFECYCLE, type State } from './lifecycle.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** The storage of digest occurrences, for the engine. */
export const OCCURRENCES: Storage<State, OccurrenceRow> = {
  table: 'digest_occurrence',
  lifecycle: LIFECYCLE,
  onEntry: (to) => (LIFECYCLE[to].waitsFor === 'nobody' ? { follow_ups: null } : {}),
};
