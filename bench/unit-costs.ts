import { type Kysely, sql } from 'kysely';
import { migrations } from '../src/app/migrations.ts';
import type { BotSchema } from '../src/handlers/schema.ts';
import { openDatabase } from '../src/store/database.ts';
import { createPostgresDialect } from '../src/store/postgres-dialect.ts';
import { type Running, startBot, WITHOUT_LIMITS } from '../test/support/bot.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { openStatistics, readStatistics } from './postgres-statistics.ts';

/**
 * Schedules posts one after the other as a person does: opens the form, fills it in and submits it. Prints what a post
 * costs: statements, syncs of the write-ahead log, calls, CPU time, and rows and bytes by table with their indexes. The
 * calculation in ARCHITECTURE.md is based on it. The CPU time includes the local Slack and service.
 */

const POST_COUNT = Number(process.env.POSTS ?? 200);
const WARM_UP_COUNT = 20;
/** Smaller amounts are those of the server itself. */
const MIN_PRINTED = 0.005;

export async function measureUnitCosts(): Promise<void> {
  const postgres = await startPostgres();
  if (!postgres) return console.log('  not run: no Postgres');
  const admin = await openStatistics(postgres);
  await sql`create database upnext`.execute(admin);
  const db = await openDatabase<BotSchema>({
    dialect: createPostgresDialect(postgres.url('upnext', 'postgres')),
    migrations,
  });
  const running = await startBot({ db, membersDefaultRole: 'owner', rates: WITHOUT_LIMITS, limits: false });
  const readFigures = async (): Promise<Record<string, number>> => ({
    ...(await readStatistics(admin, 'upnext')),
    'ms of CPU time': process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000,
    'calls to the service': running.service.calls.length,
    ...(await readTableSizes(db)),
  });
  await schedulePosts(running, 0, WARM_UP_COUNT);
  const before = await readFigures();
  const calls = await schedulePosts(running, WARM_UP_COUNT, POST_COUNT);
  for (const [name, value] of Object.entries({ ...(await readFigures()), ...calls })) {
    const perPost = (value - (before[name] ?? 0)) / POST_COUNT;
    if (perPost > MIN_PRINTED) console.log(`  ${name.padEnd(44)} ${perPost.toFixed(2).padStart(9)} a post`);
  }
  await running.close();
  await db.destroy();
  await admin.destroy();
  await postgres.stop();
}

/** Number of calls to each method of Slack. */
type Calls = Record<string, number>;

async function schedulePosts({ workspace }: Running, first: number, count: number): Promise<Calls> {
  const ana = workspace.as('Ana').in('#harbour-coffee');
  const calls: Calls = {};
  // The workspace keeps only the newest calls, so they are counted after each post.
  let countedUntil = workspace.app.calls().at(-1)?.at ?? 0;
  for (let index = first; index < first + count; index += 1) {
    await ana.type('/schedule-post');
    const form = await ana.modal('Schedule a post');
    await form.fill('Text', `Post ${index}: ${'a text of the usual length. '.repeat(6)}`);
    await form.choose('Platforms', ['X']);
    await form.fill('When', `1 Dec ${9 + (index % 10)}:${String(10 + (index % 45))}`);
    await form.submit();
    for (const { at, name } of workspace.app.calls()) {
      if (at <= countedUntil) continue;
      calls[`Slack: ${name}`] = (calls[`Slack: ${name}`] ?? 0) + 1;
    }
    countedUntil = workspace.app.calls().at(-1)?.at ?? countedUntil;
  }
  return calls;
}

/** Reads rows, and bytes with indexes and TOAST, of each table. */
async function readTableSizes(db: Kysely<BotSchema>): Promise<Record<string, number>> {
  await sql`analyze`.execute(db);
  const { rows } = await sql<{ name: string; rows: number; bytes: number }>`
    select relname as name, n_tup_ins::integer as rows, pg_total_relation_size(relid)::float as bytes
    from pg_stat_user_tables`.execute(db);
  return Object.fromEntries(
    rows.flatMap(({ name, rows: count, bytes }) => [
      [`rows of ${name}`, count],
      [`bytes of ${name}`, bytes],
    ]),
  );
}
