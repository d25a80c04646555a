import { noteCommit, runForSeveralRequests } from './commits.ts';
import { isDatabaseFailure } from './database-unavailable.ts';
import { isDeadlock } from './locks.ts';

/** Maximum number of items in one statement. */
const MAX_BATCH_SIZE = 500;
/** Maximum number of concurrent statements. With two, a locked row or a broken connection doesn't delay all items. */
const MAX_STATEMENTS = 2;
/** How long items wait for the running statement before a second one starts. Few large statements cost less. */
const MAX_WAIT_MS = 20;

interface PendingItem<Item, Result> {
  item: Item;
  resolve(result: Result | undefined): void;
  reject(error: unknown): void;
}

/**
 * Returns a function that runs a statement for an item. Items of the same tick share one statement, and so do items that
 * arrive while earlier statements run: fewer statements, and one commit for many rows. The function resolves with the
 * item's result, or with undefined if the statement has none for it.
 *
 * `getKey` identifies the item's row. A batch has at most one change of each row, because a second change depends on the
 * first. `run` sends the statement and resolves with the results by key. `table`: the one in which each item with a result
 * has changed something.
 */
export function createBatchedStatement<Item, Result>(options: {
  table?: string;
  getKey(item: Item): string;
  run(items: readonly Item[]): Promise<ReadonlyMap<string, Result>>;
}): (item: Item) => Promise<Result | undefined> {
  const { table, getKey, run } = options;
  const pending: PendingItem<Item, Result>[] = [];
  /** The rows that running statements change. */
  const changingKeys = new Set<string>();
  let statementCount = 0;
  let waitTimer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;

  async function runBatch(batch: readonly PendingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await runForSeveralRequests(() => run(batch.map(({ item }) => item)));
      for (const { item, resolve } of batch) resolve(results.get(getKey(item)));
    } catch (error) {
      // The error of one row must not fail the other rows, so each row is retried alone. The same after a deadlock: a
      // change of one row holds no other row that somebody could wait for.
      if (batch.length > 1 && (isDeadlock(error) || !isDatabaseFailure(error)))
        for (const item of batch) await runBatch([item]);
      else for (const { reject } of batch) reject(error);
    }
  }
  async function flush(): Promise<void> {
    if (statementCount >= MAX_STATEMENTS) return;
    statementCount += 1;
    try {
      for (let batch = takeBatch(); batch.size > 0; batch = takeBatch()) {
        for (const key of batch.keys()) changingKeys.add(key);
        await runBatch([...batch.values()]);
        for (const key of batch.keys()) changingKeys.delete(key);
      }
    } finally {
      statementCount -= 1;
    }
  }
  function takeBatch(): Map<string, PendingItem<Item, Result>> {
    const batch = new Map<string, PendingItem<Item, Result>>();
    const deferred: PendingItem<Item, Result>[] = [];
    for (const waiting of pending.splice(0, MAX_BATCH_SIZE)) {
      const key = getKey(waiting.item);
      // The statement that changes the row takes the next change afterwards.
      if (batch.has(key) || changingKeys.has(key)) deferred.push(waiting);
      else batch.set(key, waiting);
    }
    pending.unshift(...deferred);
    return batch;
  }
  function scheduleFlush(): void {
    if (statementCount > 0) waitTimer ??= setTimeout(startFlush, MAX_WAIT_MS);
    else immediate ??= setImmediate(startFlush);
  }
  function startFlush(): void {
    clearTimeout(waitTimer);
    clearImmediate(immediate);
    waitTimer = undefined;
    immediate = undefined;
    void flush().catch(failAll);
  }
  function failAll(error: unknown): void {
    for (const { reject } of pending.splice(0)) reject(error);
  }
  return async (item) => {
    const result = await new Promise<Result | undefined>((resolve, reject) => {
      pending.push({ item, resolve, reject });
      scheduleFlush();
    });
    if (table !== undefined && result !== undefined) noteCommit(table);
    return result;
  };
}
