import type { Kysely } from 'kysely';
import { bossDatabase } from './boss-database.ts';

/** An alarm clock that all instances share, and that outlives each of them. */
interface WakeUps {
  /** Somebody is woken at this moment, once for all who set it for the same id meanwhile. */
  at(id: string, when: Date): void;
  /** What is being fetched is done first. */
  stop(): Promise<void>;
}

/** So many at a time: they only wake, and one scan finds what is due. */
const BATCH = 500;
const POLL_SECONDS = 2;
/** An alarm that nobody heard is of no use later: scans find what is due. */
const KEPT_SECONDS = 60 * 60;
const CLOSE_MS = 2_000;

/**
 * pg-boss in a schema of its own. It only wakes: it may wake twice, or not at all, and what is due stands in our own
 * rows. Loaded late, because nobody waits for it.
 */
export async function startWakeUps<Schema>(options: {
  db: Kysely<Schema>;
  /** What is woken, e.g. `submissions`. */
  queue: string;
  onWake(): void;
  onError(error: unknown): void;
}): Promise<WakeUps> {
  const { db, queue, onWake, onError } = options;
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: bossDatabase(db),
    schema: 'jobs',
    // We have no use for its cron, which forgets what fell due while it was down.
    schedule: false,
    reindex: false,
    superviseIntervalSeconds: 300,
  });
  boss.on('error', onError);
  await boss.start();
  await boss.createQueue(queue, {
    retryLimit: 0,
    retentionSeconds: KEPT_SECONDS,
    deleteAfterSeconds: 60,
    expireInSeconds: 60,
  });
  await boss.work(queue, { batchSize: BATCH, pollingIntervalSeconds: POLL_SECONDS }, async () => onWake());
  let stopped = false;
  return {
    at(id, when) {
      if (stopped) return;
      boss.send(queue, {}, { startAfter: when, singletonKey: id, singletonSeconds: 1 }).catch(onError);
    },
    async stop() {
      stopped = true;
      await boss.stop({ graceful: true, timeout: CLOSE_MS, close: false });
    },
  };
}
