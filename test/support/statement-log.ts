import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dialect } from 'kysely';
import { waitUntilIdle } from './requests-in-flight.ts';

/** Statements in the order in which they were sent, and at most how many commits waited for the disk. */
interface StatementCount {
  statements: string[];
  syncs: number;
}

const CHANGES_ROWS = /\b(?:insert into|(?<!for )update|delete from) \S/u;
/** A statement with this setting returns before its commit is on the disk. */
const WITHOUT_SYNC = 'synchronous_commit';

/**
 * Records the statements that are sent through a dialect, also those of transactions. `countRequestsInFlight` must be
 * called before the bot starts.
 */
export function createStatementLog(dialect: Dialect, isIgnored: (statement: string) => boolean) {
  let sent: string[] = [];
  const running = new Set<Promise<unknown>>();
  function record<Result>(statement: string, send: () => Promise<Result>): Promise<Result> {
    sent.push(statement.replace(/\s+/gu, ' ').trim());
    const sending = send();
    running.add(sending);
    const end = () => running.delete(sending);
    void sending.then(end, end);
    return sending;
  }
  const recordingDialect: Dialect = {
    ...dialect,
    createDriver() {
      const driver = dialect.createDriver();
      const acquireConnection = driver.acquireConnection.bind(driver);
      const beginTransaction = driver.beginTransaction.bind(driver);
      const commitTransaction = driver.commitTransaction.bind(driver);
      const recording: Pick<typeof driver, 'acquireConnection' | 'beginTransaction' | 'commitTransaction'> = {
        async acquireConnection() {
          const connection = await acquireConnection();
          return {
            executeQuery: (query) => record(query.sql, () => connection.executeQuery(query)),
            streamQuery: connection.streamQuery.bind(connection),
          };
        },
        beginTransaction: (...options) => record('begin', () => beginTransaction(...options)),
        commitTransaction: (connection) => record('commit', () => commitTransaction(connection)),
      };
      return Object.assign(driver, recording);
    },
  };
  /** Resolves when neither a request nor a statement is in flight. */
  async function waitForEnd(): Promise<void> {
    do {
      await waitUntilIdle();
      await Promise.allSettled(running);
      // Whatever waited for the last statement sends the next one in the same turn.
      await nextTurn();
    } while (running.size > 0);
  }
  return {
    dialect: recordingDialect,
    /** Counts the statements from the beginning of a press until nothing is in flight. */
    async count(press: () => Promise<unknown>): Promise<StatementCount> {
      await waitForEnd();
      sent = [];
      await press();
      await waitForEnd();
      const statements = sent.filter((statement) => !isIgnored(statement));
      return { statements, syncs: countSyncs(statements) };
    },
  };
}

function countSyncs(statements: readonly string[]): number {
  let [count, isInTransaction, hasChanged] = [0, false, false];
  for (const statement of statements) {
    const changesRows = CHANGES_ROWS.test(statement) && !statement.includes(WITHOUT_SYNC);
    if (statement === 'begin') [isInTransaction, hasChanged] = [true, false];
    else if (statement === 'commit') {
      isInTransaction = false;
      if (hasChanged) count += 1;
    } else if (isInTransaction) hasChanged ||= changesRows;
    else if (changesRows) count += 1;
  }
  return count;
}
