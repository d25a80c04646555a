import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { hasRows, type Session } from './session.ts';
import { createWorkerClient } from './worker-client.ts';

/** Queries create short-lived garbage. By default V8 lets up to 48 MB of it accumulate. */
const YOUNG_GENERATION_MB = 4;

/**
 * Opens a session whose PGlite runs in a worker thread. If the thread ends unexpectedly, `onEnd` is called, and pending
 * and later requests are rejected with the reason as `cause`.
 */
export async function openWorkerSession(cluster: string, onEnd: (error: Error) => void): Promise<Session> {
  const thread = new Worker(new URL('./pglite-thread.ts', import.meta.url), {
    workerData: cluster,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  await once(thread, 'message');
  const { send, close } = createWorkerClient(thread, onEnd);
  return {
    query: async <Row>(sql: string, parameters: readonly unknown[], transaction?: number) => {
      const result = await send({ kind: 'query', sql, parameters, transaction });
      if (!hasRows<Row>(result)) throw new TypeError('the reply of the database thread has no rows');
      return result;
    },
    begin: async (transaction) => void (await send({ kind: 'begin', transaction })),
    commit: async (transaction) => void (await send({ kind: 'commit', transaction })),
    rollback: async (transaction) => void (await send({ kind: 'rollback', transaction })),
    close,
  };
}
