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
 * Kysely over a session. The adapter says that there is one connection, and kysely hands it to one caller at a time.
 * Isolation levels are not passed on: with one connection, transactions are serial anyway. (Kysely's own PGlite driver
 * waits for ever, and leaves a rejection that nobody handles, when the database's thread has died.)
 */
export function sessionDialect(session: Session): Dialect {
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

/** Several dialects may share a session, so the numbers of their transactions come from one place. */
let transactionsBegun = 0;

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
    throw new Error('the embedded database does not stream');
  }

  async begin(): Promise<void> {
    transactionsBegun += 1;
    const transaction = transactionsBegun;
    await this.#session.begin(transaction);
    this.#transaction = transaction;
  }

  async commit(): Promise<void> {
    try {
      await this.#end((transaction) => this.#session.commit(transaction));
    } catch (error) {
      // Kysely rolls back after any other error; here Postgres has done so itself.
      if (isAborted(error)) throw new AbortedTransactionError({ cause: error });
      throw error;
    }
  }

  rollback(): Promise<void> {
    return this.#end((transaction) => this.#session.rollback(transaction));
  }

  /** After a commit that failed nothing is left to roll back. */
  async #end(end: (transaction: number) => Promise<void>): Promise<void> {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    if (transaction !== undefined) await end(transaction);
  }
}

/** A statement in it had failed, and COMMIT rolled back: in_failed_sql_transaction. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25P02';
}
