import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Answer, Session } from './session.ts';
import { createThreadClient } from './thread-client.ts';

/** Queries create short-lived garbage, of which V8 collects up to 48 MB by default before it frees any. */
const YOUNG_GENERATION_MB = 4;

/**
 * Opens a session whose PGlite runs in a thread of its own. If the thread ends by itself, `onEnd` is called, and
 * pending and later requests are rejected with the reason as `cause`.
 */
export async function openThreadSession(cluster: string, onEnd: (error: Error) => void): Promise<Session> {
  const thread = new Worker(new URL('./pglite-thread.ts', import.meta.url), {
    workerData: cluster,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  await once(thread, 'message');
  const { send, close } = createThreadClient(thread, onEnd);
  return {
    query: async <Row>(sql: string, parameters: readonly unknown[], transaction?: number) => {
      const answer = await send({ do: 'query', sql, parameters, transaction });
      if (!hasRows<Row>(answer)) throw new TypeError('the answer of the database thread has no rows');
      return answer;
    },
    begin: async (transaction) => void (await send({ do: 'begin', transaction })),
    commit: async (transaction) => void (await send({ do: 'commit', transaction })),
    rollback: async (transaction) => void (await send({ do: 'rollback', transaction })),
    close,
  };
}

/** The columns are not checked: as with every driver, the caller declares the row type. */
function hasRows<Row>(answer: Answer<unknown>): answer is Answer<Row> {
  return Array.isArray(answer.rows);
}
