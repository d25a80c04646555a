import type { Grant, Pair } from './sql/claims.ts';

interface RoundRobin {
  /**
   * Distributes `free` slots over these pairs, one at a time, beginning with the pair that was served longest ago.
   * `roomAt` returns how many more rows an endpoint takes.
   */
  deal(pairs: readonly Pair[], free: number, roomAt: (endpoint: string) => number): Grant[];
}

/** Fair distribution of slots: a workspace with thousands of due rows doesn't delay one with a single row. */
export function createRoundRobin(): RoundRobin {
  /**
   * The turn in which each pair was last served. A pair without due rows is removed, and so comes first the next time.
   */
  let served = new Map<string, number>();
  let turn = 0;
  return {
    deal(pairs, free, roomAt) {
      const waiting = pairs
        .map((pair) => ({ pair, key: keyOf(pair), slots: 0 }))
        .sort((a, b) => (served.get(a.key) ?? 0) - (served.get(b.key) ?? 0));
      const rooms = new Map(pairs.map(({ endpoint }) => [endpoint, roomAt(endpoint)]));
      for (let left = free, given = 1; left > 0 && given > 0; left -= given) {
        given = 0;
        for (const one of waiting) {
          const room = rooms.get(one.pair.endpoint) ?? 0;
          if (room <= 0 || given >= left) continue;
          rooms.set(one.pair.endpoint, room - 1);
          one.slots += 1;
          given += 1;
        }
      }
      const granted = waiting.filter(({ slots }) => slots > 0);
      turn += 1;
      served = new Map(waiting.map(({ key, slots }) => [key, slots > 0 ? turn : (served.get(key) ?? 0)]));
      return granted.map(({ pair, slots }) => ({ ...pair, slots }));
    },
  };
}

export function keyOf({ endpoint, workspace }: Pair): string {
  return JSON.stringify([endpoint, workspace]);
}
