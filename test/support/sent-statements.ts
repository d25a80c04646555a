import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CompiledQuery, type Kysely, type KyselyPlugin, PostgresQueryCompiler } from 'kysely';
import { root } from '../checks.ts';

/** A statement that a bot or a command sent in a test, with the values it was sent with. */
export interface SentStatement {
  sql: string;
  parameters: readonly unknown[];
  /** Unix time in ms. */
  sentAt: number;
}

const folder = join(root, '.cache/statements');
const file = join(folder, `${process.pid}.jsonl`);
const knownTexts = new Set<string>();

/** The statements that `recordStatements` has seen, by their ids, once they are compiled. */
const queries = new WeakMap<object, CompiledQuery | undefined>();

onCompiled((query) => {
  if (queries.has(query.queryId)) queries.set(query.queryId, query);
});

/** Returns a handle of the same database that stores each different statement once, for `listSentStatements`. */
export function recordStatements<Schema>(db: Kysely<Schema>): Kysely<Schema> {
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      queries.set(queryId, undefined);
      return node;
    },
    // A part of another statement has no result of its own.
    async transformResult({ result, queryId }) {
      const query = queries.get(queryId);
      if (query) recordStatement(query);
      return result;
    },
  };
  return db.withPlugin(recorder);
}

/** Also stores what other handles compile, except for migrations, until the returned function is called. */
export function recordAllStatements(): () => void {
  return onCompiled((query) => {
    if (/^\s*(select|insert|update|delete|with)\b/i.test(query.sql)) recordStatement(query);
  });
}

/** Calls a function with all statements that are compiled until the returned function is called. */
function onCompiled(handle: (query: CompiledQuery) => void): () => void {
  const { prototype } = PostgresQueryCompiler;
  const { compileQuery } = prototype;
  prototype.compileQuery = function compileAndHandle(...query) {
    const compiled = compileQuery.apply(this, query);
    handle(compiled);
    return compiled;
  };
  return () => void Object.assign(prototype, { compileQuery });
}

/** Stores a statement, unless this process has stored the same text. */
function recordStatement({ sql, parameters }: Pick<SentStatement, 'sql' | 'parameters'>): void {
  if (knownTexts.has(sql)) return;
  knownTexts.add(sql);
  mkdirSync(folder, { recursive: true });
  const statement: SentStatement = { sql, parameters, sentAt: Date.now() };
  appendFileSync(file, `${JSON.stringify(statement)}\n`);
}

/** Lists the different statements of all test processes since `forgetStatements`. */
export function listSentStatements(): SentStatement[] {
  const lines = (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'),
  );
  const statements = lines.map((line): SentStatement => JSON.parse(line));
  return [...new Map(statements.map((statement) => [statement.sql, statement])).values()];
}

export function forgetStatements(): void {
  rmSync(folder, { recursive: true, force: true });
}
