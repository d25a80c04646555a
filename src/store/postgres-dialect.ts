import { CompiledQuery, type Dialect, PostgresDialect, type PostgresPool } from 'kysely';
import { arrayElements, columnParsers } from './column-parsers.ts';

/** How long to wait for a connection, new or free in the pool: a person is waiting for an answer. */
const CONNECT_MS = 5_000;
/** No statement of ours takes this long; what does holds a connection that others need. */
const STATEMENT_MS = 30_000;
/** A transaction of ours never waits for anything but the database. */
const IDLE_IN_TRANSACTION_MS = 30_000;

/** A pool of connections to the Postgres at `url`. Moments are UTC, int8 is a number. Connects at the first query. */
export function postgresDialect(url: string): Dialect {
  return new PostgresDialect({
    pool: () => createPool(url),
    onCreateConnection: async (connection) => {
      // Not as start-up parameters: connection poolers refuse those that they do not know.
      await connection.executeQuery(
        CompiledQuery.raw(
          `select set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO', false),
            set_config('bytea_output', 'hex', false), set_config('IntervalStyle', 'postgres', false),
            set_config('statement_timeout', '${STATEMENT_MS}', false),
            set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false)`,
        ),
      );
    },
  });
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
    // pg asks for no binary columns unless it is told to, and we do not.
    types: { getTypeParser: (oid: number) => parserOf(oid, types.getTypeParser) },
  });
  // An idle connection that breaks says so here. The pool has dropped it; the next query opens another or fails.
  pool.on('error', () => undefined);
  return pool;
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
