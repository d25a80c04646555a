import type { Worker } from 'node:worker_threads';
import type { StatementResult } from './session.ts';
import {
  type Call,
  deserializeError,
  OPENING_ID,
  type WorkerReply,
  type WorkerRequest,
} from './worker-messages.ts';

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
