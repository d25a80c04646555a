import { setTimeout as delay } from 'node:timers/promises';
import { WINDOW_SECONDS } from './request-signature.ts';

/** Whether a signed request has come before; unsure: only the other instances could tell, and they were not asked in time. */
type Arrival = 'first' | 'again' | 'unsure';

/** Tells all instances of these signatures, and which of them came first here. */
export type ShareArrivals = (signatures: readonly string[]) => Promise<readonly string[]>;

/** What one instance alone keeps over its restarts. */
export interface KeptArrivals {
  /** Those of earlier runs that could come again. */
  before(): Promise<readonly string[]>;
  add(signatures: readonly string[]): Promise<void>;
}

/** No signature passes for longer: one from the future waits for its moment, and then for its window. */
export const REMEMBERED_MS = 2 * WINDOW_SECONDS * 1000;
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
  const isFirst = share ? gathered(share) : kept && afterRestart(kept, onTrouble);
  return async (signature) => {
    const now = clock();
    if (seen.has(signature)) return 'again';
    remember(seen, signature, now);
    const told = isFirst?.(signature) ?? true;
    if (typeof told === 'boolean') return told ? 'first' : 'again';
    const answered = told.then(
      (first): Arrival => (first ? 'first' : 'again'),
      (error: unknown): Arrival => {
        onTrouble(error);
        return 'unsure';
      },
    );
    return Promise.race([answered, delay(waitMs, 'unsure' as const, { ref: false })]);
  };
}

/** Says at once, or later, whether a signature had not come before. */
type IsFirst = (signature: string) => boolean | Promise<boolean>;

/** Whether it did not come before this start; what comes now is kept behind it. */
function afterRestart({ before, add }: KeptArrivals, onTrouble: (error: unknown) => void): IsFirst {
  const keep = writtenBehind(add, onTrouble);
  let known: ReadonlySet<string> | undefined;
  let asking: Promise<ReadonlySet<string>> | undefined;
  const ask = () => {
    asking ??= before().then(
      (signatures) => {
        known = new Set(signatures);
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
  const isNew = (signature: string, all: ReadonlySet<string>): boolean => {
    if (all.has(signature)) return false;
    keep(signature);
    return true;
  };
  return (signature) => (known ? isNew(signature, known) : ask().then((all) => isNew(signature, all)));
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

function gathered(share: ShareArrivals): (signature: string) => Promise<boolean> {
  let waiting: string[] = [];
  let next: Promise<ReadonlySet<string>> | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  const send = async (): Promise<ReadonlySet<string>> => {
    await underWay;
    const batch = waiting;
    waiting = [];
    next = undefined;
    const asked = share(batch);
    underWay = asked.catch(() => undefined);
    return new Set(await asked);
  };
  return async (signature) => {
    waiting.push(signature);
    next ??= send();
    return (await next).has(signature);
  };
}
