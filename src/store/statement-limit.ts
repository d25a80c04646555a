import { AsyncLocalStorage } from 'node:async_hooks';

/** Postgres' `statement_timeout`. The slowest statement that we know of takes 2 s. */
const SERVER_TIMEOUT_MS = 3_500;
/**
 * How long to wait for the server's answer. Longer than SERVER_TIMEOUT_MS, so that a slow statement is cancelled
 * without losing its connection. A server that is still silent then is unreachable, and the connection is destroyed.
 */
const ANSWER_TIMEOUT_MS = 4_000;

/** 0 means no limit. */
interface StatementLimit {
  serverMs: number;
  answerMs: number;
}

const unlimited = new AsyncLocalStorage<true>();

/** The limit for each statement of the current asynchronous context. */
export function statementLimit(): StatementLimit {
  return unlimited.getStore()
    ? { serverMs: 0, answerMs: 0 }
    : { serverMs: SERVER_TIMEOUT_MS, answerMs: ANSWER_TIMEOUT_MS };
}

/**
 * Runs work whose statements have no time limit: migrations, and work on whole tables. The work must take its
 * connection itself, because a connection gets the limit of the caller that takes it from the pool.
 */
export function withoutStatementLimit<T>(work: () => Promise<T>): Promise<T> {
  return unlimited.run(true, work);
}
