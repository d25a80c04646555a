import { LRUCache } from 'lru-cache';

interface CacheOptions {
  maxAgeMs: number;
  /** Entries. The one that nobody has asked for the longest makes room. Defaults to MAX_ENTRIES. */
  max?: number;
  /** ms on any clock. */
  now: () => number;
}

/** Our own choice: what is dropped is only looked up again. */
const MAX_ENTRIES = 5_000;

/** Values that are too old once they are `maxAgeMs` old; in this instance's memory. */
export function createCache<Value extends object>({
  maxAgeMs,
  max = MAX_ENTRIES,
  now,
}: CacheOptions): LRUCache<string, Value> {
  return new LRUCache({
    max,
    ttl: ttlOf(maxAgeMs),
    ttlResolution: 0,
    perf: lruClock(now),
  });
}

/** For LRUCache, which takes a start of 0 for none. `now`: ms. */
export function lruClock(now: () => number): { now(): number } {
  return { now: () => now() + 1 };
}

/** To LRUCache a value of exactly its age is still good. */
function ttlOf(ageMs: number): number {
  return Math.max(1, Math.ceil(ageMs) - 1);
}

/** Looked-up values. Callers that ask while a look-up is under way share it. */
interface LookupCache<Value> {
  /** `isLive`: looks it up anew, and caches that for the others. A look-up that fails isn't cached. */
  get(key: string, look: () => Promise<Value>, isLive?: boolean): Promise<Value>;
  drop(key: string): void;
  clear(): void;
}

interface LookupOptions<Value> extends CacheOptions {
  /** For values with another age than `maxAgeMs`, counted from their arrival, ms. 0: isn't cached. */
  ageOf?: (value: Value) => number | undefined;
}

/**
 * A value's age counts from when it is asked for. The cache holds promises instead of using LRUCache's `fetch`, which
 * answers a live look-up with one that began earlier, counts the age from the answer, and rejects what is dropped.
 */
export function createLookupCache<Value>({ ageOf, ...options }: LookupOptions<Value>): LookupCache<Value> {
  const values = createCache<Promise<Value>>(options);
  return {
    get(key, look, isLive = false) {
      const before = isLive ? undefined : values.get(key);
      if (before) return before;
      const value = look();
      values.set(key, value);
      const keepFor = (ageMs: number) => {
        // Dropped, or looked up anew meanwhile.
        if (values.peek(key, { allowStale: true }) !== value) return;
        values.delete(key);
        if (ageMs > 0) values.set(key, value, { ttl: ttlOf(ageMs) });
      };
      value.then(
        (found) => {
          const ageMs = ageOf?.(found);
          if (ageMs !== undefined) keepFor(ageMs);
        },
        () => keepFor(0),
      );
      return value;
    },
    drop: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
}
