import { defineOccurrences } from './definition.ts';
import type { DigestContext, DigestsOptions } from './digest-context.ts';
import { createDigestCache, createDigestReads } from './digest-reads.ts';
import { DIGEST_PACE } from './pace.ts';
import { createSendingLimits, MAX_UPLOADS_PER_MINUTE } from './sending-limits.ts';
import { createSharedChannels } from './shared-channels.ts';

/** Creates the shared state and the clients of all digests of an instance, and registers them. */
export function createDigestContext(options: DigestsOptions): DigestContext {
  const { pace = DIGEST_PACE, clock, engine, isIdle = false, ...dependencies } = options;
  const sharedClock = clock.readShared;
  const nowMs = () => sharedClock().getTime();
  const digestCache = createDigestCache({ now: nowMs });
  const context: DigestContext = {
    ...dependencies,
    pace,
    now: clock.now,
    sharedClock,
    fetch: options.fetch ?? fetch,
    get verbs() {
      return verbs;
    },
    limits: createSendingLimits(nowMs),
    uploads: createSendingLimits(nowMs, MAX_UPLOADS_PER_MINUTE),
    sharedChannels: createSharedChannels(nowMs, pace.sharedChannelsMaxAgeMs),
    searchBlockedUntil: new Map(),
    inactiveAccounts: new Map(),
    get exclusions() {
      return verbs.exclusions;
    },
    createReads: (api) => createDigestReads(api, digestCache),
  };
  const verbs = engine.register(defineOccurrences(context, isIdle));
  return context;
}
