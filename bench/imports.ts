import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import type { BotSchema } from '../src/handlers/schema.ts';
import { createPostgresDialect } from '../src/store/postgres-dialect.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { printVerdict } from './print-verdict.ts';
import { startServer } from './server.ts';

/**
 * Imports 5,000 rows on Postgres: once without interruption, for the rows per second, and once by processes of which ten
 * are killed (SIGKILL) at any moment. Then compares the posts with the rows.
 */

const [ROW_COUNT, KILL_COUNT] = [5_000, 10];
/** Longer than a lease. */
const PASSED_MS = 120_000;
const SERVER = 'bench/servers/importing.ts';

export async function measureImports(): Promise<void> {
  const postgres = await startPostgres();
  if (!postgres) return console.log('  not run: no Postgres');
  const url = (name: string) => postgres.url(name, 'postgres');
  const admin = new Kysely({ dialect: createPostgresDialect(url('postgres')) });
  for (const name of ['whole', 'killed']) await sql`create database ${sql.id(name)}`.execute(admin);
  const whole = startServer(SERVER, { DATABASE_URL: url('whole'), ROWS: `${ROW_COUNT}` });
  const [, ms = '0'] = await whole.waitForOutput(/done in (\d+) ms/);
  await whole.exit;
  const rate = ROW_COUNT / (Number(ms) / 1_000);
  console.log(`  ${ROW_COUNT} rows in ${ms} ms: ${rate.toFixed(0)} rows/s`);
  const killedUrl = url('killed');
  for (let kill = 0; kill < KILL_COUNT; kill += 1) {
    const server = startServer(SERVER, {
      DATABASE_URL: killedUrl,
      PASSED_MS: `${kill * PASSED_MS}`,
      ...(kill === 0 && { ROWS: `${ROW_COUNT}` }),
    });
    await server.waitForOutput(/importing/);
    await delay(Math.random() * 2 * (Number(ms) / (KILL_COUNT + 2)));
    if (server.pid !== undefined) process.kill(server.pid, 'SIGKILL');
    await server.exit;
    console.log(`  killed with ${await countPosts(killedUrl)} posts`);
  }
  const last = startServer(SERVER, { DATABASE_URL: killedUrl, PASSED_MS: `${KILL_COUNT * PASSED_MS}` });
  await last.waitForOutput(/done in/);
  await last.exit;
  const [posts, distinct] = [await countPosts(killedUrl), await countDistinctPosts(killedUrl)];
  await admin.destroy();
  await postgres.stop();
  const isExact = posts === ROW_COUNT && distinct === ROW_COUNT;
  printVerdict(
    `${ROW_COUNT} rows are ${ROW_COUNT} posts after ${KILL_COUNT} kills`,
    isExact ? [] : [`${posts} posts, ${distinct} different ones`],
  );
}

async function countPosts(url: string): Promise<number> {
  return readCount(url, sql`count(*)`);
}

async function countDistinctPosts(url: string): Promise<number> {
  return readCount(url, sql`count(distinct content_hash)`);
}

async function readCount(url: string, count: ReturnType<typeof sql>): Promise<number> {
  const db = new Kysely<BotSchema>({ dialect: createPostgresDialect(url) });
  const { rows } = await sql<{ count: number }>`select (${count})::int as count from held_post`.execute(db);
  await db.destroy();
  return rows[0]?.count ?? 0;
}
