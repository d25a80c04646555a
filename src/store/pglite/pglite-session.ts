import { type messages, PGlite, parse, protocol } from '@electric-sql/pglite';
import { LRUCache } from 'lru-cache';
import { countBuffer } from '../../count-buffers.ts';
import { MINUTE_MS } from '../../durations.ts';
import { columnParsers } from '../column-values.ts';
import { pgliteMemory } from './pglite-memory.ts';
import { hasRows, type Session, type StatementResult } from './session.ts';

interface OpenTransaction {
  /** Resolve it to commit, reject it to roll back. */
  decision: PromiseWithResolvers<void>;
  /** Settles when PGlite has committed or rolled back. */
  completion: Promise<void>;
}

/** Opens an existing cluster with PGlite, in this thread. */
export async function openPGliteSession(cluster: string): Promise<Session> {
  return createSession(await PGlite.create(cluster, pgliteOptions));
}

export const pgliteOptions = { ...pgliteMemory, parsers: { ...columnParsers } };

/** Creates a session of an open database. Errors have the fields of Postgres' errors. */
export function createSession(pglite: PGlite): Session {
  const stopCheckpoints = startCheckpoints(pglite);
  const statements = createPreparedStatements(pglite);
  const transactions = new Map<number, OpenTransaction>();

  return {
    query: async <Row>(sql: string, parameters: readonly unknown[], transaction?: number) => {
      const run = () =>
        pglite.runExclusive(() => {
          if (!pglite.ready) throw new Error('the database is closed');
          return statements.run(sql, parameters);
        });
      if (transaction !== undefined) findTransaction(transactions, transaction);
      // Without a transaction, waits until none is open.
      const result = await (transaction === undefined ? pglite._runExclusiveTransaction(run) : run());
      if (!hasRows<Row>(result)) throw new TypeError('the result has no rows');
      return result;
    },
    begin: async (transaction) => {
      transactions.set(transaction, await beginTransaction(pglite, statements));
    },
    commit: async (transaction) => {
      const { decision, completion } = removeTransaction(transactions, transaction);
      decision.resolve();
      await completion;
    },
    rollback: async (transaction) => {
      // `close` has rolled back.
      if (pglite.closed) return;
      const { decision, completion } = removeTransaction(transactions, transaction);
      decision.reject(new Error('rolled back'));
      await completion.catch(() => undefined);
    },
    close: async () => {
      stopCheckpoints();
      // PGlite's close() waits for open transactions.
      for (const { decision } of transactions.values()) decision.reject(new Error('the database is closing'));
      transactions.clear();
      if (!pglite.closed) await pglite.close();
    },
  };
}

/** Uses PGlite's transaction(), because a plain BEGIN would also include the statements of other callers. */
async function beginTransaction(pglite: PGlite, statements: PreparedStatements): Promise<OpenTransaction> {
  const decision = Promise.withResolvers<void>();
  const start = Promise.withResolvers<void>();
  const completion = pglite.transaction(async () => {
    start.resolve();
    await decision.promise.finally(statements.endTransaction);
  });
  completion.catch(start.reject);
  await start.promise;
  return { decision, completion };
}

function findTransaction(transactions: Map<number, OpenTransaction>, transaction: number): OpenTransaction {
  const openTransaction = transactions.get(transaction);
  if (openTransaction === undefined) throw new Error(`transaction ${transaction} is not open`);
  return openTransaction;
}

function removeTransaction(transactions: Map<number, OpenTransaction>, transaction: number): OpenTransaction {
  const openTransaction = findTransaction(transactions, transaction);
  transactions.delete(transaction);
  return openTransaction;
}

const LOG_CHECK_INTERVAL_MS = 10_000;
const MAX_LOG_BYTES = 32 * 2 ** 20;

/**
 * Starts regular checkpoints, which limit the size of the write-ahead log. Returns a function that stops them. PGlite
 * is a single-user Postgres without a checkpointer process. Without checkpoints the log would grow until the database
 * closes, to 369 MB after a million inserted rows. After a kill -9 the whole log would be replayed.
 */
