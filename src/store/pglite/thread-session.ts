import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { askThread } from './ask-thread.ts';
import type { Answer, Session } from './session.ts';

/** Garbage of queries is short-lived; V8's default lets 48 MB of it gather before it looks. */
const YOUNG_GENERATION_MB = 4;

/**
 * A session whose PGlite runs in a thread of its own. When the thread ends by itself, `onEnd` is told, and everything
 * that waits for it or is asked later is rejected, with the reason as cause.
 */
export async function openThreadSession(cluster: string, onEnd: (error: Error) => void): Promise<Session> {
  const thread = new Worker(new URL('./pglite-thread.ts', import.meta.url), {
    workerData: cluster,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  await once(thread, 'message');
  const { ask, close } = askThread(thread, onEnd);
  return {
    query: async <Row>(sql: string, parameters: readonly unknown[], transaction?: number) => {
      const answer = await ask({ do: 'query', sql, parameters, transaction });
      if (!holds<Row>(answer)) throw new TypeError('a database answers with rows');
      return answer;
    },
    begin: async (transaction) => void (await ask({ do: 'begin', transaction })),
    commit: async (transaction) => void (await ask({ do: 'commit', transaction })),
    rollback: async (transaction) => void (await ask({ do: 'rollback', transaction })),
    close,
  };
}

/** What the columns are is the asker's claim, here as with every driver. */
function holds<Row>(answer: Answer<unknown>): answer is Answer<Row> {
  return Array.isArray(answer.rows);
}
