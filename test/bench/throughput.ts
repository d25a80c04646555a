import { parseArgs } from 'node:util';
import { Kysely, sql } from 'kysely';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { startPostgres } from '../support/postgres.ts';
import { computeMedian } from './median.ts';
import { startServer } from './server.ts';

/**
 * Measures posts per second, from a filled form until the author is notified, on Postgres, with a service that
 * answers at once. `--against FOLDER` compares with another checkout that has its packages installed. Each run has
 * its own process and database. The checkouts take turns, because a slow machine then slows down both.
 */

const ROUND_COUNT = 5;
const POST_COUNT = 1_000;

export async function measureThroughput(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { against: { type: 'string' } } });
  const postgres = await startPostgres();
  if (!postgres) return console.log('  not run: no Postgres');
  const admin = new Kysely({ dialect: createPostgresDialect(postgres.url('postgres', 'postgres')) });
  const folders = ['.', ...(values.against === undefined ? [] : [values.against])];
  const rates = new Map<string, number[]>(folders.map((folder) => [folder, []]));
  // The first round warms up the machine's file cache.
  for (let round = 0; round <= ROUND_COUNT; round += 1) {
    for (const folder of round % 2 === 0 ? folders : folders.toReversed()) {
      const name = `throughput_${round}_${folders.indexOf(folder)}`;
      await sql`create database ${sql.id(name)}`.execute(admin);
      const rate = await measurePostsPerSecond(folder, postgres.url(name, 'postgres'));
      await sql`drop database ${sql.id(name)} with (force)`.execute(admin);
      if (round > 0) rates.get(folder)?.push(rate);
    }
  }
  await admin.destroy();
  await postgres.stop();
  for (const [folder, folderRates] of rates)
    console.log(`  ${folder}: ${computeMedian(folderRates).toFixed(1)} posts/s`);
  const [ownRates = [], otherRates] = rates.values();
  if (!otherRates) return;
  const ratio = computeMedian(ownRates.map((rate, round) => rate / (otherRates[round] ?? Number.NaN)));
  console.log(`  this checkout has ${ratio.toFixed(2)} times the rate of the other (limit: 0.95 or more)`);
}

async function measurePostsPerSecond(folder: string, databaseUrl: string): Promise<number> {
  const env = { FOLDER: folder, DATABASE_URL: databaseUrl, COUNT: `${POST_COUNT}` };
  const worker = startServer('test/bench/servers/posting.ts', env);
  const [, rateText] = await worker.waitForOutput(/([\d.]+) posts\/s/);
  await worker.exit;
  return Number(rateText);
}
