import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseConnection, Dialect, Driver } from 'kysely';

/** The tables to which the work of a request has committed writes so far. */
const requests = new AsyncLocalStorage<Set<string> | undefined>();

/**
 * Runs the work of a request, and notes to which tables it commits writes. If a later step fails, for example because
 * what was saved can't be read again, `listCommittedTables` says that something was saved.
 */
export function trackCommits<Result>(work: () => Result): Result {
  return requests.run(new Set(), work);
}

/** The tables to which this request has committed writes. Empty outside of `trackCommits`. */
export function listCommittedTables(): readonly string[] {
  return [...(requests.getStore() ?? [])];
}

/** Runs statements that belong to several requests. Each of them then calls `noteCommit` for its own part. */
export function runForSeveralRequests<Result>(work: () => Result): Result {
  return requests.run(undefined, work);
}

/** Notes that writes of this request to a table were committed. */
export function noteCommit(table: string): void {
  requests.getStore()?.add(table);
}

/** A statement's writes: not `for update`, `do update set` or `for no key update`. */
const WRITE = /(?:\binsert into|(?<!\bfor |\bkey |\bdo )\bupdate|\bdelete from) "?(\w+)"?/gi;

/** Of other statements with writes, the number of affected rows isn't known. */
const SINGLE_WRITE = /^\s*(?:insert|update|delete)\b/i;

function listWrittenTables(statement: string): string[] {
  return [...statement.matchAll(WRITE)].flatMap(([, table]) => table ?? []);
}

/** Returns the dialect with connections that note the commits of requests. */
export function watchCommits(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => watchDriver(dialect.createDriver()),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

function watchDriver(driver: Driver): Driver {
  /** The tables that the open transaction of a connection has written to. Undefined if it has none. */
  const transactions = new WeakMap<DatabaseConnection, Set<string> | undefined>();
  const watch = (connection: DatabaseConnection): void => {
    transactions.set(connection, undefined);
    const executeQuery = connection.executeQuery.bind(connection);
    connection.executeQuery = async <Row>(...query: Parameters<typeof executeQuery>) => {
      const result = await executeQuery<Row>(...query);
      // Work in the background needs no notes.
      const request = requests.getStore();
      const [{ sql }] = query;
      const hasNoEffect = result.numAffectedRows === 0n && SINGLE_WRITE.test(sql);
      if (!request || hasNoEffect) return result;
      const written = transactions.get(connection) ?? request;
      for (const table of listWrittenTables(sql)) written.add(table);
      return result;
    };
  };
  return {
    init: (options) => driver.init(options),
    async acquireConnection(options) {
      const connection = await driver.acquireConnection(options);
      if (!transactions.has(connection)) watch(connection);
      return connection;
    },
    async beginTransaction(connection, settings) {
      await driver.beginTransaction(connection, settings);
      transactions.set(connection, new Set());
    },
    async commitTransaction(connection) {
      const written = transactions.get(connection);
      transactions.set(connection, undefined);
      await driver.commitTransaction(connection);
      for (const table of written ?? []) noteCommit(table);
    },
    async rollbackTransaction(connection) {
      transactions.set(connection, undefined);
      await driver.rollbackTransaction(connection);
    },
    releaseConnection: (connection, options) => driver.releaseConnection(connection, options),
    destroy: (options) => driver.destroy(options),
  };
}
