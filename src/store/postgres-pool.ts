import { performance } from 'node:perf_hooks';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool } from 'pg';
import { ConnectionLost } from './connection-lost.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { statementLimit } from './statement-limit.ts';

/** What is known of one connection, from its first use to its last. */
interface Health {
  /** When the server last answered on it, ms on the monotonic clock. */
  answeredAt: number;
  /** Why it can't be used any more. */
  lost?: unknown;
  /** The server's limit on statements that it was prepared with, ms; undefined before that. */
  preparedMs?: number;
}

/**
 * pg's pool for Kysely, made to survive what networks do to connections:
 *
 * - A checked-out client whose connection breaks is thrown away, and its error never ends the process: pg emits it, and
 *   an `error` event without a listener is an uncaught exception.
 * - A server that doesn't answer in time (statement-limit.ts) costs its connection: the socket is destroyed at once,
 *   because pg's own `query_timeout` leaves the stuck client in the pool.
 * - After that every connection that hasn't answered since is suspect and replaced before it is used: a silent cut
 *   breaks all of them at once, and each would cost its user the whole limit.
 *
 * `connect` rejects with DatabaseUnavailable, statements with ConnectionLost or with what the server answered.
 * `prepare` is run on each new connection, and again where its user has another limit on statements than the one before.
 */
export function guardedPool(
  pool: Pool,
  prepare: (client: PostgresPoolClient) => Promise<unknown>,
): PostgresPool {
  const known = new WeakMap<object, Health>();
  let suspectBefore = Number.NEGATIVE_INFINITY;
  pool.on('connect', (client) => {
    const health: Health = { answeredAt: performance.now() };
    known.set(client, health);
    client.on('error', (error) => {
      health.lost ??= error;
    });
  });
  // An idle connection that breaks says so here. pg has dropped it; the next statement opens another.
  pool.on('error', () => undefined);
  const inner: PostgresPool = pool;

  const connect = async (): Promise<PostgresPoolClient> => {
    for (;;) {
      const client = await inner.connect().catch((error: unknown) => {
        throw new DatabaseUnavailable(error);
      });
      const health = known.get(client);
      if (!health || health.lost !== undefined || health.answeredAt < suspectBefore) {
        client.release(true);
        continue;
      }
      const guarded = guard(client, health, (since) => {
        suspectBefore = Math.max(suspectBefore, since);
      });
      const { serverMs } = statementLimit();
      if (health.preparedMs === serverMs) return guarded;
      try {
        await prepare(guarded);
        health.preparedMs = serverMs;
        return guarded;
      } catch (error) {
        guarded.release(true);
        // Whoever asked for the connection has sent nothing yet.
        throw new DatabaseUnavailable(error instanceof ConnectionLost ? error.cause : error);
      }
    }
  };
  return { connect, end: () => inner.end(), options: inner.options };
}

/** `onSilence` is called when the server doesn't answer in time, with the moment of the statement. */
function guard(
  client: PostgresPoolClient,
  health: Health,
  onSilence: (since: number) => void,
): PostgresPoolClient {
  let isReleased = false;
  const release = (destroy?: boolean) => {
    if (isReleased) return;
    isReleased = true;
    client.release(destroy ?? health.lost !== undefined);
  };
  const lose = (cause: unknown): ConnectionLost => {
    health.lost ??= cause;
    // With a statement under way pg destroys the socket.
    release(true);
    return new ConnectionLost(cause);
  };
  const failed = (error: unknown): unknown => {
    if (health.lost !== undefined || isFatal(error)) return lose(error);
    health.answeredAt = performance.now();
    return error;
  };
  // Many statements a second go through here: one promise and one timer each.
  const run = <R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> =>
    new Promise((resolve, reject) => {
      if (health.lost !== undefined) return reject(lose(health.lost));
      const { answerMs } = statementLimit();
      const askedAt = performance.now();
      const answer = client.query<R>(sql, parameters);
      const silence = () => {
        onSilence(askedAt);
        reject(lose(new Error(`no answer within ${answerMs} ms`)));
      };
      const timer = answerMs === 0 ? undefined : setTimeout(silence, answerMs);
      answer.then(
        (result) => {
          clearTimeout(timer);
          health.answeredAt = performance.now();
          resolve(result);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(failed(error));
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

/** The server closes the connection after it. https://www.postgresql.org/docs/current/runtime-config-logging.html */
function isFatal(error: unknown): boolean {
  return (
    error instanceof Error &&
    'severity' in error &&
    (error.severity === 'FATAL' || error.severity === 'PANIC')
  );
}
