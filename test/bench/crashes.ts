import { rmSync } from 'node:fs';
import { Kysely, sql } from 'kysely';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import {
  type CrashRun,
  countCopies,
  crashChain,
  crashWhileMigrating,
  POINTS,
  type Point,
} from '../support/crash-run.ts';
import { newDatabaseFolder } from '../support/database-folder.ts';
import { startPostgres } from '../support/postgres.ts';
import { startTruthService } from '../support/truth-service.ts';

/**
 * Kills the process (SIGKILL) at each point and lets the next process recover, on each kind of database. TIMES kills
 * run with all waits shortened to a hundredth, and USUAL_TIMES kills with the usual waits.
 */
const TIMES = Number(process.env.CRASHES ?? 50);
const USUAL_TIMES = Number(process.env.CRASHES_USUAL ?? 1);
/** Chains of processes that run in parallel on each kind of database. Each chain has its own database. */
const CHAINS = Number(process.env.CRASH_CHAINS ?? 2);
/**
 * Interval between the starts of chains with the usual waits. Each point has its own chain, because chains mostly
 * wait.
 */
const START_INTERVAL_MS = 4_000;

/** Creates a database and returns its address. */
type CreateDatabase = () => Promise<string>;

export async function crashes(): Promise<void> {
  const folders: string[] = [];
  const embedded: CreateDatabase = async () => {
    const folder = await newDatabaseFolder();
    folders.push(folder);
    return folder;
  };
  const postgres = await startPostgres();
  if (!postgres) console.log('  Postgres: not run, not installed');
  const databases: Record<string, CreateDatabase> = {
    embedded,
    ...(postgres && { Postgres: createOnPostgres((name) => postgres.url(name, 'postgres')) }),
  };
  const runOnEach = (run: (name: string, createDatabase: CreateDatabase) => Promise<void>) =>
    Promise.all(Object.entries(databases).map(([name, createDatabase]) => run(name, createDatabase)));
  try {
    if (TIMES > 0) await runOnEach(runWithShortWaits);
    if (USUAL_TIMES > 0) await runOnEach(runWithUsualWaits);
  } finally {
    await postgres?.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

function createOnPostgres(url: (name: string) => string): CreateDatabase {
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
  const shares = Array.from({ length: CHAINS }, (_, chain) =>
    Array.from({ length: TIMES }, () => POINTS.filter((_point, index) => index % CHAINS === chain)).flat(),
  );
  const crashMigrations = async () => {
    const service = await startTruthService();
    const isComplete = await crashWhileMigrating(await createDatabase(), service.url, TIMES);
    await service.stop();
    return isComplete;
  };
  const [isComplete, ...runs] = await Promise.all([
    crashMigrations(),
    ...shares.map((points) => runChain(createDatabase, points)),
  ]);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  console.log(`  ${name}, waits shortened to a hundredth (${minutes} min)`);
  console.log(`    killed ${TIMES} times during a migration: ${isComplete ? 'whole' : 'BROKEN'}`);
  printTable(runs.flat());
}

async function runWithUsualWaits(name: string, createDatabase: CreateDatabase): Promise<void> {
  const runs = await Promise.all(
    POINTS.map(async (point, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * START_INTERVAL_MS));
      return runChain(createDatabase, Array<Point>(USUAL_TIMES).fill(point), true);
    }),
  );
  console.log(`  ${name}, usual waits (limit: resumed within 60 s of the restart)`);
  printTable(runs.flat());
}

/** Runs a chain with its own service and database, and counts each post in the service at the end. */
async function runChain(
  createDatabase: CreateDatabase,
  points: readonly Point[],
  isUsual = false,
): Promise<CrashRun[]> {
  const service = await startTruthService();
  const runs: CrashRun[] = [];
  const options = { points, database: await createDatabase(), service, usual: isUsual };
  // In every other round, the author presses the button again.
  const pressesAgain = (index: number) => Math.floor((index * CHAINS) / POINTS.length) % 2 === 1;
  for await (const run of crashChain({ ...options, pressesAgain })) runs.push(run);
  await service.stop();
  return runs.map((run) => ({ ...run, copies: countCopies(service, run.content) }));
}

const COLUMNS: readonly (readonly [name: string, format: (runs: readonly CrashRun[]) => string])[] = [
  ['kills', (runs) => String(runs.length)],
  ['confirmed', (runs) => count(runs, ({ state }) => state === 'confirmed')],
  ['needs a person', (runs) => count(runs, ({ state }) => state === 'needs-person')],
  ['lost', (runs) => count(runs, ({ copies, state }) => copies === 0 && state !== 'needs-person')],
  ['duplicated', (runs) => count(runs, ({ copies }) => copies > 1)],
  ['not notified', (runs) => count(runs, ({ shown }) => shown.length === 0)],
  ['notified twice', (runs) => count(runs, ({ shown }) => shown.filter(isMessage).length > 1)],
  ['resumed, s', (runs) => slowest(runs, ({ resumedAfterMs }) => resumedAfterMs)],
  ['finished, s', (runs) => slowest(runs, ({ ms }) => ms)],
];

function isMessage(line: string): boolean {
  return line.startsWith('message ');
}

function count(runs: readonly CrashRun[], test: (run: CrashRun) => boolean): string {
  return String(runs.filter(test).length);
}

function slowest(runs: readonly CrashRun[], ms: (run: CrashRun) => number): string {
  return (Math.max(0, ...runs.map(ms)) / 1000).toFixed(1);
}

function printTable(runs: readonly CrashRun[]): void {
  console.log(`    ${'killed at'.padEnd(22)}${COLUMNS.map(([name]) => name.padStart(16)).join('')}`);
  for (const point of POINTS) {
    const runsAtPoint = runs.filter((run) => run.point === point);
    console.log(
      `    ${point.padEnd(22)}${COLUMNS.map(([, format]) => format(runsAtPoint).padStart(16)).join('')}`,
    );
  }
  const all = COLUMNS.slice(0, -2).map(([, format]) => format(runs).padStart(16));
  console.log(`    ${'all'.padEnd(22)}${all.join('')}`);
}
