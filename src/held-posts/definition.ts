import type { Definition } from '../engine/engine.ts';
import { HELD_POST_STORAGE } from './domain.ts';
import type { HeldPostContext } from './held-post-context.ts';
import type { State } from './lifecycle.ts';
import { notifyPeople } from './notify-people.ts';
import { bindToService } from './service-binding.ts';
import type { HeldPostRow } from './sql/held-posts.ts';
import { runStep } from './step.ts';

/** Defines how held posts are handed over, and whom they tell. An endpoint is a scheduling service. */
export function defineHeldPosts(context: HeldPostContext): Definition<State, never, HeldPostRow> {
  const { pace } = context;
  return {
    storage: HELD_POST_STORAGE,
    // Nothing is sent under a lease: the submission has its own.
    ms: { retention: pace.retentionMs, lease: pace.leaseMs, scanInterval: pace.scanIntervalMs },
    beforeScan: () => bindToService(context),
    load: async () => (row) => runStep(context, row),
    notifying: {
      groupColumn: 'id',
      leaseMs: pace.notifyLeaseMs,
      notify: ([row], attempt) => notifyPeople(context, row, attempt),
    },
  };
}