function startCheckpoints(pglite: PGlite): () => void {
  const timer = setInterval(() => {
    // A failure is ignored. If the database is broken, other statements fail too and report it.
    checkpointIfDue(pglite).catch(() => undefined);
  }, LOG_CHECK_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Runs a checkpoint if the log is too long. A checkpoint takes 20 to 40 ms and blocks all other statements. */
export async function checkpointIfDue(pglite: PGlite): Promise<void> {
  const { rows } = await pglite.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()',
  );
  if ((rows[0]?.bytes ?? 0) > MAX_LOG_BYTES) await pglite.query('checkpoint');
}

/** Limits the memory to 12 MB. A prepared statement and its plan take about 120 bytes per character of the text. */
const MAX_TOTAL_LENGTH = 100_000;
/** Longer texts list many values, and their number varies, so that few are run again. */
const MAX_LENGTH = 10_000;

/**
 * How long a prepared statement is used. Postgres plans each of its first five executions, and may then use one plan
 * for all others. A plan from the time when a table was small may read the whole table after it has grown. Collecting
 * statistics would replace the plan, but no background process collects them in the embedded database.
 */
const LIFETIME_MS = 5 * MINUTE_MS;

/** Matches the statements that are prepared. All others may change the schema. */
const PREPARABLE = /^\s*(?:select|insert|update|delete|with)\b/i;

interface Statement {
  /** Empty if the statement isn't prepared for other executions. */
  name: string;
  parameterTypes: readonly number[];
  /** Empty if the statement returns no rows. */
  rowDescription: messages.BackendMessage[];
}

export type PreparedStatements = ReturnType<typeof createPreparedStatements>;

/**
 * Runs statements through Postgres' protocol and prepares them for later executions. PGlite's `query` parses and plans
 * a statement each time, which takes several times as long as executing it.
 */
export function createPreparedStatements(pglite: PGlite) {
  const statements = new LRUCache<string, Statement>({
    maxSize: MAX_TOTAL_LENGTH,
    sizeCalculation: (_, sql) => sql.length,
    ttl: LIFETIME_MS,
    dispose: ({ name }) => removedNames.push(name),
  });
  /** Removed statements that are still to be closed in Postgres. */
  let removedNames: string[] = [];
  let lastNumber = 0;
  let isSchemaChanged = false;

  async function prepare(sql: string): Promise<Statement> {
    const isKept = PREPARABLE.test(sql) && sql.length <= MAX_LENGTH;
    if (isKept) lastNumber += 1;
    const name = isKept ? `statement_${lastNumber}` : '';
    const closeMessages = removedNames.map((removedName) =>
      protocol.serialize.close({ type: 'S', name: removedName }),
    );
    removedNames = [];
    const replies = await send(pglite, [
      ...closeMessages,
      protocol.serialize.parse({ name, text: sql }),
      protocol.serialize.describe({ type: 'S', name }),
    ]);
    const statement = {
      name,
      parameterTypes: parse.parseDescribeStatementResults(replies),
      rowDescription: replies.filter((reply) => reply.name === 'rowDescription'),
    };
    if (isKept) statements.set(sql, statement);
    return statement;
  }

  return {
    /** Runs a statement. The caller runs one at a time. */
    run: async (sql: string, parameters: readonly unknown[]) => {
      try {
        return await execute(pglite, statements.get(sql) ?? (await prepare(sql)), parameters);
      } catch (error) {
        // If its types were outdated, its next execution succeeds.
        statements.delete(sql);
        throw error;
      } finally {
        if (!PREPARABLE.test(sql)) {
          statements.clear();
          isSchemaChanged = true;
        }
      }
    },
    /** Must be called at the end of a transaction, because a rollback may change the schema. */
    endTransaction: () => {
      if (isSchemaChanged) statements.clear();
      isSchemaChanged = false;
    },
  };
}

async function execute(
  pglite: PGlite,
  { name, parameterTypes, rowDescription }: Statement,
  parameters: readonly unknown[],
): Promise<StatementResult<unknown>> {
  const values = parameters.map((value, index) => {
    if (value === null || value === undefined) return null;
    const serialize = pglite.serializers[parameterTypes[index] ?? 0] ?? String;
    return serialize(value);
  });
  const replies = await send(pglite, [
    protocol.serialize.bind({ statement: name, values }),
    protocol.serialize.execute(),
  ]);
  const [result] = parse.parseResults([...rowDescription, ...replies], pglite.parsers);
  return { rows: result?.rows ?? [], affectedRows: result?.affectedRows ?? 0 };
}

/** Sends messages and Sync. After an error Postgres skips all messages before Sync. */
async function send(pglite: PGlite, requests: readonly Uint8Array[]): Promise<messages.BackendMessage[]> {
  const request = Buffer.concat([...requests, protocol.serialize.sync()]);
  // PGlite has nothing to synchronise, because its files are in a folder.
  const replies = await pglite.execProtocolStream(request, { syncToFs: false });
  countBuffer(request.length + replies.reduce((total, { length }) => total + length, 0));
  return replies;
}
