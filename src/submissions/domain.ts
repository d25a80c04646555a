import type { DeliveryDomain } from '../engine/domain.ts';
import { restoreDeliveries, transitionAfterUninstall } from '../engine/sql/bulk-transitions.ts';
import { SUBMISSION_STORAGE } from './deliveries.ts';
import type { SubmissionTables } from './tables.ts';

/** The submissions domain, registered with the other delivery domains. */
export const SUBMISSIONS: DeliveryDomain<SubmissionTables> = {
  name: 'submissions',
  table: SUBMISSION_STORAGE.table,
  lifecycle: SUBMISSION_STORAGE.lifecycle,
  initialStates: ['saved'],
  async restore(db, now) {
    const { unknown = 0, 'needs-person': overdue = 0 } = await restoreDeliveries(db, SUBMISSION_STORAGE, now);
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
