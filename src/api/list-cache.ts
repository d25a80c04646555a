import { LRUCache } from 'lru-cache';
import { lruClock } from '../cache/cache.ts';
import type { ApiClient } from './client.ts';
import type { Outcome } from './outcome.ts';

type Load<T> = () => Promise<Outcome<T>>;

interface CacheOptions {
  /** Clock in ms. */
  now(): number;
  /** Clock of all instances in ms, for `dropIfOlder`. Defaults to `now`. */
  sharedNow?: (() => number) | undefined;
  maxAgeMs: number;
  /** Maximum age of a cached failure. Defaults to 0. */
  maxFailureAgeMs?: number;
  /** Limit for the lists of all clients. The least recently used client is evicted first. */
  maxBytes: number;
  /** Limit for one client, so that no client displaces the others. A larger list isn't cached. */
  maxClientBytes: number;
}

interface Call<T> {
  /** On the shared clock, ms. */
  startedAt: number;
  outcome: Promise<Outcome<T>>;
}

interface Entry<T> extends Call<T> {
  /** Expiry, in ms on the clock of the options. */
  expiresAt: number;
}

export const MIB = 2 ** 20;
/** Limits for the cached lists of a kind: of all clients, and of one. 20 projects take 6 kB, 300 templates 1.5 MB. */
export const LIST_LIMITS = { maxBytes: 24 * MIB, maxClientBytes: 2 * MIB };

type Lists<T> = LRUCache<string, Entry<T>>;

/** Overhead of one entry: the entry, its key and its slot in the cache. */
const ENTRY_BYTES = 500;

/** A cache of lists from the service. Each client has its own lists, and `key` identifies a list of a client. */
export function createListCache<T>(options: CacheOptions) {
  const { now, sharedNow = now, maxAgeMs, maxFailureAgeMs = 0, maxBytes, maxClientBytes } = options;
  const inFlight = new WeakMap<ApiClient, Map<string, Call<T>>>();
  const listsByClient = new LRUCache<ApiClient, Lists<T>>({
    maxSize: maxBytes,
    sizeCalculation: ({ calculatedSize }) => calculatedSize + ENTRY_BYTES,
    dispose: (lists, _api, reason) => {
      if (reason === 'evict') lists.clear();
    },
  });
  let isClosed = false;

  function createLists(api: ApiClient): Lists<T> {
    const lists: Lists<T> = new LRUCache({
      maxSize: maxClientBytes,
      // The ttl only frees memory. `expiresAt` decides whether a list has expired.
      ttl: maxAgeMs,
      ttlAutopurge: true,
      // Not the app's clock: if that is set back, the rest of the ttl may be longer than a timer can wait, and the purge
      // then never ends.
      perf: lruClock(() => performance.now()),
      disposeAfter: (_entry, _key, reason) => {
        if (reason === 'expire' && listsByClient.peek(api) === lists) updateSize(api, lists);
      },
    });
    return lists;
  }

  function updateSize(api: ApiClient, lists: Lists<T>): void {
    // The cache computes the size of a client's lists only when they are added.
    listsByClient.delete(api);
    if (lists.size > 0) listsByClient.set(api, lists);
  }

  function store(api: ApiClient, key: string, entry: Entry<T>, bytes: number): void {
    if (isClosed) return;
    const lists = listsByClient.get(api) ?? createLists(api);
    lists.set(key, entry, { size: bytes + ENTRY_BYTES });
    updateSize(api, lists);
  }

  function remove(api: ApiClient, key: string): void {
    listsByClient.peek(api)?.delete(key);
  }

  function fetchList(api: ApiClient, key: string, load: Load<T>): Promise<Outcome<T>> {
    const calls = inFlight.get(api) ?? new Map<string, Call<T>>();
    inFlight.set(api, calls);
    remove(api, key);
    const readAt = now();
    const call = { startedAt: sharedNow(), outcome: load() };
    calls.set(key, call);
    const settle = (result?: Outcome<T>) => {
      // The list was dropped or requested again during the call.
      if (calls.get(key) !== call) return;
      calls.delete(key);
      // An error of `load` isn't cached.
      if (!result) return;
      const isDone = result.kind === 'done';
      const expiresAt = isDone ? readAt + maxAgeMs : now() + maxFailureAgeMs;
      if (isDone || maxFailureAgeMs > 0) store(api, key, { ...call, expiresAt }, estimateHeapBytes(result));
    };
    call.outcome.then(settle, () => settle());
    return call.outcome;
  }

  function drop(api: ApiClient, key: string): void {
    inFlight.get(api)?.delete(key);
    remove(api, key);
  }

  return {
    /** Always calls the service, and caches the result. */
    fetch: fetchList,
    /** Returns the cached list if it hasn't expired, or else the result of a call. Concurrent reads share one call. */
    read(api: ApiClient, key: string, load: Load<T>): Promise<Outcome<T>> {
      const call = inFlight.get(api)?.get(key);
      if (call) return call.outcome;
      const entry = listsByClient.get(api)?.get(key);
      const remainingMs = (entry?.expiresAt ?? 0) - now();
      // More than that remains if the clock was set back.
      const isCurrent = remainingMs > 0 && remainingMs <= Math.max(maxAgeMs, maxFailureAgeMs);
      return entry && isCurrent ? entry.outcome : fetchList(api, key, load);
    },
    /** Drops one list, or all lists of the client. The results of their calls in flight will not be cached. */
    drop(api: ApiClient, key?: string) {
      if (key !== undefined) return drop(api, key);
      // A call in flight caches its result only if it is still in this map.
      inFlight.get(api)?.clear();
      listsByClient.peek(api)?.clear();
      listsByClient.delete(api);
    },
    /** Drops a list whose request began at `time` of the shared clock or earlier. */
    dropIfOlder(api: ApiClient, key: string, time: Date) {
      const call = inFlight.get(api)?.get(key) ?? listsByClient.peek(api)?.peek(key);
      if (call && call.startedAt <= time.getTime()) drop(api, key);
    },
    /** Drops all lists, stops the timers that would free them, and caches nothing from then on. */
    close() {
      isClosed = true;
      for (const lists of listsByClient.values()) lists.clear();
      listsByClient.clear();
    },
    /** Returns the size of all cached lists, as estimated by `estimateHeapBytes`. */
    countBytes: () => listsByClient.calculatedSize,
  };
}

/**
 * Estimates an upper bound for the heap that a plain value takes, in bytes: 1.0 to 3.3 times the measured size. Each
 * character counts as two bytes, because V8 stores a string with a single non-Latin-1 character that way.
 */
export function estimateHeapBytes(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  if (value instanceof Date) return 96;
  const values = Object.values(value);
  return 48 + values.reduce((sum: number, item: unknown) => sum + 16 + estimateHeapBytes(item), 0);
}
