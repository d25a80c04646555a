import { type Dialect, PostgresDialect, type PostgresPool } from 'kysely';
import { arrayElements, columnParsers } from './column-values.ts';
import { guardedPool } from './postgres-pool.ts';
import { statementLimit } from './statement-limit.ts';

/** How long to wait for a connection, new or free in the pool, ms: a person is waiting for an answer. */
const CONNECT_MS = 3_000;
/** A transaction of ours never waits for anything but the database. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** An idle connection whose other end is gone is noticed after this and ten seconds of probes (libuv's TCP_KEEPCNT). */
const KEEP_ALIVE_MS = 5_000;

/** A pool of connections to the Postgres at `url`. Moments are UTC, int8 is a number. Connects at the first query. */
export function postgresDialect(url: string): Dialect {
  return new PostgresDialect({ pool: () => createPool(url) });
}

async function createPool(url: string): Promise<PostgresPool> {
  // Loaded only where Postgres is used: the embedded default has no need of its memory.
  const { defaults, Pool, types } = await import('pg');
  // A Date for a column without zone would otherwise be written in the computer's own zone.
  defaults.parseInputDatesAsUTC = true;
  const pool = new Pool({
    connectionString: url,
    application_name: 'upnext',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // pg asks for no binary columns unless it is told to, and we do not.
    types: { getTypeParser: (oid: number) => parserOf(oid, types.getTypeParser) },
  });
  // Not as start-up parameters: connection poolers refuse those that they do not know.
  return guardedPool(pool, (client) =>
    client.query(
      `select set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO', false),
        set_config('bytea_output', 'hex', false), set_config('IntervalStyle', 'postgres', false),
        set_config('statement_timeout', $1, false), set_config('idle_in_transaction_session_timeout', $2, false)`,
      [String(statementLimit().serverMs), String(IDLE_IN_TRANSACTION_MS)],
    ),
  );
}

type GetParser = (oid: number, format: 'text') => (text: string) => unknown;

/** text[], whose parser leaves every element as it came. */
const TEXT_ARRAY = 1009;

function parserOf(oid: number, standard: GetParser): (text: string) => unknown {
  const ofElement = columnParsers[arrayElements[oid] ?? 0];
  if (ofElement === undefined) return columnParsers[oid] ?? standard(oid, 'text');
  const ofTexts = standard(TEXT_ARRAY, 'text');
  return (text) => parseElements(ofTexts(text), ofElement);
}

/** An array's elements are texts, nulls or arrays again. */
function parseElements(value: unknown, parse: (text: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => parseElements(element, parse));
  return typeof value === 'string' ? parse(value) : value;
}
