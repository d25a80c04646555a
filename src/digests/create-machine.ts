import { createSetAside } from '../delivery/set-aside.ts';
import { createTransitions } from '../delivery/transitions.ts';
import { occurrenceDefinition } from './definition.ts';
import { createDigestMemory, createDigestReads } from './digest-reads.ts';
import type { DigestsOptions, Machine } from './machine.ts';
import { DIGEST_PACE } from './pace.ts';
import { createSendingLimits } from './sending-limits.ts';
import { createSharedChannels } from './shared-channels.ts';

/** `wake` is told when something is due, by the clock. */
export function createMachine(options: DigestsOptions, wake: (at: Date) => void): Machine {
  const { db, pace = DIGEST_PACE, clock = () => new Date() } = options;
  const ms = () => clock().getTime();
  const memory = createDigestMemory({ now: ms });
  return {
    ...options,
    pace,
    clock,
    fetch: options.fetch ?? fetch,
    delivery: createTransitions({ db, clock, wake }, occurrenceDefinition(pace)),
    limits: createSendingLimits(ms),
    shared: createSharedChannels(ms, pace.sharedMs),
    looksHeld: new Map(),
    inactive: new Map(),
    setAside: createSetAside(ms, (id, error) =>
      options.log.error({ id, err: error }, 'digest row set aside for five minutes'),
    ),
    readsOf: (api) => createDigestReads(api, memory),
    wake,
  };
}
