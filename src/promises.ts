import { setImmediate as nextTurn } from 'node:timers/promises';

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

/** After this long, other requests get their turn. */
const MAX_TURN_MS = 15;

/** Maps a list, and lets other requests have their turn while it does. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let startedAt = performance.now();
  for (const item of items) {
    results.push(map(item));
    if (performance.now() - startedAt < MAX_TURN_MS) continue;
    await nextTurn();
    startedAt = performance.now();
  }
  return results;
}

/** Filters a list, and lets other requests have their turn while it does. */
export async function filterInTurns<Item>(
  items: readonly Item[],
  matches: (item: Item) => boolean,
): Promise<Item[]> {
  const results = await mapInTurns(items, matches);
  return items.filter((_item, index) => results[index]);
}
