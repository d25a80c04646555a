import type { Definition } from '../engine/definition.ts';
import { HELD_POST_STORAGE } from './domain.ts';
import type { HeldPostContext } from './held-post-context.ts';
import type { State } from './lifecycle.ts';
import { claimNotifications, NOTIFICATIONS } from './notify-people.ts';
import { bindToService } from './service-binding.ts';
import type { HeldPostRow } from './sql/held-posts.ts';
import { runStep } from './step.ts';

/** Maximum number of steps in progress, of those at one service, and of notifications in progress. */
const [MAX_ROWS_IN_PROGRESS, MAX_STEPS_PER_SERVICE, MAX_NOTIFICATIONS] = [64, 32, 16];

/** Defines the delivery of held posts. An endpoint is a scheduling service. */
export function createHeldPostDefinition(context: HeldPostContext): Definition<State, HeldPostRow> {
  const { pace } = context;
  return {
    ...HELD_POST_STORAGE,
    leaseMs: pace.leaseMs,
    // Nothing is sent under a lease: the submission has its own.
    maxStartDelayMs: 0,
    scanIntervalMs: pace.scanIntervalMs,
    maxRowsInProgress: MAX_ROWS_IN_PROGRESS,
    batchSize: 1,
    getLimit: () => MAX_STEPS_PER_SERVICE,
    beforeScan: () => bindToService(context),
    loadSteps: async () => (row) => runStep(context, row),
    notifiers: [
      {
        source: NOTIFICATIONS,
        maxInProgress: MAX_NOTIFICATIONS,
        claim: (freeSlots) => claimNotifications(context, freeSlots),
      },
    ],
    retentionMs: pace.retentionMs,
  };
}
