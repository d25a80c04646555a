import { setTimeout as delay } from 'node:timers/promises';
import { WINDOW_SECONDS } from './request-signature.ts';

/**
 * Whether a signed request has arrived before. A `retry` arrives so soon after the first that Slack may have sent it; a
 * `replay` arrives later. `unsure`: the stored arrivals couldn't be read in time.
 */
type Arrival = 'first' | 'retry' | 'replay' | 'unsure';

/** `first`, or the time in ms since the same request first arrived. */
type Arrived = 'first' | number;

/** Stores these signatures for all instances, and returns when each of them first arrived. */
export type ShareArrivals = (signatures: readonly string[]) => Promise<ReadonlyMap<string, Arrived>>;

/** The stored arrivals of a single instance, which survive its restarts. */
export interface StoredArrivals {
  /** Arrivals of earlier runs that are still within the window, with their times (ms since the epoch). */
  before(): Promise<ReadonlyMap<string, number>>;
  add(signatures: readonly string[]): Promise<void>;
}

/** No signature is valid for longer: its timestamp may be one window in the future, and is then valid for another. */
export const SIGNATURE_LIFETIME_MS = 2 * WINDOW_SECONDS * 1000;
/**
 * Slack's own retry of a request is byte-identical and arrives within a second; later retries of events have new
 * signatures. An identical request after this time is a replay.
 */
export const RETRY_MS = 10_000;
/** Slack waits 3 s in all, and most of that time belongs to the handler. */
const WAIT_MS = 250;
/** Signatures that wait to be written. If more wait because writing fails, the oldest are dropped. */
const MAX_WAITING = 50_000;

/**
 * Detects repeated requests by the signatures that we computed ourselves: first in this instance's memory, then in the
 * arrivals that all instances share. Queries are batched: while one is in flight, signatures collect for the next, so a
 * busy instance queries no more often than the database answers. A single instance (`kept`) reads the arrivals of
 * earlier runs once, and writes new ones without waiting.
 */
export function createArrivalCheck(options: {
  share?: ShareArrivals | undefined;
  /** Used if there is no `share`. */
  kept?: StoredArrivals | undefined;
  /** ms since the epoch. */
  clock: () => number;
  waitMs?: number;
  onError?: (error: unknown) => void;
}): (signature: string) => Promise<Arrival> {
  const { share, kept, clock, waitMs = WAIT_MS, onError = () => undefined } = options;
  const seen = new Map<string, number>();
  const lookUp = share ? createBatchedLookUp(share) : kept && createStoredLookUp(kept, clock, onError);
  const arrivalOf = (signature: string, arrived: Arrived): Arrival => {
    if (arrived === 'first') return 'first';
    // Another instance, or an earlier run, had the request first.
    seen.set(signature, clock() - arrived);
    return arrived <= RETRY_MS ? 'retry' : 'replay';
  };
  return async (signature) => {
    const now = clock();
    const before = seen.get(signature);
    if (before !== undefined) return now - before <= RETRY_MS ? 'retry' : 'replay';
    recordArrival(seen, signature, now);
    const found = lookUp?.(signature) ?? 'first';
    if (!(found instanceof Promise)) return arrivalOf(signature, found);
    const answered = found.then(
      (arrived) => arrivalOf(signature, arrived),
      (error: unknown): Arrival => {
        onError(error);
        return 'unsure';
      },
    );
    return Promise.race([answered, delay(waitMs, 'unsure' as const, { ref: false })]);
  };
}

/** Returns when a signature first arrived. */
type LookUp = (signature: string) => Arrived | Promise<Arrived>;

/** Looks up arrivals of earlier runs, and writes new ones in the background. */
function createStoredLookUp(
  { before, add }: StoredArrivals,
  clock: () => number,
  onError: (error: unknown) => void,
): LookUp {
  const write = writeBehind(add, onError);
  let known: ReadonlyMap<string, number> | undefined;
  let loading: Promise<ReadonlyMap<string, number>> | undefined;
  const load = () => {
    loading ??= before().then(
      (signatures) => {
        known = signatures;
        return known;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  // Load before the first request arrives. If this fails, the first request loads again and reports the error.
  load().catch(() => undefined);
  const compareArrival = (signature: string, all: ReadonlyMap<string, number>): Arrived => {
    const at = all.get(signature);
    if (at !== undefined) return Math.max(0, clock() - at);
    write(signature);
    return 'first';
  };
  return (signature) =>
    known ? compareArrival(signature, known) : load().then((all) => compareArrival(signature, all));
}

/** Writes one batch at a time. A batch that failed is written with the next one. */
function writeBehind(add: StoredArrivals['add'], onError: (error: unknown) => void) {
  let waiting: string[] = [];
  let isWriting = false;
  const write = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await add(batch);
      } catch (error) {
        onError(error);
        waiting = [...batch, ...waiting].slice(-MAX_WAITING);
        break;
      }
    }
    isWriting = false;
  };
  return (signature: string): void => {
    waiting.push(signature);
    if (!isWriting) write().catch(onError);
  };
}

/** Maps keep insertion order, so the oldest signatures come first. */
function recordArrival(seen: Map<string, number>, signature: string, now: number): void {
  for (const [old, at] of seen) {
    if (now - at <= SIGNATURE_LIFETIME_MS) break;
    seen.delete(old);
  }
  seen.set(signature, now);
}

/** Collects signatures while a query is in flight, and queries for all of them at once. */
function createBatchedLookUp(share: ShareArrivals): (signature: string) => Promise<Arrived> {
  let waiting: string[] = [];
  let next: ReturnType<ShareArrivals> | undefined;
  let inFlight: Promise<unknown> = Promise.resolve();
  const send = async (): ReturnType<ShareArrivals> => {
    await inFlight;
    const batch = waiting;
    waiting = [];
    next = undefined;
    const result = share(batch);
    inFlight = result.catch(() => undefined);
    return result;
  };
  return async (signature) => {
    waiting.push(signature);
    next ??= send();
    const arrived = (await next).get(signature);
    if (arrived === undefined) throw new Error('the shared arrivals lack a signature');
    return arrived;
  };
}
