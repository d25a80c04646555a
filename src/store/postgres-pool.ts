import { performance } from 'node:perf_hooks';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { ConnectionLost } from './connection-lost.ts';
import { DatabaseUnavailable, READ_ONLY_SQL_TRANSACTION } from './database-unavailable.ts';
import { CLIENT_TIMEOUT_MS, hasStatementTimeout, withStatementTimeout } from './statement-timeout.ts';

/** A client of pg, with the types of pg and of Kysely. */
type PgClient = PoolClient & PostgresPoolClient;

/** The state of one connection. */
interface Health {
  /** Time of the server's last response, ms on the monotonic clock. */
  respondedAt: number;
  /** The error that broke the connection. Undefined while the connection works. */
  connectionError?: unknown;
  /** Whether the server has refused a write because it is read-only. */
  isReadOnly?: boolean;
  /** Whether `prepare` has set up the connection. */
  isPrepared?: boolean;
}

/**
 * Wraps pg's pool for Kysely, so that it survives broken connections:
 *
 * - A checked-out client whose connection breaks is removed from the pool. Its `error` event has a listener, because an
 *   `error` event without one is an uncaught exception.
 * - If the server doesn't respond in time (statement-timeout.ts), the socket is destroyed at once, because pg's own
 *   `query_timeout` leaves the stuck client in the pool.
 * - A silent network failure breaks all connections at once, and each of them would cost a caller a full timeout.
 *   After a timeout, every connection without a response since the statement was sent is therefore replaced before its
 *   next use.
 * - If the server refuses a write because it is read-only, another server may be the primary now. All connections are
 *   replaced before their next use.
 *
 * `connect` rejects with DatabaseUnavailable; statements reject with ConnectionLost or with the server's error.
 * `prepare` sets up a new connection, and rejects if the server isn't usable.
 */
export function createGuardedPool(
  pool: Pool,
  prepare: (client: PostgresPoolClient) => Promise<unknown>,
): PostgresPool {
  const healthByClient = new WeakMap<object, Health>();
  // Connections whose last response is older than this are replaced.
  let minRespondedAt = Number.NEGATIVE_INFINITY;
  pool.on('connect', (client) => {
    const health: Health = { respondedAt: performance.now() };
    healthByClient.set(client, health);
    client.on('error', (error) => {
      health.connectionError ??= error;
    });
  });
  // Emitted for a broken idle connection. pg has already removed it, and the next statement opens a new connection.
  pool.on('error', () => undefined);
  const connect = async (): Promise<PostgresPoolClient> => {
    for (;;) {
      const client: PgClient = await pool.connect().catch((error: unknown) => {
        throw new DatabaseUnavailable(error);
      });
      const health = healthByClient.get(client);
      if (!health || isBroken(health) || health.respondedAt < minRespondedAt) {
        client.release(true);
        continue;
      }
      const guardedClient = guardClient(client, health, (time) => {
        minRespondedAt = Math.max(minRespondedAt, time);
      });
      if (health.isPrepared) return guardedClient;
      try {
        await withStatementTimeout(() => prepare(guardedClient));
        health.isPrepared = true;
        return guardedClient;
      } catch (error) {
        guardedClient.release(true);
        // The caller has sent no statement yet, so this is not ConnectionLost.
        throw new DatabaseUnavailable(error instanceof ConnectionLost ? error.cause : error);
      }
    }
  };
  return { connect, end: () => pool.end(), options: pool.options };
}

/**
 * Wraps a client. `onServerLost` is called when the server doesn't respond in time or refuses writes. All connections
 * without a response since the time that is passed must be replaced.
 */
function guardClient(
  client: PgClient,
  health: Health,
  onServerLost: (time: number) => void,
): PostgresPoolClient {
  let isReleased = false;
  const release = (destroy?: boolean) => {
    if (isReleased) return;
    isReleased = true;
    client.release(destroy ?? isBroken(health));
  };
  const destroyConnection = (cause: unknown): ConnectionLost => {
    health.connectionError ??= cause;
    // If a statement is running, this makes pg destroy the socket.
    release(true);
    return new ConnectionLost(cause);
  };
  const handleStatementError = (error: unknown): unknown => {
    if (health.connectionError !== undefined || isFatal(error)) return destroyConnection(error);
    health.respondedAt = performance.now();
    if (error instanceof Error && 'code' in error && error.code === READ_ONLY_SQL_TRANSACTION) {
      health.isReadOnly = true;
      onServerLost(health.respondedAt);
    }
    return error;
  };
  // Creates only one promise and one timer per statement, because this runs many times a second. Without a callback, pg
  // would assign a function literal to a field, which V8 allocates in its old generation, with all that it refers to.
  const runStatement = <R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> =>
    new Promise((resolve, reject) => {
      if (health.connectionError !== undefined) return reject(destroyConnection(health.connectionError));
      const startedAt = performance.now();
      const timeOut = () => {
        onServerLost(startedAt);
        reject(destroyConnection(new Error(`no response within ${CLIENT_TIMEOUT_MS} ms`)));
      };
      const timer = hasStatementTimeout() ? setTimeout(timeOut, CLIENT_TIMEOUT_MS) : undefined;
      client.query(sql, [...parameters], (error: Error | undefined, result) => {
        clearTimeout(timer);
        if (error) return reject(handleStatementError(error));
        health.respondedAt = performance.now();
        resolve(result as PostgresQueryResult<R>);
      });
    });
  const runQuery = removeTimeoutInTransactions(runStatement);
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(statement: string | PostgresCursor<R>, parameters: readonly unknown[] = []) {
    return typeof statement === 'string' ? runQuery<R>(statement, parameters) : client.query(statement);
  }
  return { query, release };
}

type RunStatement = <R>(sql: string, parameters: readonly unknown[]) => Promise<PostgresQueryResult<R>>;

/** Never removed from a session, because a pooler in transaction mode gives the session to other clients afterwards. */
const REMOVE_TIMEOUT = 'set local statement_timeout = 0';

/**
 * Wraps `runStatement` for one connection. Within `withoutStatementTimeout`, each transaction removes the timeout, and a
 * single statement gets a transaction for that.
 */
function removeTimeoutInTransactions(runStatement: RunStatement): RunStatement {
  let isInTransaction = false;
  const runWithoutTimeout: RunStatement = async (sql, parameters) => {
    await runStatement(`begin; ${REMOVE_TIMEOUT}`, []);
    try {
      return await runStatement(sql, parameters);
    } finally {
      // If the statement failed, this rolls back.
      await runStatement('commit', []);
    }
  };
  return (sql, parameters) => {
    const isBegin = sql === 'begin' || sql.startsWith('start transaction');
    const removesTimeout = !isInTransaction && !hasStatementTimeout();
    if (removesTimeout && !isBegin) return runWithoutTimeout(sql, parameters);
    isInTransaction = isBegin || (isInTransaction && sql !== 'commit' && sql !== 'rollback');
    return runStatement(removesTimeout ? `${sql}; ${REMOVE_TIMEOUT}` : sql, parameters);
  };
}

function isBroken({ connectionError, isReadOnly = false }: Health): boolean {
  return connectionError !== undefined || isReadOnly;
}

/**
 * Whether the server closes the connection after this error
 * (https://www.postgresql.org/docs/current/runtime-config-logging.html).
 */
function isFatal(error: unknown): boolean {
  return (
    error instanceof Error &&
    'severity' in error &&
    (error.severity === 'FATAL' || error.severity === 'PANIC')
  );
}
