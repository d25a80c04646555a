import { CompiledQuery, type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { withoutStatementTimeout } from '../../src/store/statement-timeout.ts';
import { fillTables } from './fill-tables.ts';
import { startPostgres } from './postgres.ts';
import { listSentStatements, type SentStatement } from './sent-statements.ts';

/**
 * Checks that no statement reads a whole table that grows with the number of workspaces, people or posts, or all rows of a
 * large workspace. The statements are those that bots and commands sent in the tests of this run.
 */

/** Tables that stay small, with the reason. Not checked. */
const SMALL_TABLES = {
  shared_secret: 'a few rows for each database',
  kysely_migration: 'a row for each version',
  kysely_migration_lock: 'one row',
};

/** Statements that may read a whole table or all rows of a workspace, with the reason. */
export const RARE_STATEMENTS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^delete from "\w+" where "?workspace"? = \$1$/, 'deletes the data of a workspace that the app has left'],
  [/^delete from "(held_post_event|post_import_part)" where "\w+" in \(select/, 'the same'],
  [/^update "\w+" set "content" = \$1(, "(refusal|previous)" = \$2)? where "workspace" = \$\d$/, 'the same'],
  [/^with changed as \( update .* where t.state = v.from_state/, 'the same, and `npm run restored`'],
  [/^update "\w+" t set .* as v\(change jsonb\) where state in/, '`npm run restored`'],
  [/^delete from "web_link"$/, '`npm run restored`'],
  [/^select "id" from "audit_entry" where "id" in/, '`npm run restored`'],
  [/^update open_form set kind = kind \|\| \$1/, '`npm run restored`'],
  [/^update "uninstalled_workspace" set "uninstalled_at" = now\(\) - make_interval/, '`npm run restored`'],
  [/^update "\w+" set fence = fence \+ 1, .* where state in \([^()]*\) and true$/, '`npm run stop-sending`'],
  [/^select distinct "workspace" from "digest" where "pause_reason" =/, 'once after a start'],
  [/^with recursive logged as \(/, 'the operator’s commands, which record what they do in each workspace'],
];

/** Enough that Postgres prefers an index where one serves a statement. */
const ROW_COUNT = 30_000;

/** The maximum number of rows of a partial index that a statement may read completely. */
const MAX_INDEX_ROWS = 100;

/** The maximum number of rows that a step may read. The large workspace has 20,000 in each table. */
const MAX_READ_ROWS = 12_000;

/** Steps of a plan that read all rows below them, even if only the first of their own rows are needed. */
const READS_ALL = /^(Sort|Aggregate|Hash|Group|Unique|WindowAgg|Materialize)/;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Index Cond'?: string | undefined;
  'Plan Rows': number;
  'Actual Rows'?: number | undefined;
  'Actual Loops'?: number | undefined;
  'Rows Removed by Filter'?: number | undefined;
  'Rows Removed by Index Recheck'?: number | undefined;
  Plans?: PlanNode[] | undefined;
}
const planNode: z.ZodType<PlanNode> = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Cond': z.string().optional(),
  'Plan Rows': z.number(),
  'Actual Rows': z.number().optional(),
  'Actual Loops': z.number().optional(),
  'Rows Removed by Filter': z.number().optional(),
  'Rows Removed by Index Recheck': z.number().optional(),
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
  // As for an SSD. Otherwise Postgres would rather read a table of this size than look up some hundred rows of it.
  const settings = new URLSearchParams({ options: '-c random_page_cost=1.1' });
  const dialect = createPostgresDialect(`${postgres.url('postgres', 'postgres')}&${settings}`);
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  try {
    const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> all(${Object.keys(SMALL_TABLES)})`.execute(
      db,
    );
    const growingTables = rows.map(({ name }) => name);
    const rowCounts = Object.fromEntries(growingTables.map((table) => [table, ROW_COUNT]));
    await withoutStatementTimeout(() => fillTables(db, rowCounts));
    const scans = [];
    for (const statement of statements) {
      const text = statement.sql.replaceAll(/\s+/g, ' ').trim();
      if (RARE_STATEMENTS.some(([pattern]) => pattern.test(text))) continue;
      const scanned = listScans(await explain(db, statement), false);
      const reads = scanned.filter((table) => growingTables.includes(table));
      if (reads.length > 0) scans.push({ sql: statement.sql, reads });
    }
    return scans;
  } finally {
    await db.destroy();
    await postgres.stop();
  }
}

/** Runs a statement without keeping its changes, and returns its plan. One that fails on these rows isn't run. */
async function explain(db: Kysely<BotSchema>, { sql: text, parameters }: SentStatement): Promise<PlanNode> {
  const readPlan = async (explainingDb: Kysely<BotSchema>, options: string) => {
    const query = CompiledQuery.raw(`explain (format json${options}) ${text}`, [...parameters]);
    const [answer] = planAnswer.parse((await explainingDb.executeQuery(query)).rows);
    return answer['QUERY PLAN'][0].Plan;
  };
  const transaction = await db.startTransaction().execute();
  const plan = await readPlan(transaction, ', analyze, timing off').catch(() => undefined);
  await transaction.rollback().execute();
  return plan ?? (await readPlan(db, ''));
}

/** Lists the tables that a plan reads completely, from the table or from an index, and those of which it reads too much. */
function listScans(node: PlanNode, isLimited: boolean): string[] {
  const { 'Node Type': kind, 'Index Cond': condition, 'Relation Name': table = '' } = node;
  const readsWholeIndex =
    /^Index (Only )?Scan$/.test(kind) && condition === undefined && node['Plan Rows'] > MAX_INDEX_ROWS;
  const isScan = kind === 'Seq Scan' || (readsWholeIndex && !isLimited);
  return [
    ...(isScan || countReadRows(node) > MAX_READ_ROWS ? [table] : []),
    ...(node.Plans ?? []).flatMap((child) =>
      listScans(child, kind === 'Limit' || (isLimited && !READS_ALL.test(kind))),
    ),
  ];
}

/** How many rows of a table a step has read; 0 for other steps and for statements that weren't run. */
function countReadRows(node: PlanNode): number {
  if (node['Relation Name'] === undefined) return 0;
  const rowsPerLoop =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return rowsPerLoop * (node['Actual Loops'] ?? 0);
}
