import type { Definition } from '../delivery/definition.ts';
import { afterConfirmed } from './after-confirmed.ts';
import { SUBMISSIONS } from './deliveries.ts';
import type { State } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { claimNotifications, NOTICES } from './notify-author.ts';
import { purgeContent } from './purge-content.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { step } from './step.ts';

/** Maximum number of steps in progress. Each service gets fewer, so that a slow one doesn't delay the others. */
const CONCURRENCY = 64;
/** Maximum number of notifications in progress. Slack accepts about one message per second for one person. */
const MAX_NOTIFYING = 20;

/** The kernel's definition of submissions. An endpoint is a scheduling service. */
export function submissionDefinition(
  machine: () => Machine,
  { compareClocks }: { compareClocks(): Promise<void> },
): Definition<State, SubmissionRow> {
  const { pace } = machine();
  return {
    ...SUBMISSIONS,
    leaseMs: pace.leaseMs,
    beginMs: pace.beginMs,
    scanMs: pace.scanMs,
    concurrency: CONCURRENCY,
    batch: 1,
    limit: (endpoint) => machine().endpoints.limit(endpoint),
    loadSteps: async () => (row) => step(machine(), row),
    async prepare() {
      await compareClocks();
      return false;
    },
    notices: {
      tables: [NOTICES],
      max: MAX_NOTIFYING,
      claim: (room) => claimNotifications(machine(), room),
    },
    keepMs: pace.keepMs,
    purgeChange: (row) => purgeContent(machine(), row),
    async onEntered(row) {
      if (row.state === 'confirmed') await afterConfirmed(machine(), row);
    },
  };
}
