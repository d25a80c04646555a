import { rmSync } from 'node:fs';
import { Kysely, sql } from 'kysely';
import { postgresDialect } from '../../src/store/postgres-dialect.ts';
import {
  type CrashRun,
  crashChain,
  crashWhileMigrating,
  POINTS,
  type Point,
  timesThere,
} from '../support/crash-run.ts';
import { newDatabaseFolder } from '../support/database-folder.ts';
import { startPostgres } from '../support/postgres.ts';
import { startTruthService } from '../support/truth-service.ts';

/**
 * kill -9 at each point, so many times on each database, and what the next process makes of it: all waits a hundredth of
 * the usual, and so many times at the usual pace.
 */
const TIMES = Number(process.env.CRASHES ?? 50);
const USUAL_TIMES = Number(process.env.CRASHES_USUAL ?? 1);
/** So many chains of processes side by side on each kind of database, each with a database of its own. */
const CHAINS = Number(process.env.CRASH_CHAINS ?? 2);
/** At the usual pace they mostly wait, so each point has a chain. They begin one after the other, ms. */
const APART_MS = 4_000;

/** Makes a database and says where it is. */
type Make = () => Promise<string>;

export async function crashes(): Promise<void> {
  const folders: string[] = [];
  const embedded: Make = async () => {
    const folder = await newDatabaseFolder();
    folders.push(folder);
    return folder;
  };
  const postgres = await startPostgres();
  if (!postgres) console.log('  Postgres: not run, there is none');
  const makers: Record<string, Make> = {
    embedded,
    ...(postgres && { Postgres: onPostgres((name) => postgres.url(name, 'postgres')) }),
  };
  const each = (run: (name: string, make: Make) => Promise<void>) =>
    Promise.all(Object.entries(makers).map(([name, make]) => run(name, make)));
  try {
    if (TIMES > 0) await each(scaled);
    if (USUAL_TIMES > 0) await each(usual);
  } finally {
    await postgres?.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

function onPostgres(url: (name: string) => string): Make {
  let made = 0;
  return async () => {
    const name = `crashes_${made++}`;
    const admin = new Kysely({ dialect: postgresDialect(url('postgres')) });
    await sql.raw(`create database ${name}`).execute(admin);
    await admin.destroy();
    return url(name);
  };
}

async function scaled(name: string, make: Make): Promise<void> {
  const began = performance.now();
  const shares = Array.from({ length: CHAINS }, (_, chain) =>
    Array.from({ length: TIMES }, () => POINTS.filter((_point, index) => index % CHAINS === chain)).flat(),
  );
  const migrating = async () => {
    const service = await startTruthService();
    const isWhole = await crashWhileMigrating(await make(), service.url, TIMES);
    await service.stop();
    return isWhole;
  };
  const [isWhole, ...runs] = await Promise.all([migrating(), ...shares.map((points) => chain(make, points))]);
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(`  ${name}, all waits a hundredth of the usual (${minutes} min)`);
  console.log(`    stopped ${TIMES} times in the middle of a migration: ${isWhole ? 'whole' : 'BROKEN'}`);
  table(runs.flat());
}

async function usual(name: string, make: Make): Promise<void> {
  const runs = await Promise.all(
    POINTS.map(async (point, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * APART_MS));
      return chain(make, Array<Point>(USUAL_TIMES).fill(point), true);
    }),
  );
  console.log(`  ${name}, at the usual pace (wanted: goes on within 60 s of the restart)`);
  table(runs.flat());
}

/** A service and a database of its own, and what the service has of each when all is over. */
async function chain(make: Make, points: readonly Point[], isUsual = false): Promise<CrashRun[]> {
  const service = await startTruthService();
  const runs: CrashRun[] = [];
  const options = { points, database: await make(), service, usual: isUsual };
  // Every other round its person presses once more.
  const pressesAgain = (index: number) => Math.floor((index * CHAINS) / POINTS.length) % 2 === 1;
  for await (const run of crashChain({ ...options, pressesAgain })) runs.push(run);
  await service.stop();
  return runs.map((run) => ({ ...run, there: timesThere(service, run.content) }));
}

const COLUMNS: readonly (readonly [name: string, of: (runs: readonly CrashRun[]) => string])[] = [
  ['kills', (runs) => String(runs.length)],
  ['confirmed', (runs) => count(runs, ({ state }) => state === 'confirmed')],
  ['asked', (runs) => count(runs, ({ state }) => state === 'needs-person')],
  ['lost', (runs) => count(runs, ({ there, state }) => there === 0 && state !== 'needs-person')],
  ['doubled', (runs) => count(runs, ({ there }) => there > 1)],
  ['not told', (runs) => count(runs, ({ told }) => told.length === 0)],
  ['told twice', (runs) => count(runs, ({ told }) => told.filter(isMessage).length > 1)],
  ['went on, s', (runs) => slowest(runs, ({ wentOnMs }) => wentOnMs)],
  ['ended, s', (runs) => slowest(runs, ({ ms }) => ms)],
];

function isMessage(said: string): boolean {
  return said.startsWith('message ');
}

function count(runs: readonly CrashRun[], test: (run: CrashRun) => boolean): string {
  return String(runs.filter(test).length);
}

function slowest(runs: readonly CrashRun[], ms: (run: CrashRun) => number): string {
  return (Math.max(0, ...runs.map(ms)) / 1000).toFixed(1);
}

function table(runs: readonly CrashRun[]): void {
  console.log(`    ${'stopped at'.padEnd(22)}${COLUMNS.map(([name]) => name.padStart(11)).join('')}`);
  for (const point of POINTS) {
    const here = runs.filter((run) => run.point === point);
    console.log(`    ${point.padEnd(22)}${COLUMNS.map(([, of]) => of(here).padStart(11)).join('')}`);
  }
  const all = COLUMNS.slice(0, -2).map(([, of]) => of(runs).padStart(11));
  console.log(`    ${'all'.padEnd(22)}${all.join('')}`);
}
