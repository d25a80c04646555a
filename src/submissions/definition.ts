import type { Definition } from '../engine/definition.ts';
import { createPurgeChange } from './create-purge-change.ts';
import { NOTIFICATIONS, SUBMISSION_STORAGE } from './deliveries.ts';
import type { State } from './lifecycle.ts';
import { claimNotifications } from './notify-author.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { runStep } from './step.ts';
import { readContent } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/** Maximum number of steps in progress. `EndpointLimits` has a lower limit for each service. */
const MAX_ROWS_IN_PROGRESS = 192;
/** Maximum number of notifications in progress. */
const MAX_NOTIFICATIONS = 20;

/** Defines the delivery of submissions. An endpoint is a scheduling service. */
export function createSubmissionDefinition(
  getContext: () => SubmissionContext,
): Definition<State, SubmissionRow> {
  const { pace } = getContext();
  return {
    ...SUBMISSION_STORAGE,
    leaseMs: pace.leaseMs,
    maxStartDelayMs: pace.maxStartDelayMs,
    scanIntervalMs: pace.scanIntervalMs,
    maxRowsInProgress: MAX_ROWS_IN_PROGRESS,
    batchSize: 1,
    getLimit: (endpoint) => getContext().endpointLimits.getLimit(endpoint),
    loadSteps: async () => (row) => runStep(getContext(), row),
    notifiers: [
      {
        source: NOTIFICATIONS,
        maxInProgress: MAX_NOTIFICATIONS,
        claim: (freeSlots) => claimNotifications(getContext(), freeSlots),
      },
    ],
    retentionMs: pace.retentionMs,
    createPurgeChange: (row, now) => createPurgeChange(getContext(), row, now),
    async onEntered(row) {
      if (row.state !== 'confirmed') return;
      getContext().onConfirmed(row);
      await runConfirmationFollowUp(getContext(), row);
    },
  };
}

/** Runs the kind's `onConfirmed`. A failure doesn't change the submission. */
async function runConfirmationFollowUp(context: SubmissionContext, row: SubmissionRow): Promise<void> {
  const kind = context.findKind(row.kind);
  const contentResult = kind?.onConfirmed && readContent(context, kind, row);
  if (!contentResult) return;
  try {
    await kind?.onConfirmed?.(context.db, row, contentResult.content);
  } catch (error) {
    context.log.error({ submission: row.id, err: error }, 'follow-up of a confirmed submission failed');
  }
}
