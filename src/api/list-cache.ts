import { LRUCache } from 'lru-cache';
import { lruClock } from '../cache/cache.ts';
import type { ApiClient } from './client.ts';
import type { Outcome } from './outcome.ts';

/** A cache of lists from the service, separate for each client. `key` names a list within a client. */
export interface ListCache<T> {
  /** The cached list if it is younger than `maxAgeMs`, else the result of a call. Concurrent reads share one call. */
  read(api: ApiClient, key: string, load: Load<T>): Promise<Outcome<T>>;
  /** Always makes a call, and caches its result. */
  readNow(api: ApiClient, key: string, load: Load<T>): Promise<Outcome<T>>;
  /** Drops one list, or all lists of the client. The result of a call in flight isn't cached then. */
  drop(api: ApiClient, key?: string): void;
  /** Size of all cached lists in bytes, as counted by `heapBytes`. */
  bytes(): number;
}

type Load<T> = () => Promise<Outcome<T>>;

interface CacheOptions {
  /** Clock in ms. */
  now(): number;
  maxAgeMs: number;
  /** How long a failed outcome is cached, in ms. Defaults to 0. */
  failedMs?: number;
  /** Limit for all clients together. The least recently used client is evicted first. */
  maxBytes: number;
  /** Limit for one client, so that no client displaces the others. A larger list isn't cached. */
  maxClientBytes: number;
}

interface Entry<T> {
  /** When the entry becomes too old, on the clock of the options. */
  until: number;
  outcome: Promise<Outcome<T>>;
}

type Lists<T> = LRUCache<string, Entry<T>>;

/** Overhead of one entry: the entry, its key and its slot in the cache. */
const ENTRY_BYTES = 500;

export function createListCache<T>(options: CacheOptions): ListCache<T> {
  const { now, maxAgeMs, failedMs = 0, maxBytes, maxClientBytes } = options;
  const inFlight = new WeakMap<ApiClient, Map<string, Promise<Outcome<T>>>>();
  const clients = new LRUCache<ApiClient, Lists<T>>({
    maxSize: maxBytes,
    sizeCalculation: ({ calculatedSize }) => calculatedSize + ENTRY_BYTES,
  });

  function createLists(api: ApiClient): Lists<T> {
    const lists: Lists<T> = new LRUCache({
      maxSize: maxClientBytes,
      // Only frees memory: `until` decides whether a list is too old.
      ttl: maxAgeMs,
      ttlAutopurge: true,
      // Without this clock, a purge at a time of 0 would set timers of Infinity ms again and again.
      perf: lruClock(now),
      disposeAfter: (_entry, _key, reason) => {
        if (reason === 'expire' && clients.peek(api) === lists) updateSize(api, lists);
      },
    });
    return lists;
  }

  function updateSize(api: ApiClient, lists: Lists<T>): void {
    // The cache computes the size only when an entry is added.
    clients.delete(api);
    if (lists.size > 0) clients.set(api, lists);
  }

  function store(api: ApiClient, key: string, entry: Entry<T>, bytes: number): void {
    const lists = clients.get(api) ?? createLists(api);
    lists.set(key, entry, { size: bytes + ENTRY_BYTES });
    updateSize(api, lists);
  }

  function remove(api: ApiClient, key: string): void {
    clients.peek(api)?.delete(key);
  }

  function readNow(api: ApiClient, key: string, load: Load<T>): Promise<Outcome<T>> {
    const calls = inFlight.get(api) ?? new Map<string, Promise<Outcome<T>>>();
    inFlight.set(api, calls);
    remove(api, key);
    const startedAt = now();
    const outcome = load();
    calls.set(key, outcome);
    const end = (ended?: Outcome<T>) => {
      // The list was dropped or requested again meanwhile.
      if (calls.get(key) !== outcome) return;
      calls.delete(key);
      const isDone = ended?.kind === 'done';
      const until = isDone ? startedAt + maxAgeMs : now() + failedMs;
      if (isDone || failedMs > 0) store(api, key, { until, outcome }, heapBytes(ended));
    };
    outcome.then(end, () => end());
    return outcome;
  }

  return {
    readNow,
    read(api, key, load) {
      const call = inFlight.get(api)?.get(key);
      if (call) return call;
      const entry = clients.get(api)?.get(key);
      return entry && now() < entry.until ? entry.outcome : readNow(api, key, load);
    },
    drop(api, key) {
      if (key === undefined) {
        // The calls in flight hold this map: when it is empty, they don't cache their results.
        inFlight.get(api)?.clear();
        clients.delete(api);
        return;
      }
      inFlight.get(api)?.delete(key);
      remove(api, key);
    },
    bytes: () => clients.calculatedSize,
  };
}

/**
 * An upper estimate of the heap that a plain value takes, in bytes: 1.0 to 3.3 times the measured size. Each character
 * counts as two bytes, because V8 stores a string with a single non-Latin-1 character that way.
 */
export function heapBytes(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  if (value instanceof Date) return 96;
  const values = Object.values(value);
  return 48 + values.reduce((sum: number, one: unknown) => sum + 16 + heapBytes(one), 0);
}
