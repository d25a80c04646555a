import { sql } from 'kysely';
import type { Deliveries } from '../delivery/definition.ts';
import { LIFECYCLE, LOCKED, type State } from './lifecycle.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** Submissions as they are stored. */
export const SUBMISSIONS: Deliveries<State, SubmissionRow> = {
  table: 'submission',
  lifecycle: LIFECYCLE,
  alsoSets: (to) => (LOCKED.includes(to) ? {} : { locked: false }),
  restored: {
    isPast: (now) => sql`due_at <= ${now}`,
    moved: () => ({ why: 'restored', doubted: true, looks: 0, locked: false }),
    // An author who had not decided then may have sent it since: it is looked for before it is sent.
    stayed: { doubted: true },
  },
};
