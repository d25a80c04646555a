import type { Deliveries } from '../delivery/definition.ts';
import { RESTORED } from './lasting-reasons.ts';
import { LIFECYCLE, type State } from './lifecycle.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** How digest occurrences are stored. */
export const OCCURRENCES: Deliveries<State, OccurrenceRow> = {
  table: 'digest_occurrence',
  lifecycle: LIFECYCLE,
  alsoSets: (to) => (LIFECYCLE[to].waitsFor === 'nobody' ? { afterwards: null } : {}),
  restored: {
    moved: (now) => ({ why: RESTORED, looks: 0, tried_since: now }),
  },
};
