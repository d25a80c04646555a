import { AsyncLocalStorage } from 'node:async_hooks';

/** Postgres' `statement_timeout`. The slowest known statement takes 2 s. */
export const SERVER_TIMEOUT_MS = 3_500;
/**
 * How long to wait for the server's response. Longer than SERVER_TIMEOUT_MS, so that the server cancels a slow
 * statement and the connection survives. A server that is still silent after this time is unreachable, and the
 * connection is destroyed.
 */
export const CLIENT_TIMEOUT_MS = 4_000;

const timeoutContext = new AsyncLocalStorage<boolean>();

/** Whether both timeouts apply to the statements of the current asynchronous context. */
export function hasStatementTimeout(): boolean {
  return timeoutContext.getStore() ?? true;
}

/**
 * Runs `work` without a statement timeout, for migrations and statements on whole tables. Transactions must begin within
 * this call. A single statement becomes a transaction of its own, so it can't be one that Postgres runs only outside
 * transactions, such as `vacuum`.
 */
export function withoutStatementTimeout<T>(work: () => Promise<T>): Promise<T> {
  return timeoutContext.run(false, work);
}

/** Runs `work` with the statement timeout, even within `withoutStatementTimeout`. */
export function withStatementTimeout<T>(work: () => Promise<T>): Promise<T> {
  return timeoutContext.run(true, work);
}
