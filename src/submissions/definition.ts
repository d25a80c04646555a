import type { Definition } from '../delivery/definition.ts';
import { afterConfirmed } from './after-confirmed.ts';
import { SUBMISSIONS } from './deliveries.ts';
import type { State } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { step } from './step.ts';
import { claimNotifications, NOTICES } from './tell.ts';
import { withoutContent } from './without-content.ts';

/** Steps at the same time; one service gets fewer, so that others go on while it is slow. */
const CONCURRENCY = 64;
/** Authors who are notified at the same time. Slack takes about one message a second to one person. */
const MAX_NOTIFYING = 20;

/** Submissions, as deliveries. An endpoint is a service. */
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
    stepsOf: async () => (row) => step(machine(), row),
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
    purged: (row) => withoutContent(machine(), row),
    async entered(row) {
      if (row.state === 'confirmed') await afterConfirmed(machine(), row);
    },
  };
}
