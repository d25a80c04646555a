import type { EndpointWorkspace, SlotAllocation } from './sql/claims.ts';

interface RoundRobin {
  /**
   * Distributes slots one at a time over pairs of endpoint and workspace. The pair that was served longest ago comes
   * first. No endpoint gets more slots than `countFreeSlots` returns for it.
   */
  distribute(
    pairs: readonly EndpointWorkspace[],
    freeSlots: number,
    countFreeSlots: (endpoint: string) => number,
  ): SlotAllocation[];
}

/**
 * Creates a fair distribution of slots: a workspace with thousands of due rows doesn't delay a workspace with one row.
 */
export function createRoundRobin(): RoundRobin {
  /**
   * The round in which each pair was last served. A pair without due rows is removed, so that it is served first once it
   * has due rows again.
   */
  let lastServedRounds = new Map<string, number>();
  let round = 0;
  return {
    distribute(pairs, freeSlots, countFreeSlots) {
      const candidates = pairs
        .map((pair) => ({ pair, key: getPairKey(pair), slots: 0 }))
        .sort((a, b) => (lastServedRounds.get(a.key) ?? 0) - (lastServedRounds.get(b.key) ?? 0));
      const slotsByEndpoint = new Map(pairs.map(({ endpoint }) => [endpoint, countFreeSlots(endpoint)]));
      for (
        let remaining = freeSlots, allocatedCount = 1;
        remaining > 0 && allocatedCount > 0;
        remaining -= allocatedCount
      ) {
        allocatedCount = 0;
        for (const candidate of candidates) {
          const endpointSlots = slotsByEndpoint.get(candidate.pair.endpoint) ?? 0;
          if (endpointSlots <= 0 || allocatedCount >= remaining) continue;
          slotsByEndpoint.set(candidate.pair.endpoint, endpointSlots - 1);
          candidate.slots += 1;
          allocatedCount += 1;
        }
      }
      const servedCandidates = candidates.filter(({ slots }) => slots > 0);
      round += 1;
      lastServedRounds = new Map(
        candidates.map(({ key, slots }) => [key, slots > 0 ? round : (lastServedRounds.get(key) ?? 0)]),
      );
      return servedCandidates.map(({ pair, slots }) => ({ ...pair, slots }));
    },
  };
}

/** Returns the key of a pair for maps. */
export function getPairKey({ endpoint, workspace }: EndpointWorkspace): string {
  return JSON.stringify([endpoint, workspace]);
}
