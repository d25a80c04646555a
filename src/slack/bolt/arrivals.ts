import { setTimeout as delay } from 'node:timers/promises';
import { WINDOW_SECONDS } from './request-signature.ts';

/** Whether a signed request has come before; unsure: only the other instances could tell, and they were not asked in time. */
type Arrival = 'first' | 'again' | 'unsure';

/** Tells all instances of these signatures, and which of them came first here. */
export type ShareArrivals = (signatures: readonly string[]) => Promise<readonly string[]>;

/** No signature passes for longer: one from the future waits for its moment, and then for its window. */
export const REMEMBERED_MS = 2 * WINDOW_SECONDS * 1000;
/** A person waits 3 s in all, and most of them belong to what they asked for. */
const WAIT_MS = 250;

/**
 * Drops what was already seen, by the signatures that we computed ourselves: first by this instance's memory, then by
 * what all instances share. While one question is under way the next ones gather and go together, so that a busy
 * instance asks no more often than the database answers.
 */
export function arrivals(options: {
  share?: ShareArrivals | undefined;
  /** ms since the epoch. */
  clock: () => number;
  waitMs?: number;
  onTrouble?: (error: unknown) => void;
}): (signature: string) => Promise<Arrival> {
  const { share, clock, waitMs = WAIT_MS, onTrouble = () => undefined } = options;
  const seen = new Map<string, number>();
  const together = share && gathered(share);
  return async (signature) => {
    const now = clock();
    if (seen.has(signature)) return 'again';
    remember(seen, signature, now);
    if (!together) return 'first';
    const shared = together(signature).then(
      (isFirst): Arrival => (isFirst ? 'first' : 'again'),
      (error: unknown): Arrival => {
        onTrouble(error);
        return 'unsure';
      },
    );
    return Promise.race([shared, delay(waitMs, 'unsure' as const, { ref: false })]);
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
  let next: Promise<readonly string[]> | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  const send = async (): Promise<readonly string[]> => {
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
    return (await next).includes(signature);
  };
}
