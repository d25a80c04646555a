import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PGliteAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Session } from './session.ts';

/**
 * Kysely's dialect for a session. The adapter declares a single connection, so Kysely lets one caller use it at a time.
 * Isolation levels are ignored, because transactions on one connection are serial anyway. Kysely's PGlite driver isn't
 * used, because it hangs and leaves an unhandled rejection after the database's thread has ended.
 */
export function createSessionDialect(session: Session): Dialect {
  return {
    createAdapter: () => new PGliteAdapter(),
    createDriver: () => new SessionDriver(session),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class SessionDriver implements Driver {
  readonly #session: Session;
  readonly #connection: SessionConnection;

  constructor(session: Session) {
    this.#session = session;
    this.#connection = new SessionConnection(session);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {}

  beginTransaction(): Promise<void> {
    return this.#connection.begin();
  }

  commitTransaction(): Promise<void> {
    return this.#connection.commit();
  }

  rollbackTransaction(): Promise<void> {
    return this.#connection.rollback();
  }

  destroy(): Promise<void> {
    return this.#session.close();
  }
}

/** Numbers are unique in the process, because several dialects may share a session. */
let lastTransactionNumber = 0;

class SessionConnection implements DatabaseConnection {
  readonly #session: Session;
  #transaction: number | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affectedRows } = await this.#session.query<Row>(
      query.sql,
      query.parameters,
      this.#transaction,
    );
    return { rows, numAffectedRows: BigInt(affectedRows) };
  }

  // biome-ignore lint/correctness/useYield: there is nothing to yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('the embedded database does not support streaming');
  }

  async begin(): Promise<void> {
    lastTransactionNumber += 1;
    const transaction = lastTransactionNumber;
    await this.#session.begin(transaction);
    this.#transaction = transaction;
  }

  async commit(): Promise<void> {
    try {
      await this.#end((transaction) => this.#session.commit(transaction));
    } catch (error) {
      // Kysely rolls back after any other error. Here Postgres has already rolled back.
      if (isAborted(error)) throw new AbortedTransactionError({ cause: error });
      throw error;
    }
  }

  rollback(): Promise<void> {
    return this.#end((transaction) => this.#session.rollback(transaction));
  }

  /** Does nothing after a failed commit, because the transaction has already ended. */
  async #end(end: (transaction: number) => Promise<void>): Promise<void> {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    if (transaction !== undefined) await end(transaction);
  }
}

/** Whether a statement of the transaction had failed, so that COMMIT rolled back (in_failed_sql_transaction). */
function isAborted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25P02';
}
