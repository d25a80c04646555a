import { Kysely } from 'kysely';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { openBotDatabase } from '../support/bot.ts';
import { emptyTables } from '../support/empty-tables.ts';
import { type SimulationOptions, simulateHeldPosts } from '../support/held-simulation/held-simulation.ts';
import { startPostgres } from '../support/postgres.ts';

const POST_COUNT = Number(process.env.HELD_POSTS ?? 10_000);
/** The built-in database runs fewer posts, because it has one connection. */
const EMBEDDED_POST_COUNT = Number(process.env.HELD_POSTS_EMBEDDED ?? 500);
const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
const INSTANCE_COUNT = 3;
const MINUTE_MS = 60_000;

/**
 * Holds posts while people edit, move, cancel and restore them, projects are stopped, roles are lost, the service fails
 * and instances stop for good at random points, around the clock changes of 20 zones. Then all instances are down for
 * less, and for more, than the lead.
 */
export async function simulateHolding(): Promise<void> {
  console.log(`  seed ${SEED} (SEED=${SEED} repeats the run)`);
  const postgres = await startPostgres();
  if (!postgres) console.log('  Postgres: not run, not installed');
  if (postgres) {
    const connect = () => createPostgresDialect(postgres.url('postgres', 'postgres'));
    const first = await openDatabase<BotSchema>({ dialect: connect(), migrations });
    const others = Array.from(
      { length: INSTANCE_COUNT - 1 },
      () => new Kysely<BotSchema>({ dialect: connect() }),
    );
    await runAll('Postgres', POST_COUNT, [first, ...others]);
    for (const db of [first, ...others]) await db.destroy();
    await postgres.stop();
  }
  const embedded = await openBotDatabase();
  await runAll('built-in database', EMBEDDED_POST_COUNT, Array(INSTANCE_COUNT).fill(embedded.db));
  await embedded.close();
}

async function runAll(name: string, posts: number, dbs: SimulationOptions['dbs']): Promise<void> {
  console.log(`  ${name}, ${posts} posts, ${dbs.length} instances`);
  const runs: readonly [string, Omit<SimulationOptions, 'seed' | 'posts' | 'dbs'>][] = [
    ['everything changes and fails', { days: 4, stepMs: 15 * MINUTE_MS }],
    ['outage shorter than the lead', { days: 1, stepMs: 7 * MINUTE_MS, outageMs: 13 * MINUTE_MS }],
    ['outage longer than the lead', { days: 4, stepMs: 60 * MINUTE_MS, outageMs: 30 * 60 * MINUTE_MS }],
  ];
  for (const [title, run] of runs) {
    const [db] = dbs;
    if (db) await emptyTables(db);
    const startedAt = performance.now();
    const figures = await simulateHeldPosts({ seed: SEED, posts, dbs, ...run });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    const list = Object.entries(figures).map(([label, count]) => `${label} ${count}`);
    console.log(`    ${title} (${seconds} s): ${list.join(', ')}`);
  }
}
