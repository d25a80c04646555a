import type { Deliveries } from '../delivery/definition.ts';
import { RESTORED } from './kept-marks.ts';
import { LIFECYCLE, type State } from './lifecycle.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** Occurrences of digests as they are stored. */
export const OCCURRENCES: Deliveries<State, OccurrenceRow> = {
  table: 'digest_occurrence',
  lifecycle: LIFECYCLE,
  extraChange: (to) => (LIFECYCLE[to].waitsFor === 'nobody' ? { afterwards: null } : {}),
  restored: {
    movedChange: (now) => ({ reason: RESTORED, checks: 0, retrying_since: now }),
  },
};
