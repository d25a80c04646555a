import { readFileSync } from 'node:fs';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { withoutStatementTimeout } from '../../src/store/statement-timeout.ts';
import type { SentStatement } from '../../test/support/sent-statements.ts';
import { computePercentile } from '../submissions/open-bench-database.ts';
import { bindStatement, type PickRows, type Row } from './bind-statement.ts';
import { largestWorkspaces, otherWorkspaces } from './large-rows.ts';

/** Times in ms. */
export interface Figures {
  /** As the app sees them: with the way to the server and back. */
  p50: number;
  p99: number;
  max: number;
  /** The first run after other statements. */
  first: number;
  /** 99th percentile of the server's processor time, on which other work on the machine has less influence. */
  cpuP99: number;
  /** Maximum number of rows read or changed. */
  rows: number;
  failedRuns: number;
  error?: unknown;
}

/** The first run isn't among those of the percentiles. */
const RUN_COUNT = 101;
/** Slow statements run less often: at least so many times, until they have taken BUDGET_MS. */
const MIN_RUN_COUNT = 10;
const BUDGET_MS = 4_000;
/** Number of runs of statements that may read or change all rows of a workspace. */
const RARE_RUN_COUNT = 4;
/** How many rows of a table and workspace are loaded to take values from. */
const SAMPLE_SIZE = 1_000;
/** The maximum number of rows that one statement takes values from. */
const MAX_PICKED_ROWS = 500;

export async function createMeasurement(db: Kysely<BotSchema>) {
  const columnsOf = await readColumns(db);
  const loadSample = createSampleLoader(db, columnsOf);

  async function preparePick(workspace: string): Promise<PickRows> {
    const samples = new Map<string, readonly Row[]>();
    for (const table of columnsOf.keys()) samples.set(table, await loadSample(table, workspace));
    return (table, matches) => {
      const sample = samples.get(table) ?? [];
      const matching = sample.filter(matches);
      const rows = matching.length > 0 ? matching : sample;
      const start = Math.floor(Math.random() * rows.length);
      return [...rows.slice(start), ...rows.slice(0, start)].slice(0, MAX_PICKED_ROWS);
    };
  }
  // Half of the runs are in the largest workspaces.
  const picks: PickRows[] = [];
  for (const workspace of otherWorkspaces) {
    picks.push(await preparePick(largestWorkspaces[picks.length % 4 === 0 ? 0 : 1] ?? ''));
    picks.push(await preparePick(workspace));
  }

  /** Runs a statement and rolls it back. */
  async function run(text: string, parameters: readonly unknown[]) {
    const transaction = await db.startTransaction().execute();
    try {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      const cpuBefore = readCpuMs(rows[0]?.pid);
      const startedAt = performance.now();
      const result = await transaction.executeQuery(CompiledQuery.raw(text, [...parameters]));
      return { ms: performance.now() - startedAt, cpuMs: readCpuMs(rows[0]?.pid) - cpuBefore, result };
    } finally {
      await transaction.rollback().execute();
    }
  }

  async function measure(statement: SentStatement, isRare: boolean): Promise<Figures> {
    const bind = bindStatement(statement, columnsOf);
    const [times, cpuTimes]: [number[], number[]] = [[], []];
    const figures: Figures = { p50: 0, p99: 0, max: 0, first: 0, cpuP99: 0, rows: 0, failedRuns: 0 };
    let remainingMs = BUDGET_MS;
    for (let turn = 0; turn < (isRare ? RARE_RUN_COUNT : RUN_COUNT); turn += 1) {
      if (turn >= MIN_RUN_COUNT && remainingMs < 0) break;
      const pickRows = picks[turn % picks.length];
      if (!pickRows) break;
      try {
        const { ms, cpuMs, result } = await run(statement.sql, bind(pickRows));
        times.push(ms);
        cpuTimes.push(cpuMs);
        remainingMs -= ms;
        figures.rows = Math.max(figures.rows, result.rows.length, Number(result.numAffectedRows ?? 0));
      } catch (error) {
        figures.failedRuns += 1;
        figures.error = error;
      }
    }
    const [first = 0, ...others] = times;
    const [p50 = 0, p99 = 0, max = 0] = [0.5, 0.99, 1].map((share) => computePercentile(others, share));
    return { ...figures, first, p50, p99, max, cpuP99: computePercentile(cpuTimes.slice(1), 0.99) };
  }
  return {
    measure: (statement: SentStatement, { isRare }: { isRare: boolean }) =>
      withoutStatementTimeout(() => measure(statement, isRare)),
    /** Measures the way to the server and back, whose slowest runs show how busy the machine is. */
    async measureControl(): Promise<number> {
      const times: number[] = [];
      for (let turn = 0; turn < RUN_COUNT; turn += 1) times.push((await run('select 1', [])).ms);
      return computePercentile(times, 0.99);
    },
    /** Reads the plan with which a statement ran in the largest workspace. */
    async explain(statement: SentStatement): Promise<string> {
      const [pickRows] = picks;
      if (!pickRows) return '';
      const parameters = bindStatement(statement, columnsOf)(pickRows);
      const { result } = await run(`explain (analyze, buffers) ${statement.sql}`, parameters);
      return result.rows.map((row) => Object.values(row as Row).join('')).join('\n');
    },
  };
}

async function readColumns(db: Kysely<BotSchema>): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as table, array_agg(column_name::text) as columns
    from information_schema.columns where table_schema = current_schema() group by 1`.execute(db);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** Loads rows of a workspace, or any rows of a table that doesn't belong to workspaces, once. */
function createSampleLoader(db: Kysely<BotSchema>, columnsOf: ReadonlyMap<string, readonly string[]>) {
  const samples = new Map<string, readonly Row[]>();
  return async (table: string, workspace: string): Promise<readonly Row[]> => {
    const hasWorkspace = columnsOf.get(table)?.includes('workspace') ?? false;
    const key = hasWorkspace ? `${table} ${workspace}` : table;
    const known = samples.get(key);
    if (known) return known;
    const { rows } = await withoutStatementTimeout(() =>
      sql<Row>`select * from ${sql.table(table)} where ${hasWorkspace ? sql`workspace = ${workspace}` : sql`true`}
        order by random() limit ${SAMPLE_SIZE}`.execute(db),
    );
    samples.set(key, rows);
    return rows;
  };
}

/** Reads how long a process of this machine has run. Linux only; 0 elsewhere. */
function readCpuMs(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
  } catch {
    return 0;
  }
}
