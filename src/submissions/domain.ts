import { sql } from 'kysely';
import type { Capability } from '../engine/capability.ts';
import { restoreDeliveries, transitionAfterUninstall } from '../engine/sql/bulk-transitions.ts';
import { SUBMISSION_STORAGE } from './deliveries.ts';
import type { State } from './lifecycle.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import type { SubmissionTables } from './tables.ts';

/** The submissions domain, registered with the other delivery domains. */
export const SUBMISSIONS: Capability<State, SubmissionRow, SubmissionTables> = {
  name: 'submissions',
  ...SUBMISSION_STORAGE,
  initialStates: ['saved'],
  async restore(db, now) {
    const { unknown = 0, 'needs-person': overdue = 0 } = await restoreDeliveries(db, SUBMISSION_STORAGE, {
      now,
      overdue: sql`publish_at <= ${now}`,
      change: { reason: 'restored', maybe_sent: true, checks: 0, locked: false },
      // The post may have been sent since the backup, so equal posts are counted before the next send.
      changeOfOthers: { maybe_sent: true },
    });
    return [
      {
        count: unknown,
        label: 'Unfinished submissions',
        explanation:
          "They may have been sent since the backup. After the start, Upnext looks for them in the service and doesn't send them again automatically.",
      },
      {
        count: overdue,
        label: 'Overdue submissions',
        explanation: 'Each author decides about them in /upnext outbox.',
      },
    ];
  },
  /** Ends the workspace's active submissions, and deletes the contents and refusals of all its submissions. */
  async endAfterUninstall(transaction, { workspace, now }) {
    await transitionAfterUninstall(transaction, SUBMISSION_STORAGE, { workspace, now });
    await transaction
      .updateTable('submission')
      .set({ content: null, refusal: null })
      .where('workspace', '=', workspace)
      .execute();
  },
};
