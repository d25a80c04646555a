import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/app/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { openBotDatabase } from '../support/bot-database.ts';
import { emptyTables } from '../support/empty-tables.ts';
import { type SimulationOptions, simulateHeldPosts } from '../support/held-simulation/held-simulation.ts';
import { startPostgres } from '../support/postgres.ts';

const POST_COUNT = Number(process.env.HELD_POSTS ?? 10_000);
/** The built-in database runs fewer posts, because it has one connection. */
const EMBEDDED_POST_COUNT = Number(process.env.HELD_POSTS_EMBEDDED ?? 500);
/** The share of posts in each run with an outage. */
const OUTAGE_SHARE = 0.1;
const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
const MINUTE_MS = 60_000;

type Database = Pick<SimulationOptions, 'db' | 'databaseUrl'>;

/**
 * Holds posts while people edit, move, cancel, restore and review them, projects are stopped, policies change, roles are
 * lost, the service fails and instances are killed, around the clock changes of 20 zones. Then the service, or all
 * instances, are down for less, and for more, than the leads. On Postgres the instances are processes.
 */
export async function simulateHolding(): Promise<void> {
  console.log(`  seed ${SEED} (SEED=${SEED} repeats the draws; kills of processes come at other times)`);
  const postgres = await startPostgres();
  if (!postgres) console.log('  Postgres: not run, not installed');
  if (postgres) {
    const databaseUrl = postgres.url('postgres', 'postgres');
    const db = await openDatabase<BotSchema>({ dialect: createPostgresDialect(databaseUrl), migrations });
    await runAll('Postgres, three processes', POST_COUNT, { db, databaseUrl });
    await db.destroy();
    await postgres.stop();
  }
  const embedded = await openBotDatabase();
  await runAll('built-in database, three instances in one process', EMBEDDED_POST_COUNT, { db: embedded.db });
  await embedded.close();
}

async function runAll(name: string, posts: number, database: Database): Promise<void> {
  console.log(`  ${name}`);
  await run('everything changes and fails', { seed: SEED, posts, ...database });
  for (const [title, outage] of [
    ['service down for 14 minutes', { of: 'service', ms: 14 * MINUTE_MS }],
    ['Upnext down for 14 minutes', { of: 'upnext', ms: 14 * MINUTE_MS }],
    ['service down for 5 hours', { of: 'service', ms: 300 * MINUTE_MS }],
    ['Upnext down for 5 hours', { of: 'upnext', ms: 300 * MINUTE_MS }],
  ] as const)
    await run(title, { seed: SEED, posts: Math.ceil(posts * OUTAGE_SHARE), outage, ...database });
}

async function run(title: string, options: SimulationOptions): Promise<void> {
  await emptyTables(options.db);
  const startedAt = performance.now();
  const report = (text: string) => console.log(`      ${text}`);
  const figures = await simulateHeldPosts({ ...options, report });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  const list = Object.entries(figures).map(([label, count]) => `${label} ${count}`);
  console.log(`    ${title} (${seconds} s): ${list.join(', ')}`);
}
