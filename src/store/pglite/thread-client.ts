import type { Worker } from 'node:worker_threads';
import type { Answer } from './session.ts';
import { type Call, type ThreadReply, type ThreadRequest, toError } from './thread-messages.ts';

/**
 * Sends requests to the database's thread and matches its replies.
 *
 * Running: requests are answered in order. Closing: earlier requests are still answered. Ended: all requests are
 * rejected. A thread that ends by itself rejects the pending requests too, and `onEnd` is called.
 */
export function createThreadClient(thread: Worker, onEnd: (error: Error) => void) {
  const pending = new Map<number, PromiseWithResolvers<Answer<unknown>>>();
  const exited = Promise.withResolvers<void>();
  let lastId = 0;
  let reason: unknown;
  let ended: Error | undefined;
  let closing: Promise<void> | undefined;

  thread.on('message', (reply: ThreadReply) => {
    const request = pending.get(reply.id);
    pending.delete(reply.id);
    if ('failure' in reply) request?.reject(toError(reply.failure));
    else request?.resolve(reply.answer);
  });
  thread.on('error', (error) => {
    reason = error;
  });
  thread.once('exit', () => {
    ended = new Error("the database's thread has ended", { cause: reason });
    for (const request of pending.values()) request.reject(ended);
    pending.clear();
    exited.resolve();
    if (closing === undefined) onEnd(ended);
  });

  async function send(call: Call): Promise<Answer<unknown>> {
    if (ended !== undefined) throw ended;
    lastId += 1;
    thread.postMessage({ id: lastId, call } satisfies ThreadRequest);
    const request = Promise.withResolvers<Answer<unknown>>();
    pending.set(lastId, request);
    return request.promise;
  }

  async function close(): Promise<void> {
    if (ended !== undefined) return;
    // If an orderly close fails, the thread is terminated. Committed rows are safe either way.
    await send({ do: 'close' }).catch(() => thread.terminate());
    await exited.promise;
  }

  return {
    send,
    /** May be called more than once. */
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
