import { rmSync } from 'node:fs';
import { Kysely, sql } from 'kysely';
import { createPostgresDialect } from '../src/store/postgres-dialect.ts';
import {
  type CrashRun,
  countCopies,
  crashWhileMigrating,
  POINTS,
  type Point,
  runCrashChain,
} from '../test/support/crash-run.ts';
import { createDatabaseFolder } from '../test/support/database-folder.ts';
import { startInspectableService } from '../test/support/inspectable-service.ts';
import { startPostgres } from '../test/support/postgres.ts';

/**
 * Kills the process (SIGKILL) at each point and lets the next process recover, on each kind of database. Each point has
 * KILL_COUNT kills with all waits shortened to a hundredth, and KILL_COUNT_WITH_USUAL_WAITS kills with the usual waits.
 */
const KILL_COUNT = Number(process.env.CRASHES ?? 50);
const KILL_COUNT_WITH_USUAL_WAITS = Number(process.env.CRASHES_USUAL ?? 1);
/** Number of parallel chains of processes on each kind of database. Each chain has its own database. */
const CHAIN_COUNT = Number(process.env.CRASH_CHAINS ?? 2);
/**
 * Interval between the starts of chains with the usual waits. All points run in parallel, because chains mostly wait.
 */
const START_INTERVAL_MS = 4_000;

/** Creates a database and returns its address. */
type CreateDatabase = () => Promise<string>;

export async function measureCrashRecovery(): Promise<void> {
  const folders: string[] = [];
  const createEmbedded: CreateDatabase = async () => {
    const folder = await createDatabaseFolder();
    folders.push(folder);
    return folder;
  };
  const postgres = await startPostgres();
  if (!postgres) console.log('  Postgres: not run, not installed');
  const databases: Record<string, CreateDatabase> = {
    embedded: createEmbedded,
    ...(postgres && { Postgres: createPostgresCreator((name) => postgres.url(name, 'postgres')) }),
  };
  const runOnEach = (measure: (name: string, createDatabase: CreateDatabase) => Promise<void>) =>
    Promise.all(Object.entries(databases).map(([name, createDatabase]) => measure(name, createDatabase)));
  try {
    if (KILL_COUNT > 0) await runOnEach(runWithShortWaits);
    if (KILL_COUNT_WITH_USUAL_WAITS > 0) await runOnEach(runWithUsualWaits);
  } finally {
    await postgres?.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

function createPostgresCreator(url: (name: string) => string): CreateDatabase {
  let createdCount = 0;
  return async () => {
    const name = `crashes_${createdCount++}`;
    const admin = new Kysely({ dialect: createPostgresDialect(url('postgres')) });
    await sql.raw(`create database ${name}`).execute(admin);
    await admin.destroy();
    return url(name);
  };
}

async function runWithShortWaits(name: string, createDatabase: CreateDatabase): Promise<void> {
  const startedAt = performance.now();
  const shares = Array.from({ length: CHAIN_COUNT }, (_, chain) =>
    Array.from({ length: KILL_COUNT }, () =>
      POINTS.filter((_point, index) => index % CHAIN_COUNT === chain),
    ).flat(),
  );
  const crashMigrations = async () => {
    const service = await startInspectableService();
    const isComplete = await crashWhileMigrating(await createDatabase(), service.url, KILL_COUNT);
    await service.stop();
    return isComplete;
  };
  const [isComplete, ...runsByChain] = await Promise.all([
    crashMigrations(),
    ...shares.map((points) => runChain(createDatabase, points)),
  ]);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  console.log(`  ${name}, waits shortened to a hundredth (${minutes} min)`);
  console.log(`    killed ${KILL_COUNT} times during a migration: ${isComplete ? 'whole' : 'BROKEN'}`);
  printTable(runsByChain.flat());
}

async function runWithUsualWaits(name: string, createDatabase: CreateDatabase): Promise<void> {
  const runsByPoint = await Promise.all(
    POINTS.map(async (point, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * START_INTERVAL_MS));
      return runChain(createDatabase, Array<Point>(KILL_COUNT_WITH_USUAL_WAITS).fill(point), {
        usesProductionPace: true,
      });
    }),
  );
  console.log(`  ${name}, usual waits (limit: resumed within 60 s of the restart)`);
  printTable(runsByPoint.flat());
}

/** Runs a chain with its own service and database. At the end, counts the copies of each post in the service. */
async function runChain(
  createDatabase: CreateDatabase,
  points: readonly Point[],
  { usesProductionPace = false } = {},
): Promise<CrashRun[]> {
  const service = await startInspectableService();
  const runs: CrashRun[] = [];
  const options = { points, database: await createDatabase(), service, usesProductionPace };
  // In every other round, the author presses the button again.
  const pressesAgain = (index: number) => Math.floor((index * CHAIN_COUNT) / POINTS.length) % 2 === 1;
  for await (const run of runCrashChain({ ...options, pressesAgain })) runs.push(run);
  await service.stop();
  return runs.map((run) => ({ ...run, copies: countCopies(service, run.content) }));
}

/** Whether the author decides. */
const isQuestion = (state: string | undefined) => state === 'unsure' || state === 'blocked';

const COLUMNS: readonly (readonly [name: string, format: (runs: readonly CrashRun[]) => string])[] = [
  ['kills', (runs) => String(runs.length)],
  ['confirmed', (runs) => countRuns(runs, ({ state }) => state === 'confirmed')],
  ['needs a person', (runs) => countRuns(runs, ({ state }) => isQuestion(state))],
  ['lost', (runs) => countRuns(runs, ({ copies, state }) => copies === 0 && !isQuestion(state))],
  ['duplicated', (runs) => countRuns(runs, ({ copies }) => copies > 1)],
  ['not notified', (runs) => countRuns(runs, ({ shown }) => shown.length === 0)],
  ['notified twice', (runs) => countRuns(runs, ({ shown }) => shown.filter(isMessage).length > 1)],
  ['resumed, s', (runs) => formatSlowest(runs, ({ resumedAfterMs }) => resumedAfterMs)],
  ['finished, s', (runs) => formatSlowest(runs, ({ finishedAfterMs }) => finishedAfterMs)],
];

function isMessage(line: string): boolean {
  return line.startsWith('message ');
}

function countRuns(runs: readonly CrashRun[], isCounted: (run: CrashRun) => boolean): string {
  return String(runs.filter(isCounted).length);
}

function formatSlowest(runs: readonly CrashRun[], getMs: (run: CrashRun) => number): string {
  return (Math.max(0, ...runs.map(getMs)) / 1000).toFixed(1);
}

function printTable(runs: readonly CrashRun[]): void {
  console.log(`    ${'killed at'.padEnd(22)}${COLUMNS.map(([name]) => name.padStart(16)).join('')}`);
  for (const point of POINTS) {
    const runsAtPoint = runs.filter((run) => run.point === point);
    console.log(
      `    ${point.padEnd(22)}${COLUMNS.map(([, format]) => format(runsAtPoint).padStart(16)).join('')}`,
    );
  }
  const totals = COLUMNS.slice(0, -2).map(([, format]) => format(runs).padStart(16));
  console.log(`    ${'all'.padEnd(22)}${totals.join('')}`);
}
