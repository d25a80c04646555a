import type { Definition } from '../engine/engine.ts';
import { createPurgeChange } from './create-purge-change.ts';
import { SUBMISSION_STORAGE } from './deliveries.ts';
import type { SendingState, State } from './lifecycle.ts';
import { notifyAuthor } from './notify-author.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { runStep } from './step.ts';
import { readContent } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/** Maximum number of steps in progress. `EndpointLimits` has a lower limit for each service. */
const MAX_ROWS_IN_PROGRESS = 192;
/** Maximum number of notifications in progress. */
const MAX_NOTIFICATIONS = 20;

/** Defines how submissions are sent, and their authors notified. An endpoint is a scheduling service. */
export function defineSubmissions(
  context: SubmissionContext,
): Definition<State, SendingState, SubmissionRow> {
  const { pace, endpointLimits } = context;
  return {
    storage: SUBMISSION_STORAGE,
    ms: {
      retention: pace.retentionMs,
      lease: pace.leaseMs,
      scanInterval: pace.scanIntervalMs,
      maxStartDelay: pace.maxStartDelayMs,
    },
    limits: { rows: MAX_ROWS_IN_PROGRESS, endpoint: endpointLimits.getLimit },
    load: async () => (row) => runStep(context, row),
    purgeTo: (row, now) => createPurgeChange(context, row, now),
    async onEntered(row) {
      if (row.state !== 'confirmed') return;
      context.onConfirmed(row);
      await runConfirmationFollowUp(context, row);
    },
    notifying: {
      groupColumn: 'id',
      leaseMs: pace.notificationDelayMs * 2,
      maxRows: MAX_NOTIFICATIONS,
      maxInProgress: MAX_NOTIFICATIONS,
      createToldChange: (now) => ({ notified_at: now }),
      notify: ([row], attempt) => notifyAuthor(context, row, attempt),
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
