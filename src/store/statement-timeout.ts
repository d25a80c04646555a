import { AsyncLocalStorage } from 'node:async_hooks';

/** Postgres' `statement_timeout`. The slowest known statement takes 2 s. */
const SERVER_TIMEOUT_MS = 3_500;
/**
 * How long to wait for the server's response. Longer than SERVER_TIMEOUT_MS, so that the server cancels a slow
 * statement and the connection survives. A server that is still silent after this time is unreachable, and the
 * connection is destroyed.
 */
const CLIENT_TIMEOUT_MS = 4_000;

/** Timeouts of a statement. 0 means no timeout. */
interface StatementTimeouts {
  /** The server's `statement_timeout`. */
  serverMs: number;
  /** How long this process waits for the response. */
  clientMs: number;
}

const contextWithoutTimeout = new AsyncLocalStorage<true>();

/** The timeouts for each statement of the current asynchronous context. */
export function getStatementTimeouts(): StatementTimeouts {
  return contextWithoutTimeout.getStore()
    ? { serverMs: 0, clientMs: 0 }
    : { serverMs: SERVER_TIMEOUT_MS, clientMs: CLIENT_TIMEOUT_MS };
}

/**
 * Runs `work` without a statement timeout, for migrations and statements on whole tables. `work` must take its
 * connection from the pool within this call, because the timeout is set when a connection is taken.
 */
export function withoutStatementTimeout<T>(work: () => Promise<T>): Promise<T> {
  return contextWithoutTimeout.run(true, work);
}
