import { LRUCache } from 'lru-cache';
import { lruClock } from '../cache/cache.ts';
import type { ApiClient } from './client.ts';
import type { Outcome } from './outcome.ts';

/** What services listed, by the client that asked; each client has a memory of its own. */
export interface ListMemory<T> {
  /** As it was answered within `maxAgeMs`. Whoever asks while a call is under way shares it. */
  read(api: ApiClient, key: string, ask: Ask<T>): Promise<Outcome<T>>;
  /** Nothing that was answered before will do. */
  readNow(api: ApiClient, key: string, ask: Ask<T>): Promise<Outcome<T>>;
  /** One list, or all of this client. */
  drop(api: ApiClient, key?: string): void;
  /** What all that is kept takes, in bytes, as `heapBytes` counts. */
  bytes(): number;
}

type Ask<T> = () => Promise<Outcome<T>>;

interface MemoryOptions {
  /** ms. */
  now(): number;
  maxAgeMs: number;
  /** What failed is asked again after this, in ms; 0: at once. */
  failedMs?: number;
  /** Of all clients together; the client that has asked for nothing the longest goes first. */
  maxBytes: number;
  /** Of one client, so that none takes the others' place: its own oldest list goes first, a larger one isn't kept. */
  maxClientBytes: number;
}

interface Kept<T> {
  until: number;
  outcome: Promise<Outcome<T>>;
}

type Lists<T> = LRUCache<string, Kept<T>>;

/** An entry, its key and its place in the cache. */
const ENTRY_BYTES = 500;

export function createListMemory<T>(options: MemoryOptions): ListMemory<T> {
  const { now, maxAgeMs, failedMs = 0, maxBytes, maxClientBytes } = options;
  const underWay = new WeakMap<ApiClient, Map<string, Promise<Outcome<T>>>>();
  const clients = new LRUCache<ApiClient, Lists<T>>({
    maxSize: maxBytes,
    sizeCalculation: ({ calculatedSize }) => calculatedSize + ENTRY_BYTES,
  });

  function listsOf(api: ApiClient): Lists<T> {
    const lists: Lists<T> = new LRUCache({
      maxSize: maxClientBytes,
      // Only gives the memory back: whether a list is too old is for `until` to say.
      ttl: maxAgeMs,
      ttlAutopurge: true,
      // Without it, from a start of 0, a purge would set one timer of Infinity ms after the other.
      perf: lruClock(now),
      disposeAfter: (_kept, _key, reason) => {
        if (reason === 'expire' && clients.peek(api) === lists) count(api, lists);
      },
    });
    return lists;
  }

  function count(api: ApiClient, lists: Lists<T>): void {
    // The same value would not be counted anew.
    clients.delete(api);
    if (lists.size > 0) clients.set(api, lists);
  }

  function keep(api: ApiClient, key: string, kept: Kept<T>, bytes: number): void {
    const lists = clients.get(api) ?? listsOf(api);
    lists.set(key, kept, { size: bytes + ENTRY_BYTES });
    count(api, lists);
  }

  function forget(api: ApiClient, key: string): void {
    clients.peek(api)?.delete(key);
  }

  function readNow(api: ApiClient, key: string, ask: Ask<T>): Promise<Outcome<T>> {
    const calls = underWay.get(api) ?? new Map<string, Promise<Outcome<T>>>();
    underWay.set(api, calls);
    forget(api, key);
    const asked = now();
    const outcome = ask();
    calls.set(key, outcome);
    const end = (ended?: Outcome<T>) => {
      // Dropped, or asked anew meanwhile.
      if (calls.get(key) !== outcome) return;
      calls.delete(key);
      const isDone = ended?.kind === 'done';
      const until = isDone ? asked + maxAgeMs : now() + failedMs;
      if (isDone || failedMs > 0) keep(api, key, { until, outcome }, heapBytes(ended));
    };
    outcome.then(end, () => end());
    return outcome;
  }

  return {
    readNow,
    read(api, key, ask) {
      const call = underWay.get(api)?.get(key);
      if (call) return call;
      const kept = clients.get(api)?.get(key);
      return kept && now() < kept.until ? kept.outcome : readNow(api, key, ask);
    },
    drop(api, key) {
      if (key === undefined) {
        // The calls under way hold this map: emptied, it tells each of them that it was dropped.
        underWay.get(api)?.clear();
        clients.delete(api);
        return;
      }
      underWay.get(api)?.delete(key);
      forget(api, key);
    },
    bytes: () => clients.calculatedSize,
  };
}

/**
 * At least as much as V8 needs for a plain value, in bytes: measured, 1.0 to 3.3 times as much. Characters count twice,
 * since one that isn't Latin-1 makes a whole text so.
 */
export function heapBytes(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  if (value instanceof Date) return 96;
  const parts = Object.values(value);
  return 48 + parts.reduce((sum: number, part: unknown) => sum + 16 + heapBytes(part), 0);
}
