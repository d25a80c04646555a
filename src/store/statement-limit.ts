import { AsyncLocalStorage } from 'node:async_hooks';

/** How long the server works on one statement of ours before it cancels it, ms. The slowest that we know takes 2 s. */
const SERVER_MS = 3_500;
/**
 * How long we wait for the server's answer, ms. Longer than SERVER_MS, so that a slow statement costs only itself: a
 * server that says nothing at all by then is out of reach, and its connection is given up.
 */
const ANSWER_MS = 4_000;

/** In ms; 0 is no limit. */
interface StatementLimit {
  serverMs: number;
  answerMs: number;
}

const lifted = new AsyncLocalStorage<true>();

/** The limit on each statement of the caller. */
export function statementLimit(): StatementLimit {
  return lifted.getStore() ? { serverMs: 0, answerMs: 0 } : { serverMs: SERVER_MS, answerMs: ANSWER_MS };
}

/**
 * Runs work whose statements take as long as they take: migrations, and whatever goes through whole tables. The work has
 * to take its connection itself: the limit belongs to whoever takes one from the pool.
 */
export function withoutStatementLimit<T>(work: () => Promise<T>): Promise<T> {
  return lifted.run(true, work);
}
