import type { Definition } from '../delivery/definition.ts';
import { afterConfirmed } from './after-confirmed.ts';
import { LIFECYCLE, LOCKED, type State } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** Submissions, as deliveries. */
export function submissionDefinition(machine: () => Machine): Definition<State, SubmissionRow> {
  const { pace } = machine();
  return {
    table: 'submission',
    lifecycle: LIFECYCLE,
    leaseMs: pace.leaseMs,
    beginMs: pace.beginMs,
    alsoSets: (to) => (LOCKED.includes(to) ? {} : { locked: false }),
    async entered(row) {
      if (row.state === 'confirmed') await afterConfirmed(machine(), row);
    },
  };
}
