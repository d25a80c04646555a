import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Kysely, sql } from 'kysely';
import { startServiceEmulator } from '../../src/start/emulators.ts';
import { fail } from '../../src/start/run.ts';
import { openThreadedPGlite } from '../../src/store/pglite/threaded-pglite.ts';

const COMMIT_COUNT = 1_000;
/** Pause between two commits, because the app does other work too. */
const PAUSE_MS = 5;
const { DATA_DIR = '', PROJECT = '' } = process.env;

interface Schema {
  bench_row: { id: number; text: string };
}

/** Returns percentiles of the commit time and of the event loop delay (ms). */
interface Measurement {
  getCommitMs(share: number): number;
  getLoopDelayMs(percentile: number): number;
}

async function measure(db: Kysely<Schema>, round: number): Promise<Measurement> {
  const loopDelays = monitorEventLoopDelay({ resolution: 1 });
  const times: number[] = [];
  loopDelays.enable();
  for (let commit = 0; commit < COMMIT_COUNT; commit += 1) {
    const startedAt = performance.now();
    await db.transaction().execute(async (transaction) => {
      const id = round * COMMIT_COUNT + commit;
      const row = { id, text: 'x'.repeat(200) };
      await transaction.insertInto('bench_row').values(row).execute();
      await transaction.updateTable('bench_row').set({ text: 'y' }).where('id', '=', id).execute();
    });
    times.push(performance.now() - startedAt);
    await wait(PAUSE_MS);
  }
  loopDelays.disable();
  times.sort((a, b) => a - b);
  return {
    getCommitMs: (share) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN,
    getLoopDelayMs: (percentile) => loopDelays.percentile(percentile) / 1e6,
  };
}

function printFigures(name: string, { getCommitMs, getLoopDelayMs }: Measurement): void {
  const figures = [...[0.5, 0.99, 1].map(getCommitMs), ...[50, 99.9, 100].map(getLoopDelayMs)];
  console.log(`  ${name.padEnd(14)} ${figures.map((ms) => ms.toFixed(1).padStart(9)).join('')}`);
}

/** Lists all posts of the project repeatedly, in another thread, until `stop` is called. */
function startLister(url: string, token: string): { countPages(): number; stop(): Promise<number> } {
  let pages = 0;
  const lister = new Worker(new URL('lister.ts', import.meta.url), {
    workerData: { url, token, project: PROJECT },
  });
  lister.on('message', () => {
    pages += 1;
  });
  return { countPages: () => pages, stop: () => lister.terminate() };
}

// Measures the part of the app in `npm start`, while all posts of the service are listed. The databases run in threads of
// their own. In the control run, nothing is listed.
const databaseFolder = join(DATA_DIR, 'bench-own');
await rm(databaseFolder, { recursive: true, force: true });
const database = await openThreadedPGlite(databaseFolder);
const service = await startServiceEmulator({ dataDir: DATA_DIR, port: 0 }, fail, console.log);
const { url, token } = service;
const db = new Kysely<Schema>({ dialect: database.dialect });
await sql`create table bench_row (id integer primary key, text text not null)`.execute(db);
await measure(db, 1);

console.log('                  commit p50      p99      max   loop p50    p99.9      max   (ms)');
printFigures('not listing', await measure(db, 2));
const lister = startLister(url, token);
while (lister.countPages() === 0) await wait(10);
printFigures('being listed', await measure(db, 3));
console.log(
  `  ${lister.countPages()} pages of 1,000 posts were listed meanwhile (limits: commit p99 < 100, loop p99.9 <= 50)`,
);
await lister.stop();
await service.close();
await database.close();
