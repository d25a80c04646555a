import { type messages, type PGlite, parse, protocol } from '@electric-sql/pglite';
import { LRUCache } from 'lru-cache';
import type { StatementResult } from './session.ts';

/** Limits the memory to 12 MB. A prepared statement and its plan take about 120 bytes per character of the text. */
const MAX_TOTAL_LENGTH = 100_000;
/** Longer texts list many values, and their number varies, so that few are run again. */
const MAX_LENGTH = 10_000;

/**
 * How long a prepared statement is used. Postgres plans each of its first five executions, and may then use one plan for
 * all others. A plan from the time when a table was small may read the whole table after it has grown. Collecting
 * statistics would replace the plan, but no background process collects them in the embedded database.
 */
const LIFETIME_MS = 5 * 60_000;

/** Matches the statements that are prepared. All others may change the schema. */
const PREPARABLE = /^\s*(?:select|insert|update|delete|with)\b/i;

interface Statement {
  /** Empty if the statement isn't prepared for other executions. */
  name: string;
  parameterTypes: readonly number[];
  /** Empty if the statement returns no rows. */
  rowDescription: messages.BackendMessage[];
}

export interface PreparedStatements {
  /** Runs a statement. The caller runs one at a time. */
  run(sql: string, parameters: readonly unknown[]): Promise<StatementResult<unknown>>;
  /** Must be called at the end of a transaction, because a rollback may change the schema. */
  endTransaction(): void;
}

/**
 * Runs statements through Postgres' protocol and prepares them for later executions. PGlite's `query` parses and plans a
 * statement each time, which takes several times as long as executing it.
 */
export function createPreparedStatements(pglite: PGlite): PreparedStatements {
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
    run: async (sql, parameters) => {
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
function send(pglite: PGlite, requests: readonly Uint8Array[]): Promise<messages.BackendMessage[]> {
  // PGlite has nothing to synchronise, because its files are in a folder.
  return pglite.execProtocolStream(Buffer.concat([...requests, protocol.serialize.sync()]), {
    syncToFs: false,
  });
}
