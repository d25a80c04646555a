import { performance } from 'node:perf_hooks';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool } from 'pg';
import { ConnectionLost } from './connection-lost.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { statementLimit } from './statement-limit.ts';

/** The state of one connection. */
interface Health {
  /** When the server last answered on it, ms on the monotonic clock. */
  answeredAt: number;
  /** The error that broke the connection. */
  lost?: unknown;
  /** The server's statement timeout that the connection was prepared with, ms. Undefined before that. */
  preparedMs?: number;
}

/**
 * Wraps pg's pool for Kysely, so that it survives broken connections:
 *
 * - A checked-out client whose connection breaks is removed from the pool. Its `error` event has a listener, because an
 *   `error` event without one is an uncaught exception.
 * - If the server doesn't answer in time (statement-limit.ts), the socket is destroyed at once, because pg's own
 *   `query_timeout` leaves the stuck client in the pool.
 * - After such a timeout every connection that hasn't answered since is suspect and replaced before it is used. A
 *   silent network failure breaks all connections at once, and each of them would cost its user a full timeout.
 *
 * `connect` rejects with DatabaseUnavailable; statements reject with ConnectionLost or with the server's error.
 * `prepare` runs on each new connection, and again when a user with another statement limit takes the connection.
 */
export function createGuardedPool(
  pool: Pool,
  prepare: (client: PostgresPoolClient) => Promise<unknown>,
): PostgresPool {
  const healthOf = new WeakMap<object, Health>();
  let suspectBefore = Number.NEGATIVE_INFINITY;
  pool.on('connect', (client) => {
    const health: Health = { answeredAt: performance.now() };
    healthOf.set(client, health);
    client.on('error', (error) => {
      health.lost ??= error;
    });
  });
  // Emitted for a broken idle connection. pg has removed it already, and the next statement opens another.
  pool.on('error', () => undefined);
  const inner: PostgresPool = pool;

  const connect = async (): Promise<PostgresPoolClient> => {
    for (;;) {
      const client = await inner.connect().catch((error: unknown) => {
        throw new DatabaseUnavailable(error);
      });
      const health = healthOf.get(client);
      if (!health || health.lost !== undefined || health.answeredAt < suspectBefore) {
        client.release(true);
        continue;
      }
      const guarded = guard(client, health, (startedAt) => {
        suspectBefore = Math.max(suspectBefore, startedAt);
      });
      const { serverMs } = statementLimit();
      if (health.preparedMs === serverMs) return guarded;
      try {
        await prepare(guarded);
        health.preparedMs = serverMs;
        return guarded;
      } catch (error) {
        guarded.release(true);
        // The caller has sent no statement yet, so this is not ConnectionLost.
        throw new DatabaseUnavailable(error instanceof ConnectionLost ? error.cause : error);
      }
    }
  };
  return { connect, end: () => inner.end(), options: inner.options };
}

/** `onTimeout` is called when the server doesn't answer in time, with the start of the statement. */
function guard(
  client: PostgresPoolClient,
  health: Health,
  onTimeout: (startedAt: number) => void,
): PostgresPoolClient {
  let isReleased = false;
  const release = (destroy?: boolean) => {
    if (isReleased) return;
    isReleased = true;
    client.release(destroy ?? health.lost !== undefined);
  };
  const discard = (cause: unknown): ConnectionLost => {
    health.lost ??= cause;
    // If a statement is running, this makes pg destroy the socket.
    release(true);
    return new ConnectionLost(cause);
  };
  const toStatementError = (error: unknown): unknown => {
    if (health.lost !== undefined || isFatal(error)) return discard(error);
    health.answeredAt = performance.now();
    return error;
  };
  // One promise and one timer for each statement, because many statements a second run here.
  const run = <R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> =>
    new Promise((resolve, reject) => {
      if (health.lost !== undefined) return reject(discard(health.lost));
      const { answerMs } = statementLimit();
      const startedAt = performance.now();
      const answer = client.query<R>(sql, parameters);
      const timeOut = () => {
        onTimeout(startedAt);
        reject(discard(new Error(`no answer within ${answerMs} ms`)));
      };
      const timer = answerMs === 0 ? undefined : setTimeout(timeOut, answerMs);
      answer.then(
        (result) => {
          clearTimeout(timer);
          health.answeredAt = performance.now();
          resolve(result);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(toStatementError(error));
        },
      );
    });
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(statement: string | PostgresCursor<R>, parameters: readonly unknown[] = []) {
    return typeof statement === 'string' ? run<R>(statement, parameters) : client.query(statement);
  }
  return { query, release };
}

/**
 * The server closes the connection after such an error
 * (https://www.postgresql.org/docs/current/runtime-config-logging.html).
 */
function isFatal(error: unknown): boolean {
  return (
    error instanceof Error &&
    'severity' in error &&
    (error.severity === 'FATAL' || error.severity === 'PANIC')
  );
}
