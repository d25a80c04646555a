import { createDelivery } from '../engine/delivery.ts';
import { createExclusions } from '../engine/exclusions.ts';
import { createTurns } from '../engine/turns.ts';
import { createOccurrenceDefinition } from './definition.ts';
import type { DigestContext, DigestsOptions } from './digest-context.ts';
import { createDigestCache, createDigestReads } from './digest-reads.ts';
import type { SendState, State } from './lifecycle.ts';
import { DIGEST_PACE } from './pace.ts';
import { createSendingLimits, MAX_UPLOADS_PER_MINUTE } from './sending-limits.ts';
import { createSharedChannels } from './shared-channels.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** Creates the shared state and the clients of all digests of an instance. */
export function createDigestContext(options: DigestsOptions): DigestContext {
  const { pace = DIGEST_PACE, clock } = options;
  const sharedClock = clock.readShared;
  const nowMs = () => sharedClock().getTime();
  const digestCache = createDigestCache({ now: nowMs });
  const context: DigestContext = {
    ...options,
    pace,
    now: clock.now,
    sharedClock,
    fetch: options.fetch ?? fetch,
    isAlone: options.isAlone ?? false,
    get delivery() {
      return delivery;
    },
    limits: createSendingLimits(nowMs),
    uploads: createSendingLimits(nowMs, MAX_UPLOADS_PER_MINUTE),
    turns: options.isAlone
      ? undefined
      : createTurns({ db: options.db, clock: sharedClock, name: 'digest.turn', turnMs: pace.turnMs }),
    sharedChannels: createSharedChannels(nowMs, pace.sharedChannelsMaxAgeMs),
    searchBlockedUntil: new Map(),
    inactiveAccounts: new Map(),
    exclusions: createExclusions(nowMs, (id, error) =>
      options.log.error({ id, err: error }, 'digest row excluded from claims for five minutes'),
    ),
    createReads: (api) => createDigestReads(api, digestCache),
    scheduleScan: (time) => delivery.poll.wake(time),
  };
  const definition = createOccurrenceDefinition(() => context);
  const delivery = createDelivery<State, SendState, OccurrenceRow>(
    { db: context.db, clock, log: context.log, exclusions: context.exclusions },
    definition,
  );
  return context;
}
