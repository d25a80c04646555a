import type { PGlite } from '@electric-sql/pglite';

const CHECK_INTERVAL_MS = 10_000;
const MAX_LOG_BYTES = 32 * 2 ** 20;

/**
 * Starts regular checkpoints, which limit the size of the write-ahead log. Returns a function that stops them. PGlite
 * is a single-user Postgres without a checkpointer process. Without checkpoints the log would grow until the database
 * closes, to 369 MB after a million inserted rows. After a kill -9 the whole log would be replayed.
 */
export function startCheckpoints(pglite: PGlite): () => void {
  const timer = setInterval(() => {
    // A failure is ignored. If the database is broken, other statements fail too and report it.
    checkpointIfDue(pglite).catch(() => undefined);
  }, CHECK_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Runs a checkpoint if the log is too long. A checkpoint takes 20 to 40 ms and blocks all other statements. */
export async function checkpointIfDue(pglite: PGlite): Promise<void> {
  const { rows } = await pglite.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()',
  );
  if ((rows[0]?.bytes ?? 0) > MAX_LOG_BYTES) await pglite.query('checkpoint');
}
