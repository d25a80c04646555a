import { resolveWithin } from '../resolve-within.ts';
import { MAX_CLOCK_SKEW_SECONDS } from './request-signature.ts';

/**
 * Classification of a signed request. `first`: no identical request arrived before. `retry`: an identical request
 * arrived at most MAX_RETRY_DELAY_MS ago, so Slack may have sent the request again. `replay`: an identical request
 * arrived longer ago than that. `unsure`: the lookup of the arrivals failed or took too long.
 */
type Arrival = 'first' | 'retry' | 'replay' | 'unsure';

/** `first`, or the time since an identical request first arrived, in ms. */
type ArrivalAge = 'first' | number;

/** Stores the signature for all instances, and returns the time since its first arrival. */
export type RecordSharedArrival = (signature: string) => Promise<ArrivalAge>;

/** Storage for the arrivals of a single instance, which survives restarts. */
export interface StoredArrivals {
  /** Returns the signatures of earlier runs that may still be valid, with their arrival times in ms since the epoch. */
  load(): Promise<ReadonlyMap<string, number>>;
  add(signatures: readonly string[]): Promise<void>;
}

/**
 * Maximum lifetime of a signature. A timestamp may be up to `MAX_CLOCK_SKEW_SECONDS` ahead, and is accepted until it is
 * that old.
 */
export const SIGNATURE_LIFETIME_MS = 2 * MAX_CLOCK_SKEW_SECONDS * 1000;
/**
 * Maximum time between a request and its retry by Slack. A byte-identical retry arrives within a second, and later
 * retries of events have new signatures. So an identical request after this time is a replay.
 */
export const MAX_RETRY_DELAY_MS = 10_000;
/** Time limit for the lookup of an arrival. Slack waits 3 s for the whole request, and the handler needs most of it. */
const MAX_LOOKUP_MS = 250;
/** Maximum number of signatures that wait for writing. The oldest are dropped if writing fails for a long time. */
const MAX_QUEUED_SIGNATURES = 50_000;

/**
 * Creates a function that detects repeated requests by their signatures. It checks the memory of this instance first,
 * and then the arrivals that all instances share. A single instance (`storedArrivals`) loads the arrivals of earlier runs
 * once, and writes new arrivals in the background. Its requests wait until the event loop has read those that arrived with
 * them (see `createTurns`).
 */
export function createArrivalCheck(options: {
  share?: RecordSharedArrival | undefined;
  /** Used if there is no `share`. */
  storedArrivals?: StoredArrivals | undefined;
  /** ms since the epoch. */
  clock: () => number;
  maxLookupMs?: number;
  onError?: (error: unknown) => void;
}): (signature: string) => Promise<Arrival> {
  const { share, storedArrivals, clock, maxLookupMs = MAX_LOOKUP_MS, onError = () => undefined } = options;
  const seenAt = new Map<string, number>();
  const joinTurn = createTurns();
  const lookUp = share ?? (storedArrivals && createStoredLookup(storedArrivals, clock, onError));
  const classifyArrival = (signature: string, age: ArrivalAge): Arrival => {
    if (age === 'first') return 'first';
    // Another instance or an earlier run received the request first.
    seenAt.set(signature, clock() - age);
    return age <= MAX_RETRY_DELAY_MS ? 'retry' : 'replay';
  };
  return async (signature) => {
    const now = clock();
    const firstArrivedAt = seenAt.get(signature);
    if (firstArrivedAt !== undefined) return now - firstArrivedAt <= MAX_RETRY_DELAY_MS ? 'retry' : 'replay';
    recordArrival(seenAt, signature, now);
    const age = lookUp?.(signature) ?? 'first';
    if (!(age instanceof Promise)) {
      const arrival = classifyArrival(signature, age);
      await joinTurn();
      return arrival;
    }
    const arrival = age.then(
      (foundAge) => classifyArrival(signature, foundAge),
      (error: unknown): Arrival => {
        onError(error);
        return 'unsure';
      },
    );
    return resolveWithin(arrival, maxLookupMs, () => 'unsure' as const);
  };
}

/**
 * Creates a function that waits until the event loop has read the requests of its turn. They then run side by side: each
 * step runs for all of them before the next step. With `npm run bench -- acknowledgements`, an instance acknowledged 1.4
 * times as many commands per second as with one request after the other. A shared lookup needs no turns, because requests
 * that share its statement already continue together.
 */
function createTurns(): () => Promise<void> {
  let turn: Promise<void> | undefined;
  return () => {
    turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve();
      });
    });
    return turn;
  };
}

/** Looks up the first arrival of a signature. */
type Lookup = (signature: string) => ArrivalAge | Promise<ArrivalAge>;

/** Creates a lookup that loads the arrivals of earlier runs, and writes new arrivals in the background. */
function createStoredLookup(
  { load, add }: StoredArrivals,
  clock: () => number,
  onError: (error: unknown) => void,
): Lookup {
  const write = createBackgroundWriter(add, onError);
  let knownArrivals: ReadonlyMap<string, number> | undefined;
  let loading: Promise<ReadonlyMap<string, number>> | undefined;
  const loadOnce = () => {
    loading ??= load().then(
      (signatures) => {
        knownArrivals = signatures;
        return knownArrivals;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  // Loads before the first request arrives. If this fails, the first request loads again and reports the error.
  loadOnce().catch(() => undefined);
  const findOrRecordArrival = (signature: string, arrivals: ReadonlyMap<string, number>): ArrivalAge => {
    const arrivedAt = arrivals.get(signature);
    if (arrivedAt !== undefined) return Math.max(0, clock() - arrivedAt);
    write(signature);
    return 'first';
  };
  return (signature) =>
    knownArrivals
      ? findOrRecordArrival(signature, knownArrivals)
      : loadOnce().then((all) => findOrRecordArrival(signature, all));
}

/**
 * Creates a function that queues a signature for writing. One batch is written at a time. A failed batch is retried
 * with the next signature.
 */
function createBackgroundWriter(add: StoredArrivals['add'], onError: (error: unknown) => void) {
  let queue: string[] = [];
  let isWriting = false;
  const write = async () => {
    isWriting = true;
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        await add(batch);
      } catch (error) {
        onError(error);
        queue = [...batch, ...queue].slice(-MAX_QUEUED_SIGNATURES);
        break;
      }
    }
    isWriting = false;
  };
  return (signature: string): void => {
    queue.push(signature);
    if (!isWriting) write().catch(onError);
  };
}

/** Records an arrival and removes expired arrivals. A map is in insertion order, so the oldest arrivals come first. */
function recordArrival(seenAt: Map<string, number>, signature: string, now: number): void {
  for (const [oldest, arrivedAt] of seenAt) {
    if (now - arrivedAt <= SIGNATURE_LIFETIME_MS) break;
    seenAt.delete(oldest);
  }
  seenAt.set(signature, now);
}
