import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { startPostgres } from '../test/support/postgres.ts';
import { computeMedian } from './median.ts';
import { openStatistics, readStatistics } from './postgres-statistics.ts';
import { startServer } from './server.ts';

/**
 * Measures posts per second, from a filled form until the author is notified, on Postgres, with a service that
 * answers at once, and counts the statements and the syncs of the write-ahead log that a post takes. `--against FOLDER`
 * compares with another checkout that has its packages installed. Each run has its own process and database. The
 * checkouts take turns, because a slow machine then slows down both.
 */

const ROUND_COUNT = 5;
const POST_COUNT = 1_000;
const MAX_STATEMENTS_PER_POST = 8;
const MAX_SYNCS_PER_POST = 3;

/** Figures of one run. */
interface Throughput {
  postsPerSecond: number;
  statementsPerPost: number;
  syncsPerPost: number;
}

export async function measureThroughput(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { against: { type: 'string' } } });
  const postgres = await startPostgres();
  if (!postgres) return console.log('  not run: no Postgres');
  const admin = await openStatistics(postgres);
  const folders = ['.', ...(values.against === undefined ? [] : [values.against])];
  const runs = new Map<string, Throughput[]>(folders.map((folder) => [folder, []]));
  // The first round warms up the machine's file cache.
  for (let round = 0; round <= ROUND_COUNT; round += 1) {
    for (const folder of round % 2 === 0 ? folders : folders.toReversed()) {
      const name = `throughput_${round}_${folders.indexOf(folder)}`;
      await sql`create database ${sql.id(name)}`.execute(admin);
      const run = await submitPosts(folder, { admin, database: name, url: postgres.url(name, 'postgres') });
      await sql`drop database ${sql.id(name)} with (force)`.execute(admin);
      if (round > 0) runs.get(folder)?.push(run);
    }
  }
  await admin.destroy();
  await postgres.stop();
  for (const [folder, folderRuns] of runs) {
    const figure = (name: keyof Throughput) => computeMedian(folderRuns.map((run) => run[name])).toFixed(1);
    console.log(
      `  ${folder}: ${figure('postsPerSecond')} posts/s, ${figure('statementsPerPost')} statements and ${figure('syncsPerPost')} syncs a post (limits: ${MAX_STATEMENTS_PER_POST} and ${MAX_SYNCS_PER_POST})`,
    );
  }
  const [ownRuns = [], otherRuns] = runs.values();
  if (!otherRuns) return;
  const ratio = computeMedian(
    ownRuns.map((run, round) => run.postsPerSecond / (otherRuns[round]?.postsPerSecond ?? Number.NaN)),
  );
  console.log(`  this checkout has ${ratio.toFixed(2)} times the rate of the other (limit: 0.95 or more)`);
}

/** Submits posts with one checkout, in a process of its own. The counts include its migrations, which are few. */
async function submitPosts(
  folder: string,
  { admin, database, url }: { admin: Kysely<unknown>; database: string; url: string },
): Promise<Throughput> {
  const before = await readStatistics(admin, database);
  const env = { FOLDER: folder, DATABASE_URL: url, COUNT: `${POST_COUNT}` };
  const worker = startServer('bench/servers/posting.ts', env);
  const [, postCount, rate] = await worker.waitForOutput(/(\d+) posts, ([\d.]+) posts\/s/);
  await worker.exit;
  const after = await readStatistics(admin, database);
  return {
    postsPerSecond: Number(rate),
    statementsPerPost: (after.statements - before.statements) / Number(postCount),
    syncsPerPost: (after.syncs - before.syncs) / Number(postCount),
  };
}
