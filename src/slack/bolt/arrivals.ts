import { setTimeout as delay } from 'node:timers/promises';
import { WINDOW_SECONDS } from './request-signature.ts';

/**
 * Whether a signed request has come before. A retry comes so soon after the first that Slack itself may have sent it, a
 * replay later. Unsure: only the other instances could tell, and they did not in time.
 */
type Arrival = 'first' | 'retry' | 'replay' | 'unsure';

/** `first`, or how many ms ago the same request first arrived. */
type Arrived = 'first' | number;

/** Tells all instances of these signatures, and when each of them came first. */
export type ShareArrivals = (signatures: readonly string[]) => Promise<ReadonlyMap<string, Arrived>>;

/** What one instance alone keeps over its restarts. */
export interface KeptArrivals {
  /** Those of earlier runs that could come again, with when they came (ms since the epoch). */
  before(): Promise<ReadonlyMap<string, number>>;
  add(signatures: readonly string[]): Promise<void>;
}

/** No signature passes for longer: one from the future waits for its moment, and then for its window. */
export const REMEMBERED_MS = 2 * WINDOW_SECONDS * 1000;
/**
 * Slack's own retry of a request is byte-identical and comes within a second; its later retries of events are signed
 * anew. What comes identically after this is a replay.
 */
export const RETRY_MS = 10_000;
/** A person waits 3 s in all, and most of them belong to what they asked for. */
const WAIT_MS = 250;
/** While nothing can be written, older ones are let go. */
const MOST_WAITING = 50_000;

/**
 * Drops what was already seen, by the signatures that we computed ourselves: first by this instance's memory, then by
 * what all instances share. While one question is under way the next ones gather and go together, so that a busy
 * instance asks no more often than the database answers. An instance that is alone asks once what came before its
 * start, and waits for nothing that it keeps.
 */
export function arrivals(options: {
  share?: ShareArrivals | undefined;
  /** Without `share`. */
  kept?: KeptArrivals | undefined;
  /** ms since the epoch. */
  clock: () => number;
  waitMs?: number;
  onTrouble?: (error: unknown) => void;
}): (signature: string) => Promise<Arrival> {
  const { share, kept, clock, waitMs = WAIT_MS, onTrouble = () => undefined } = options;
  const seen = new Map<string, number>();
  const look = share ? gathered(share) : kept && afterRestart(kept, clock, onTrouble);
  const arrivalOf = (signature: string, arrived: Arrived): Arrival => {
    if (arrived === 'first') return 'first';
    // It came somewhere else before it came here.
    seen.set(signature, clock() - arrived);
    return arrived <= RETRY_MS ? 'retry' : 'replay';
  };
  return async (signature) => {
    const now = clock();
    const before = seen.get(signature);
    if (before !== undefined) return now - before <= RETRY_MS ? 'retry' : 'replay';
    remember(seen, signature, now);
    const told = look?.(signature) ?? 'first';
    if (!(told instanceof Promise)) return arrivalOf(signature, told);
    const answered = told.then(
      (arrived) => arrivalOf(signature, arrived),
      (error: unknown): Arrival => {
        onTrouble(error);
        return 'unsure';
      },
    );
    return Promise.race([answered, delay(waitMs, 'unsure' as const, { ref: false })]);
  };
}

/** Says at once, or later, when a signature came first. */
type Look = (signature: string) => Arrived | Promise<Arrived>;

/** Whether it did not come before this start; what comes now is kept behind it. */
function afterRestart(
  { before, add }: KeptArrivals,
  clock: () => number,
  onTrouble: (error: unknown) => void,
): Look {
  const keep = writtenBehind(add, onTrouble);
  let known: ReadonlyMap<string, number> | undefined;
  let asking: Promise<ReadonlyMap<string, number>> | undefined;
  const ask = () => {
    asking ??= before().then(
      (signatures) => {
        known = signatures;
        return known;
      },
      (error: unknown) => {
        asking = undefined;
        throw error;
      },
    );
    return asking;
  };
  // Known by the time that the first request comes; if not, that one asks again and tells of it.
  ask().catch(() => undefined);
  const arrived = (signature: string, all: ReadonlyMap<string, number>): Arrived => {
    const at = all.get(signature);
    if (at !== undefined) return Math.max(0, clock() - at);
    keep(signature);
    return 'first';
  };
  return (signature) => (known ? arrived(signature, known) : ask().then((all) => arrived(signature, all)));
}

/** One batch at a time; one that could not be written goes with the next. */
function writtenBehind(add: KeptArrivals['add'], onTrouble: (error: unknown) => void) {
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
        onTrouble(error);
        waiting = [...batch, ...waiting].slice(-MOST_WAITING);
        break;
      }
    }
    isWriting = false;
  };
  return (signature: string): void => {
    waiting.push(signature);
    if (!isWriting) write().catch(onTrouble);
  };
}

/** The map keeps the order in which signatures came. */
function remember(seen: Map<string, number>, signature: string, now: number): void {
  for (const [old, at] of seen) {
    if (now - at <= REMEMBERED_MS) break;
    seen.delete(old);
  }
  seen.set(signature, now);
}

function gathered(share: ShareArrivals): (signature: string) => Promise<Arrived> {
  let waiting: string[] = [];
  let next: ReturnType<ShareArrivals> | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  const send = async (): ReturnType<ShareArrivals> => {
    await underWay;
    const batch = waiting;
    waiting = [];
    next = undefined;
    const asked = share(batch);
    underWay = asked.catch(() => undefined);
    return asked;
  };
  return async (signature) => {
    waiting.push(signature);
    next ??= send();
    const arrived = (await next).get(signature);
    if (arrived === undefined) throw new Error('it was not said when a request came first');
    return arrived;
  };
}
