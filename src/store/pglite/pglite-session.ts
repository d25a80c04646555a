import { PGlite, type Transaction } from '@electric-sql/pglite';
import { columnParsers } from '../column-values.ts';
import { pgliteMemory } from './pglite-memory.ts';
import type { Answer, Session } from './session.ts';
import { keepLogSmall } from './write-ahead-log.ts';

interface OpenTransaction {
  statements: Pick<Transaction, 'query'>;
  end: PromiseWithResolvers<void>;
  ended: Promise<void>;
}

/** PGlite over an existing cluster folder, in this thread. Its errors carry Postgres' `code`, `constraint`, `detail` … */
export async function openPGliteSession(cluster: string): Promise<Session> {
  const pglite = await PGlite.create(cluster, { ...pgliteMemory, parsers: { ...columnParsers } });
  const stopKeeping = keepLogSmall(pglite);
  const transactions = new Map<number, OpenTransaction>();

  return {
    query: async <Row>(sql: string, parameters: readonly unknown[], transaction?: number) => {
      const target = transaction === undefined ? pglite : open(transactions, transaction).statements;
      return answer<Row>(target, sql, parameters);
    },
    begin: async (transaction) => {
      transactions.set(transaction, await begin(pglite));
    },
    commit: async (transaction) => {
      const { end, ended } = take(transactions, transaction);
      end.resolve();
      await ended;
    },
    rollback: async (transaction) => {
      const { end, ended } = take(transactions, transaction);
      end.reject(new Error('rolled back'));
      await ended.catch(() => undefined);
    },
    close: async () => {
      stopKeeping();
      // PGlite would wait for them for ever.
      for (const { end } of transactions.values()) end.reject(new Error('the database is closing'));
      if (!pglite.closed) await pglite.close();
    },
  };
}

/** PGlite's own transaction() and not a BEGIN: a BEGIN would capture the statements of every other caller. */
async function begin(pglite: PGlite): Promise<OpenTransaction> {
  const end = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<Pick<Transaction, 'query'>>();
  const ended = pglite.transaction(async (statements) => {
    begun.resolve(statements);
    await end.promise;
  });
  ended.catch(begun.reject);
  return { statements: await begun.promise, end, ended };
}

function open(transactions: Map<number, OpenTransaction>, transaction: number): OpenTransaction {
  const found = transactions.get(transaction);
  if (found === undefined) throw new Error(`transaction ${transaction} is not open`);
  return found;
}

function take(transactions: Map<number, OpenTransaction>, transaction: number): OpenTransaction {
  const found = open(transactions, transaction);
  transactions.delete(transaction);
  return found;
}

async function answer<Row>(
  target: Pick<Transaction, 'query'>,
  sql: string,
  parameters: readonly unknown[],
): Promise<Answer<Row>> {
  try {
    const { rows, affectedRows } = await target.query<Row>(sql, [...parameters]);
    return { rows, affectedRows: affectedRows ?? 0 };
  } catch (error) {
    throw purgeContent(error);
  }
}

/** PGlite hangs the statement and its parameters on its errors, from where they would reach the log. */
function purgeContent(error: unknown): unknown {
  if (error instanceof Error) {
    for (const field of ['query', 'params', 'queryOptions']) Reflect.deleteProperty(error, field);
  }
  return error;
}
