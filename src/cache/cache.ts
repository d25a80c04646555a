import { LRUCache } from 'lru-cache';

interface CacheOptions {
  maxAgeMs: number;
  /** Maximum number of entries. The least recently used one is evicted. Defaults to MAX_ENTRIES. */
  max?: number;
  /** Any clock, ms. */
  now: () => number;
}

/** Our own choice: an evicted entry is looked up again. */
const MAX_ENTRIES = 5_000;

/** A cache in this instance's memory. An entry expires when its age reaches `maxAgeMs`. */
export function createCache<Value extends object>(options: CacheOptions): LRUCache<string, Value> {
  const { maxAgeMs, max = MAX_ENTRIES, now } = options;
  return new LRUCache({
    ...limitEntries(max),
    ttl: ttlOf(maxAgeMs),
    ttlResolution: 0,
    perf: lruClock(now),
  });
}

/** Options for an LRUCache with `max` entries. Its own `max` allocates all of them at once: 200 kB for 5,000. */
export function limitEntries(max: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: max, sizeCalculation: () => 1 };
}

/** A clock for LRUCache, which treats a start time of 0 as missing. `now`: ms. */
export function lruClock(now: () => number): { now(): number } {
  return { now: () => now() + 1 };
}

/** LRUCache still returns an entry whose age equals its ttl, so the ttl is one smaller. */
function ttlOf(ageMs: number): number {
  return Math.max(1, Math.ceil(ageMs) - 1);
}

interface LookupOptions<Value> extends CacheOptions {
  /** The value's maximum age if it differs from `maxAgeMs`, ms, from the end of its lookup. 0: not cached. */
  maxAgeOf?: (value: Value) => number | undefined;
}

/**
 * Creates a cache of lookups, which simultaneous callers share. Counts a value's age from the start of its lookup. The
 * cache stores promises and doesn't use LRUCache's `fetch`, which answers a live lookup with an earlier one, counts
 * the age from the answer, and rejects dropped lookups.
 */
export function createLookupCache<Value>({ maxAgeOf, ...options }: LookupOptions<Value>) {
  const values = createCache<Promise<Value>>(options);
  return {
    /** `isLive` ignores the cached value and caches the new one. A failed lookup isn't cached. */
    get(key: string, lookUp: () => Promise<Value>, isLive = false): Promise<Value> {
      const before = isLive ? undefined : values.get(key);
      if (before) return before;
      const value = lookUp();
      values.set(key, value);
      const keepFor = (ageMs: number) => {
        // It was dropped or replaced meanwhile.
        if (values.peek(key, { allowStale: true }) !== value) return;
        values.delete(key);
        if (ageMs > 0) values.set(key, value, { ttl: ttlOf(ageMs) });
      };
      value.then(
        (found) => {
          const ageMs = maxAgeOf?.(found);
          if (ageMs !== undefined) keepFor(ageMs);
        },
        () => keepFor(0),
      );
      return value;
    },
    drop: (key: string) => {
      values.delete(key);
    },
    clear: () => values.clear(),
  };
}
