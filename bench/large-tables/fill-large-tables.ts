import { type Kysely, sql } from 'kysely';
import { Client } from 'pg';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { withoutStatementTimeout } from '../../src/store/statement-timeout.ts';
import { fillTables } from '../../test/support/fill-tables.ts';
import { buildOwnValue, ROW_COUNTS } from './large-rows.ts';

/** Tables that the bench doesn't fill. */
const UNFILLED_TABLES = ['kysely_migration', 'kysely_migration_lock', 'shared_secret'];

/** Fills all tables of the database at `url`, and prints each. Leaves a filled database as it is. */
export async function fillLargeTables(db: Kysely<BotSchema>, url: string): Promise<void> {
  if (await db.selectFrom('submission').select('id').limit(1).executeTakeFirst()) return;
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = current_schema()`.execute(db);
  const missing = rows.filter(({ name }) => !(name in ROW_COUNTS) && !UNFILLED_TABLES.includes(name));
  if (missing.length > 0) throw new Error(`no row count for ${missing.map(({ name }) => name).join(', ')}`);
  for (const [table, count] of Object.entries(ROW_COUNTS)) {
    const startedAt = performance.now();
    await withoutStatementTimeout(() => fillWithoutIndexes(db, table, count));
    console.log(
      `  ${count.toLocaleString('en')} rows of ${table} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
    );
  }
  // The pool runs statements without a timeout in transactions, where `vacuum` isn't possible.
  const client = new Client(url);
  await client.connect();
  await client.query('vacuum');
  await client.end();
}

/** Fills a table while it has no indexes but those of its keys, and creates them again, which is faster. */
async function fillWithoutIndexes(db: Kysely<BotSchema>, table: string, count: number): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = current_schema() and tablename = ${table}
      and not exists (select from pg_constraint where conname = indexname)`.execute(db);
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(db);
  await fillTables(db, { [table]: count }, buildOwnValue);
  for (const { definition } of rows) await sql.raw(definition).execute(db);
}
