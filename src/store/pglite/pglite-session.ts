import { PGlite, type Transaction } from '@electric-sql/pglite';
import { columnParsers } from '../column-values.ts';
import { pgliteMemory } from './pglite-memory.ts';
import type { Session, StatementResult } from './session.ts';
import { startCheckpoints } from './write-ahead-log.ts';

interface OpenTransaction {
  pgliteTransaction: Pick<Transaction, 'query'>;
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
  const transactions = new Map<number, OpenTransaction>();

  return {
    query: async <Row>(sql: string, parameters: readonly unknown[], transaction?: number) => {
      const executor =
        transaction === undefined ? pglite : findTransaction(transactions, transaction).pgliteTransaction;
      return runStatement<Row>(executor, sql, parameters);
    },
    begin: async (transaction) => {
      transactions.set(transaction, await beginTransaction(pglite));
    },
    commit: async (transaction) => {
      const { decision, completion } = removeTransaction(transactions, transaction);
      decision.resolve();
      await completion;
    },
    rollback: async (transaction) => {
      const { decision, completion } = removeTransaction(transactions, transaction);
      decision.reject(new Error('rolled back'));
      await completion.catch(() => undefined);
    },
    close: async () => {
      stopCheckpoints();
      // PGlite's close() waits for open transactions.
      for (const { decision } of transactions.values()) decision.reject(new Error('the database is closing'));
      if (!pglite.closed) await pglite.close();
    },
  };
}

/** Uses PGlite's transaction(), because a plain BEGIN would also include the statements of other callers. */
async function beginTransaction(pglite: PGlite): Promise<OpenTransaction> {
  const decision = Promise.withResolvers<void>();
  const startedTransaction = Promise.withResolvers<Pick<Transaction, 'query'>>();
  const completion = pglite.transaction(async (pgliteTransaction) => {
    startedTransaction.resolve(pgliteTransaction);
    await decision.promise;
  });
  completion.catch(startedTransaction.reject);
  return { pgliteTransaction: await startedTransaction.promise, decision, completion };
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

async function runStatement<Row>(
  executor: Pick<Transaction, 'query'>,
  sql: string,
  parameters: readonly unknown[],
): Promise<StatementResult<Row>> {
  try {
    const { rows, affectedRows } = await executor.query<Row>(sql, [...parameters]);
    return { rows, affectedRows: affectedRows ?? 0 };
  } catch (error) {
    throw removeStatement(error);
  }
}

/** Removes the statement and its parameters, which PGlite adds to its errors, so that they never reach the log. */
function removeStatement(error: unknown): unknown {
  if (error instanceof Error) {
    for (const field of ['query', 'params', 'queryOptions']) Reflect.deleteProperty(error, field);
  }
  return error;
}
