import { performance } from 'node:perf_hooks';
import {
  type Dialect,
  PostgresAdapter,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { CleaningQueryCompiler, columnParsers, elementTypes } from './column-values.ts';
import { ConnectionLost, DatabaseUnavailable, READ_ONLY_SQL_TRANSACTION } from './database-unavailable.ts';
import {
  CLIENT_TIMEOUT_MS,
  hasStatementTimeout,
  SERVER_TIMEOUT_MS,
  withStatementTimeout,
} from './statement-timeout.ts';

/** How long to wait for a new connection or a free connection of the pool. It is short, because a person is waiting. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Ends the transactions of a stuck instance. Transactions of a working instance are never idle for this long. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/** A broken idle connection is detected after this delay and ten seconds of probes (libuv's TCP_KEEPCNT). */
const KEEP_ALIVE_DELAY_MS = 5_000;

/** Connects to the Postgres at `url` at the first query, with a pool. Timestamps are UTC, and int8 is a number. */
export function createPostgresDialect(url: string): Dialect {
  const dialect = new PostgresDialect({ pool: () => createPool(url) });
  return Object.assign(dialect, {
    createAdapter: () => new AdapterWithoutLock(),
    createQueryCompiler: () => new CleaningQueryCompiler(),
  });
}

/** Without Kysely's session-level lock, because `openDatabase` locks within the migrations' transaction. */
class AdapterWithoutLock extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

async function createPool(url: string): Promise<PostgresPool> {
  // Imported only when Postgres is used, which saves memory with PGlite.
  const { defaults, Pool, types } = await import('pg');
  // By default pg converts a Date to the computer's local time when it writes to a `timestamp` column.
  defaults.parseInputDatesAsUTC = true;
  const pool = new Pool({
    connectionString: url,
    application_name: 'upnext',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    // All columns arrive as text, because pg uses the binary format only on request.
    types: { getTypeParser: (oid: number) => findParser(oid, types.getTypeParser) },
  });
  return createGuardedPool(pool, prepareConnection);
}

/**
 * Sets up a new connection, and rejects if the server is read-only: it may be the standby, to which an address leads
 * shortly before or after a failover.
 *
 * Statements aren't compiled (`jit`): that takes tens of milliseconds each time, and Postgres does it for the claim of a
 * few rows, because it expects thousands. These settings are made by a statement and not by start-up parameters, because
 * connection poolers refuse unknown parameters.
 */
async function prepareConnection(client: PostgresPoolClient): Promise<void> {
  const { rows } = await client.query<{ read_only: string }>(
    `select set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO', false),
      set_config('bytea_output', 'hex', false), set_config('IntervalStyle', 'postgres', false),
      set_config('statement_timeout', $1, false), set_config('idle_in_transaction_session_timeout', $2, false),
      set_config('jit', 'off', false),
      current_setting('transaction_read_only') as read_only`,
    [String(SERVER_TIMEOUT_MS), String(IDLE_IN_TRANSACTION_TIMEOUT_MS)],
  );
  if (rows[0]?.read_only === 'on')
    throw Object.assign(new Error('the server is read-only'), { code: READ_ONLY_SQL_TRANSACTION });
}

/** The oid of text[], whose parser leaves the elements unparsed. */
const TEXT_ARRAY_OID = 1009;

function findParser(
  oid: number,
  getDefaultParser: (oid: number, format: 'text') => (text: string) => unknown,
): (text: string) => unknown {
  const parseElement = columnParsers[elementTypes[oid] ?? 0];
  if (parseElement === undefined) return columnParsers[oid] ?? getDefaultParser(oid, 'text');
  const parseArray = getDefaultParser(TEXT_ARRAY_OID, 'text');
  return (text) => parseElements(parseArray(text), parseElement);
}

/** Parses all elements of an array. An element is a text, null or another array. */
function parseElements(value: unknown, parse: (text: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => parseElements(element, parse));
  return typeof value === 'string' ? parse(value) : value;
}

/** A client of pg, with the types of pg and of Kysely. */
type PgClient = PoolClient & PostgresPoolClient;

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
function createGuardedPool(
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
