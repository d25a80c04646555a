import { CompiledQuery, type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { withoutStatementTimeout } from '../../src/store/statement-timeout.ts';
import { fillTables } from './fill-tables.ts';
import { startPostgres } from './postgres.ts';
import { listSentStatements, type SentStatement } from './sent-statements.ts';

/**
 * Checks that no statement reads a whole table that grows with the number of workspaces, people or posts. The statements
 * are those that bots sent in the tests of this run.
 */

/** Tables that stay small, with the reason. Not checked. */
const SMALL_TABLES = {
  shared_secret: 'a few rows for each database',
  kysely_migration: 'a row for each version',
  kysely_migration_lock: 'one row',
  install_state: 'at most 5,000 rows (`MAX_STATES`)',
  uninstallation: 'rows of uninstallations that are handled right now',
};

/** Statements that may read a whole table, with the reason. */
const RARE_STATEMENTS = {
  'select "audit_head"."workspace", "audit_head"."seq"':
    'sent when the key of the audit record is created, and by `npm run verify-record` without a key',
};

/** Enough that Postgres prefers an index where one serves a statement. */
const ROW_COUNT = 30_000;

/** The maximum number of rows of a partial index that a statement may read completely. */
const MAX_INDEX_ROWS = 100;

/** Steps of a plan that read all rows below them, even if only the first of their own rows are needed. */
const READS_ALL = /^(Sort|Aggregate|Hash|Group|Unique|WindowAgg|Materialize)/;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Index Cond'?: string | undefined;
  'Plan Rows': number;
  Plans?: PlanNode[] | undefined;
}
const planNode: z.ZodType<PlanNode> = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Cond': z.string().optional(),
  'Plan Rows': z.number(),
  get Plans() {
    return z.array(planNode).optional();
  },
});
const planAnswer = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: planNode })]) })]);

/** Runs the check, and prints its result as a line like that of the other checks. */
export async function checkStatementPlans(): Promise<{ passed: number; failed: number; notRun: number }> {
  const statements = listSentStatements();
  const startedAt = performance.now();
  const scans = await findScans(statements).catch((error: unknown) => [
    { sql: String(error), reads: ['failed'] },
  ]);
  if (!scans) return { passed: 0, failed: 0, notRun: 1 };
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const isPassed = scans.length === 0 && statements.length > 0;
  console.log(`${isPassed ? '✓' : '✗'} ${statements.length} statements read no whole table (${seconds} s)`);
  for (const scan of scans) console.log(`  ${scan.reads.join(', ')}: ${scan.sql.replaceAll(/\s+/g, ' ')}`);
  return { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, notRun: 0 };
}

/** Lists the statements that read a whole table or index. Undefined if Postgres isn't installed. */
async function findScans(
  statements: readonly SentStatement[],
): Promise<{ sql: string; reads: readonly string[] }[] | undefined> {
  const postgres = await startPostgres();
  if (!postgres) return undefined;
  const dialect = createPostgresDialect(postgres.url('postgres', 'postgres'));
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  try {
    const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_name <> all(${Object.keys(SMALL_TABLES)})`.execute(db);
    const growingTables = rows.map(({ name }) => name);
    await withoutStatementTimeout(() => fillTables(db, growingTables, ROW_COUNT));
    const scans = [];
    for (const statement of statements) {
      if (Object.keys(RARE_STATEMENTS).some((start) => statement.sql.startsWith(start))) continue;
      const reads = listScans(await explain(db, statement)).filter((table) => growingTables.includes(table));
      if (reads.length > 0) scans.push({ sql: statement.sql, reads });
    }
    return scans;
  } finally {
    await db.destroy();
    await postgres.stop();
  }
}

async function explain(db: Kysely<BotSchema>, { sql: text, parameters }: SentStatement): Promise<PlanNode> {
  const query = CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]);
  const [answer] = planAnswer.parse((await db.executeQuery(query)).rows);
  return answer['QUERY PLAN'][0].Plan;
}

/** Lists the tables that a plan reads completely, from the table or from an index. */
function listScans(node: PlanNode, isLimited = false): string[] {
  const { 'Node Type': kind, 'Index Cond': condition, 'Relation Name': table = '' } = node;
  const readsWholeIndex =
    /^Index (Only )?Scan$/.test(kind) && condition === undefined && node['Plan Rows'] > MAX_INDEX_ROWS;
  const isScan = kind === 'Seq Scan' || (readsWholeIndex && !isLimited);
  return [
    ...(isScan ? [table] : []),
    ...(node.Plans ?? []).flatMap((child) =>
      listScans(child, kind === 'Limit' || (isLimited && !READS_ALL.test(kind))),
    ),
  ];
}
