import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { openThreadedPGlite } from '../../../src/embedded/database/threaded-pglite.ts';

const ROWS = 1_000_000;
const COMMITS = 1_000;
/** The bot is no load generator: between two commits it does other things. */
const PAUSE_MS = 5;
const LIMITS = { commitP99: 100, delayP999: 50 };

interface Schema {
  kept: { id: number; words: string };
}

async function fill(db: Kysely<unknown>): Promise<void> {
  await sql`create table post (id integer, words text)`.execute(db);
  await sql`insert into post select n, repeat('x', 80) from generate_series(1, ${ROWS}::int) as n`.execute(
    db,
  );
}

async function scan(db: Kysely<unknown>, signal: AbortSignal): Promise<number> {
  let scans = 0;
  for (; !signal.aborted; scans += 1) {
    await sql`select count(*) from post where words like ${`%y${scans}%`}`.execute(db);
  }
  return scans;
}

interface Measured {
  /** The share of commits that took no longer, in ms. */
  commits(share: number): number;
  /** The percentile of the event loop's delay, in ms. */
  delay(percentile: number): number;
}

async function measure(db: Kysely<Schema>, round: number): Promise<Measured> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const times: number[] = [];
  delay.enable();
  for (let commit = 0; commit < COMMITS; commit += 1) {
    const started = performance.now();
    await db.transaction().execute(async (transaction) => {
      const id = round * COMMITS + commit;
      await transaction
        .insertInto('kept')
        .values({ id, words: 'x'.repeat(200) })
        .execute();
      await transaction.updateTable('kept').set({ words: 'y' }).where('id', '=', id).execute();
    });
    times.push(performance.now() - started);
    await pause(PAUSE_MS);
  }
  delay.disable();
  times.sort((a, b) => a - b);
  return {
    commits: (share) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN,
    delay: (percentile) => delay.percentile(percentile) / 1e6,
  };
}

function report(name: string, { commits, delay }: Measured): void {
  const figures = [commits(0.5), commits(0.99), commits(1), delay(50), delay(99.9), delay(100)];
  console.log(name.padEnd(16), figures.map((ms) => ms.toFixed(1).padStart(8)).join(' '));
}

// A program: how long the bot's own commits take and how late its event loop runs, while a million rows are scanned
// again and again in another embedded database, and with nothing beside it as control.
const folder = await mkdtemp('.cache/bench-database-');
const [own, other] = await Promise.all(
  ['own', 'other'].map((name) => openThreadedPGlite(join(folder, name))),
);
if (own === undefined || other === undefined) throw new Error('there are two');
const bot = new Kysely<Schema>({ dialect: own.dialect });
const neighbour = new Kysely<unknown>({ dialect: other.dialect });
await sql`create table kept (id integer primary key, words text not null)`.execute(bot);
await fill(neighbour);
await measure(bot, 1);

console.log('                 commit p50   p99   max ms   loop delay p50   p99.9   max ms');
report('idle', await measure(bot, 2));
const scanning = new AbortController();
const scans = scan(neighbour, scanning.signal);
const busy = await measure(bot, 3);
scanning.abort();
report('next to scans', busy);
console.log(`${await scans} scans of ${ROWS} rows ran beside it`);
console.log(`limits: commit p99 < ${LIMITS.commitP99} ms, loop delay p99.9 <= ${LIMITS.delayP999} ms`);
await Promise.all([own.close(), other.close()]);
await rm(folder, { recursive: true });
if (busy.commits(0.99) >= LIMITS.commitP99 || busy.delay(99.9) > LIMITS.delayP999) process.exitCode = 1;
