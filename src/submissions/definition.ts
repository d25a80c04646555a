import type { Definition } from '../delivery/definition.ts';
import { createPurgeChange } from './create-purge-change.ts';
import { SUBMISSIONS } from './deliveries.ts';
import type { State } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { claimNotifications, NOTIFICATIONS } from './notify-author.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { runStep } from './step.ts';
import { readContent } from './submission.ts';

/** Maximum number of steps in progress. Each service has a lower limit, so that a slow service delays no other. */
const CONCURRENCY = 64;
/** Maximum number of notifications in progress. Slack accepts about one message per second for one person. */
const MAX_NOTIFICATIONS = 20;

/** Creates the kernel's definition of submissions. An endpoint is a scheduling service. */
export function createSubmissionDefinition(
  getMachine: () => Machine,
  { compareClocks }: { compareClocks(): Promise<void> },
): Definition<State, SubmissionRow> {
  const { pace } = getMachine();
  return {
    ...SUBMISSIONS,
    leaseMs: pace.leaseMs,
    beginMs: pace.beginMs,
    scanMs: pace.scanMs,
    concurrency: CONCURRENCY,
    batchSize: 1,
    getLimit: (endpoint) => getMachine().endpointLimits.getLimit(endpoint),
    loadSteps: async () => (row) => runStep(getMachine(), row),
    async prepare() {
      await compareClocks();
      return false;
    },
    notifications: {
      tables: [NOTIFICATIONS],
      maxInProgress: MAX_NOTIFICATIONS,
      claim: (freeSlots) => claimNotifications(getMachine(), freeSlots),
    },
    retentionMs: pace.retentionMs,
    createPurgeChange: (row) => createPurgeChange(getMachine(), row),
    async onEntered(row) {
      if (row.state === 'confirmed') await runConfirmationFollowUp(getMachine(), row);
    },
  };
}

/** Runs the kind's `onConfirmed`. If `onConfirmed` fails, the submission stays confirmed. */
async function runConfirmationFollowUp(machine: Machine, row: SubmissionRow): Promise<void> {
  const kind = machine.findKind(row.kind);
  const contentResult = kind?.onConfirmed && readContent(machine, kind, row);
  if (!contentResult) return;
  try {
    await kind?.onConfirmed?.(machine.db, row, contentResult.content);
  } catch (error) {
    machine.log.error({ submission: row.id, err: error }, 'follow-up of a confirmed submission failed');
  }
}
