import {
  type Dialect,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely';
import { columnParsers, elementTypes } from './column-values.ts';
import { READ_ONLY_SQL_TRANSACTION } from './database-unavailable.ts';
import { createGuardedPool } from './postgres-pool.ts';
import { SERVER_TIMEOUT_MS } from './statement-timeout.ts';

/** How long to wait for a new connection or a free connection of the pool. It is short, because a person is waiting. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Ends the transactions of a stuck instance. Transactions of a working instance are never idle for this long. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/** A broken idle connection is detected after this delay and ten seconds of probes (libuv's TCP_KEEPCNT). */
const KEEP_ALIVE_DELAY_MS = 5_000;

/** Connects to the Postgres at `url` at the first query, with a pool. Timestamps are UTC, and int8 is a number. */
export function createPostgresDialect(url: string): Dialect {
  const dialect = new PostgresDialect({ pool: () => createPool(url) });
  return Object.assign(dialect, { createAdapter: () => new AdapterWithoutLock() });
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
 * These settings are made by a statement and not by start-up parameters, because connection poolers refuse unknown
 * parameters.
 */
async function prepareConnection(client: PostgresPoolClient): Promise<void> {
  const { rows } = await client.query<{ read_only: string }>(
    `select set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO', false),
      set_config('bytea_output', 'hex', false), set_config('IntervalStyle', 'postgres', false),
      set_config('statement_timeout', $1, false), set_config('idle_in_transaction_session_timeout', $2, false),
      current_setting('transaction_read_only') as read_only`,
    [String(SERVER_TIMEOUT_MS), String(IDLE_IN_TRANSACTION_TIMEOUT_MS)],
  );
  if (rows[0]?.read_only === 'on')
    throw Object.assign(new Error('the server is read-only'), { code: READ_ONLY_SQL_TRANSACTION });
}

type GetTypeParser = (oid: number, format: 'text') => (text: string) => unknown;

/** The oid of text[], whose parser leaves the elements unparsed. */
const TEXT_ARRAY_OID = 1009;

function findParser(oid: number, getDefaultParser: GetTypeParser): (text: string) => unknown {
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
