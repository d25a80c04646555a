import type { Worker } from 'node:worker_threads';
import type { Answer } from './session.ts';
import { type Asked, type Call, type Reply, toError } from './thread-messages.ts';

/**
 * Asks the database's thread, and matches its replies. The thread is running, then closing (what was asked before is
 * still answered), then ended; or it ends by itself, which `onEnd` is told, and which rejects all that waits.
 */
export function askThread(thread: Worker, onEnd: (error: Error) => void) {
  const waiting = new Map<number, PromiseWithResolvers<Answer<unknown>>>();
  const exited = Promise.withResolvers<void>();
  let asked = 0;
  let reason: unknown;
  let ended: Error | undefined;
  let closing: Promise<void> | undefined;

  thread.on('message', (reply: Reply) => {
    const asker = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('failure' in reply) asker?.reject(toError(reply.failure));
    else asker?.resolve(reply.answer);
  });
  thread.on('error', (error) => {
    reason = error;
  });
  thread.once('exit', () => {
    ended = new Error("the database's thread has ended", { cause: reason });
    for (const asker of waiting.values()) asker.reject(ended);
    waiting.clear();
    exited.resolve();
    if (closing === undefined) onEnd(ended);
  });

  async function ask(what: Call): Promise<Answer<unknown>> {
    if (ended !== undefined) throw ended;
    asked += 1;
    thread.postMessage({ id: asked, what } satisfies Asked);
    const asker = Promise.withResolvers<Answer<unknown>>();
    waiting.set(asked, asker);
    return asker.promise;
  }

  async function close(): Promise<void> {
    if (ended !== undefined) return;
    // What cannot close in order ends all the same; committed rows are safe either way.
    await ask({ do: 'close' }).catch(() => thread.terminate());
    await exited.promise;
  }

  return {
    ask,
    /** May be called more than once. */
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
