import { Worker } from 'node:worker_threads';
import { readFreeDiskBytes } from './cluster.ts';
import { LOG_FILE_MB } from './pglite-memory.ts';
import { hasRows, type Session } from './session.ts';
import { createWorkerClient } from './worker-client.ts';

/** Queries create short-lived garbage. By default V8 lets up to 48 MB of it accumulate. */
const YOUNG_GENERATION_MB = 4;

/** Postgres creates the next file of the write-ahead log when it needs it. */
const LOG_FILE_BYTES = LOG_FILE_MB * 2 ** 20;
const WATCH_INTERVAL_MS = 5_000;

/**
 * Ends the thread if it doesn't reply while the disk has no space for the next file of the write-ahead log: PGlite then
 * runs in an endless loop. Returns a function that stops the watch.
 */
export function watchDisk(
  cluster: string,
  thread: Pick<ReturnType<typeof createWorkerClient>, 'getLongestWaitMs' | 'abort'>,
  { intervalMs = WATCH_INTERVAL_MS, readFreeBytes = readFreeDiskBytes } = {},
): () => void {
  const check = async () => {
    if (thread.getLongestWaitMs() < intervalMs || (await readFreeBytes(cluster)) >= LOG_FILE_BYTES) return;
    thread.abort(
      new Error(`the disk with ${cluster} is full. Free some space, and start again. What was saved is safe`),
    );
  };
  // If the free space is unknown, the thread may be busy with a long statement.
  const timer = setInterval(() => void check().catch(() => undefined), intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Opens a session whose PGlite runs in a worker thread. If the thread ends unexpectedly, `onEnd` is called, and pending
 * and later requests are rejected with the reason as `cause`.
 */
export async function openWorkerSession(cluster: string, onEnd: (error: Error) => void): Promise<Session> {
  const thread = new Worker(new URL('./pglite-thread.ts', import.meta.url), {
    workerData: cluster,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  let isOpen = false;
  const client = createWorkerClient(thread, (error) => {
    stopWatch();
    if (isOpen) onEnd(error);
  });
  const stopWatch = watchDisk(cluster, client);
  await client.waitUntilOpen();
  isOpen = true;
  const { send } = client;
  return {
    query: async <Row>(sql: string, parameters: readonly unknown[], transaction?: number) => {
      const result = await send({ kind: 'query', sql, parameters, transaction });
      if (!hasRows<Row>(result)) throw new TypeError('the reply of the database thread has no rows');
      return result;
    },
    begin: async (transaction) => void (await send({ kind: 'begin', transaction })),
    commit: async (transaction) => void (await send({ kind: 'commit', transaction })),
    rollback: async (transaction) => void (await send({ kind: 'rollback', transaction })),
    close: () => client.close().finally(stopWatch),
  };
}
