import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Resolves or rejects like `work`, or resolves with `late` after `ms`. The work goes on, and its later result is lost
 * unless the caller waits for it again. Stops its timer, because thousands of requests a minute would leave as many
 * timers behind.
 */
export function within<Value>(ms: number, work: Promise<Value>): Promise<Value | undefined>;
export function within<Value, Late>(ms: number, work: Promise<Value>, late: Late): Promise<Value | Late>;
export async function within<Value, Late>(
  ms: number,
  work: Promise<Value>,
  late?: Late,
): Promise<Value | Late | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Late | undefined>((resolve) => {
    timer = setTimeout(() => resolve(late), ms).unref();
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Our own choice: a few requests at once neither take long one after the other nor keep others waiting. */
const DEFAULT_LIMIT = 4;

/** Calls `work` for each item, at most `limit` at once. Returns the results in the order of the items. */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  limit = DEFAULT_LIMIT,
): Promise<Result[]> {
  const results: Result[] = [];
  // All workers share one iterator, so each takes the next item.
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}

/**
 * How long one piece of work keeps the thread. A request needs some twenty turns of the event loop, and waits in each for
 * all pieces of long work.
 */
const TURN_MS = 2;
/** If others worked for this long while a piece of work gave way, somebody waits for them. */
const BUSY_MS = 0.3;

/** The pieces of long work that rest now, in this process. */
let restingCount = 0;

/**
 * Tells a long piece of work on this thread when its turn is over. `now`: a monotonic clock in ms. Defaults to that of the
 * process. `readWorkedMs`: how long the work has kept the thread. Defaults to `now`, for work that waits for nothing.
 */
export function createGiveWay(now: () => number = () => performance.now(), readWorkedMs = now) {
  let [startedAt, restedAtMs] = [now(), readWorkedMs()];
  return {
    isDue: () => now() - startedAt >= TURN_MS,
    /**
     * Lets others work once, and if they did, for as long as it takes that all long work together has half of the thread.
     * Otherwise a request would wait for a turn of each piece twenty times. Only work counts: after a wait for a slow
     * download, others need no rest of the same length.
     */
    async giveWay(): Promise<void> {
      const workedMs = readWorkedMs() - restedAtMs;
      const gaveWayAt = now();
      await nextTurn();
      const isBusy = now() - gaveWayAt >= BUSY_MS;
      if (isBusy && workedMs >= TURN_MS) {
        restingCount += 1;
        await delay(workedMs * (2 * restingCount - 1));
        restingCount -= 1;
      }
      if (!isBusy || workedMs >= TURN_MS) restedAtMs = readWorkedMs();
      startedAt = now();
    },
  };
}

/** Maps a list, and lets others have their turn while it does. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  const turn = createGiveWay();
  for (const item of items) {
    results.push(map(item));
    if (turn.isDue()) await turn.giveWay();
  }
  return results;
}

/** Filters a list, and lets others have their turn while it does. */
export async function filterInTurns<Item>(
  items: readonly Item[],
  matches: (item: Item) => boolean,
): Promise<Item[]> {
  const results = await mapInTurns(items, matches);
  return items.filter((_item, index) => results[index]);
}
