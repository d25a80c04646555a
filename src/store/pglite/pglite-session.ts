import { PGlite } from '@electric-sql/pglite';
import { columnParsers } from '../column-values.ts';
import { pgliteMemory } from './pglite-memory.ts';
import { createPreparedStatements, type PreparedStatements } from './prepared-statements.ts';
import { hasRows, type Session } from './session.ts';

interface OpenTransaction {
  /** Resolve it to commit, reject it to roll back. */
  decision: PromiseWithResolvers<void>;
  /** Settles when PGlite has committed or rolled back. */
  completion: Promise<void>;
}

/**
 * Opens an existing cluster with PGlite, in this thread. Errors have the fields of Postgres' errors, such as `code`,
 * `constraint` and `detail`.
 */
export async function openPGliteSession(cluster: string): Promise<Session> {
  const pglite = await PGlite.create(cluster, { ...pgliteMemory, parsers: { ...columnParsers } });
  const stopCheckpoints = startCheckpoints(pglite);
  const statements = createPreparedStatements(pglite);
  const transactions = new Map<number, OpenTransaction>();

  return {
    query: async <Row>(sql: string, parameters: readonly unknown[], transaction?: number) => {
      const run = () =>
        pglite.runExclusive(() => {
          if (!pglite.ready) throw new Error('the database is closed');
          return statements.run(sql, parameters);
        });
      if (transaction !== undefined) findTransaction(transactions, transaction);
      const result = await (transaction === undefined ? runOutsideTransactions(pglite, run) : run());
      if (!hasRows<Row>(result)) throw new TypeError('the result has no rows');
      return result;
    },
    begin: async (transaction) => {
      transactions.set(transaction, await beginTransaction(pglite, statements));
    },
    commit: async (transaction) => {
      const { decision, completion } = removeTransaction(transactions, transaction);
      decision.resolve();
      await completion;
    },
    rollback: async (transaction) => {
      // `close` has rolled back.
      if (pglite.closed) return;
      const { decision, completion } = removeTransaction(transactions, transaction);
      decision.reject(new Error('rolled back'));
      await completion.catch(() => undefined);
    },
    close: async () => {
      stopCheckpoints();
      // PGlite's close() waits for open transactions.
      for (const { decision } of transactions.values()) decision.reject(new Error('the database is closing'));
      transactions.clear();
      if (!pglite.closed) await pglite.close();
    },
  };
}

/** Waits until no transaction is open. */
function runOutsideTransactions<Result>(pglite: PGlite, run: () => Promise<Result>): Promise<Result> {
  return pglite._runExclusiveTransaction(run);
}

/** Uses PGlite's transaction(), because a plain BEGIN would also include the statements of other callers. */
async function beginTransaction(pglite: PGlite, statements: PreparedStatements): Promise<OpenTransaction> {
  const decision = Promise.withResolvers<void>();
  const start = Promise.withResolvers<void>();
  const completion = pglite.transaction(async () => {
    start.resolve();
    await decision.promise.finally(statements.endTransaction);
  });
  completion.catch(start.reject);
  await start.promise;
  return { decision, completion };
}

function findTransaction(transactions: Map<number, OpenTransaction>, transaction: number): OpenTransaction {
  const openTransaction = transactions.get(transaction);
  if (openTransaction === undefined) throw new Error(`transaction ${transaction} is not open`);
  return openTransaction;
}

function removeTransaction(transactions: Map<number, OpenTransaction>, transaction: number): OpenTransaction {
  const openTransaction = findTransaction(transactions, transaction);
  transactions.delete(transaction);
  return openTransaction;
}

const LOG_CHECK_INTERVAL_MS = 10_000;
const MAX_LOG_BYTES = 32 * 2 ** 20;

/**
 * Starts regular checkpoints, which limit the size of the write-ahead log. Returns a function that stops them. PGlite
 * is a single-user Postgres without a checkpointer process. Without checkpoints the log would grow until the database
 * closes, to 369 MB after a million inserted rows. After a kill -9 the whole log would be replayed.
 */
function startCheckpoints(pglite: PGlite): () => void {
  const timer = setInterval(() => {
    // A failure is ignored. If the database is broken, other statements fail too and report it.
    checkpointIfDue(pglite).catch(() => undefined);
  }, LOG_CHECK_INTERVAL_MS);
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
