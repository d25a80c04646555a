import type { PGlite } from '@electric-sql/pglite';

const LOOK_EVERY_MS = 10_000;
const CHECKPOINT_AFTER_BYTES = 32 * 2 ** 20;

/**
 * Checkpoints when the write-ahead log has grown: a single-user Postgres, which PGlite is, has no checkpointer process
 * and would keep the log until it closes (a million inserted rows left 369 MB, to be replayed after a kill -9).
 * Answers with what stops it.
 */
export function keepLogSmall(pglite: PGlite): () => void {
  const timer = setInterval(() => {
    // A database that can no longer answer says so to everybody who asks it something.
    checkpointIfDue(pglite).catch(() => undefined);
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** A checkpoint takes 20 to 40 ms, and while it runs nothing else does. */
export async function checkpointIfDue(pglite: PGlite): Promise<void> {
  const { rows } = await pglite.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()',
  );
  if ((rows[0]?.bytes ?? 0) > CHECKPOINT_AFTER_BYTES) await pglite.query('checkpoint');
}
