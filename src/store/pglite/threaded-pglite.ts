import { Worker } from 'node:worker_threads';
import { LOG_FILE_MB, readFreeDiskBytes } from './cluster.ts';
import { type EarlierVersionHandling, type EmbeddedDatabase, openLockedDatabase } from './locked-database.ts';
import {
  type Call,
  deserializeError,
  hasRows,
  OPENING_ID,
  type Session,
  type StatementResult,
  type WorkerReply,
  type WorkerRequest,
} from './session.ts';

/**
 * Opens the PGlite database in `folder` in a worker thread, so that statements don't block this thread. Throws
 * FolderLocked while this or another process has the folder open. `onEnd` is called if the worker thread ends
 * unexpectedly. After that, every statement is rejected.
 */
export function openThreadedPGlite(
  folder: string,
  onEnd: (error: Error) => void = () => undefined,
  earlierVersion?: EarlierVersionHandling,
): Promise<EmbeddedDatabase> {
  return openLockedDatabase(folder, (cluster) => openWorkerSession(cluster, onEnd), earlierVersion);
}

/** Queries create short-lived garbage. By default V8 lets up to 48 MB of it accumulate. */
const YOUNG_GENERATION_MB = 4;

/** Postgres creates the next file of the write-ahead log when it needs it. */
const LOG_FILE_BYTES = LOG_FILE_MB * 2 ** 20;
const DISK_WATCH_INTERVAL_MS = 5_000;

/**
 * Ends the thread if it doesn't reply while the disk has no space for the next file of the write-ahead log: PGlite then
 * runs in an endless loop. Returns a function that stops the watch.
 */
export function watchDisk(
  cluster: string,
  thread: Pick<ReturnType<typeof createWorkerClient>, 'getLongestWaitMs' | 'abort'>,
  { intervalMs = DISK_WATCH_INTERVAL_MS, readFreeBytes = readFreeDiskBytes } = {},
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
async function openWorkerSession(cluster: string, onEnd: (error: Error) => void): Promise<Session> {
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

/**
 * Sends requests to the database's worker thread, and settles each request with the thread's reply.
 *
 * While the thread runs, it replies to requests in order. After `close` was called, it still replies to earlier
 * requests. After the thread has ended, all requests are rejected. If the thread ends without a call of `close`, the
 * pending requests are rejected too, and `onEnd` is called.
 */
export function createWorkerClient(thread: Worker, onEnd: (error: Error) => void) {
  const pendingRequests = new Map<
    number,
    PromiseWithResolvers<StatementResult<unknown>> & { sentAt: number }
  >();
  const threadExit = Promise.withResolvers<void>();
  let lastId = 0;
  let threadError: unknown;
  let endError: Error | undefined;
  let closePromise: Promise<void> | undefined;
  const addRequest = (id: number) => {
    const request = Promise.withResolvers<StatementResult<unknown>>();
    pendingRequests.set(id, { ...request, sentAt: performance.now() });
    return request.promise;
  };
  const opening = addRequest(OPENING_ID);
  opening.catch(() => undefined);

  thread.on('message', (reply: WorkerReply) => {
    const request = pendingRequests.get(reply.id);
    pendingRequests.delete(reply.id);
    if ('failure' in reply) request?.reject(deserializeError(reply.failure));
    else request?.resolve(reply.result);
  });
  thread.on('error', (error) => {
    threadError = error;
  });
  thread.once('exit', () => {
    endError ??= new Error("the database's thread has ended", { cause: threadError });
    for (const request of pendingRequests.values()) request.reject(endError);
    pendingRequests.clear();
    threadExit.resolve();
    if (closePromise === undefined) onEnd(endError);
  });

  async function send(call: Call): Promise<StatementResult<unknown>> {
    if (endError !== undefined) throw endError;
    lastId += 1;
    thread.postMessage({ id: lastId, call } satisfies WorkerRequest);
    return addRequest(lastId);
  }

  async function close(): Promise<void> {
    if (endError !== undefined) return;
    // If an orderly close fails, the thread is terminated. Committed rows are safe in both cases.
    await send({ kind: 'close' }).catch(() => thread.terminate());
    await threadExit.promise;
  }

  return {
    /** Resolves when the database is open, and rejects with the reason if it can't be opened. */
    waitUntilOpen: () =>
      opening.catch(() => {
        throw threadError ?? endError;
      }),
    send,
    /** How long the oldest request waits for its reply, ms; 0 if none does. */
    getLongestWaitMs() {
      const [oldest] = pendingRequests.values();
      return oldest ? performance.now() - oldest.sentAt : 0;
    },
    /** Ends a thread that doesn't reply any more. All requests are rejected with the reason. */
    abort(reason: Error) {
      endError = reason;
      thread.terminate().catch(() => undefined);
    },
    /** May be called more than once. */
    close: () => {
      closePromise ??= close();
      return closePromise;
    },
  };
}
