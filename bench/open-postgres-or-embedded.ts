import type { Kysely } from 'kysely';
import { migrations } from '../src/app/migrations.ts';
import type { BotSchema } from '../src/handlers/schema.ts';
import { openDatabase } from '../src/store/database.ts';
import { createPostgresDialect } from '../src/store/postgres-dialect.ts';
import { openBotDatabase } from '../test/support/bot-database.ts';
import { startPostgres } from '../test/support/postgres.ts';

/** Opens a database on a new Postgres server. If Postgres isn't installed, opens a built-in database. */
export async function openPostgresOrEmbedded(): Promise<{ db: Kysely<BotSchema>; close(): Promise<void> }> {
  const postgres = await startPostgres();
  console.log(`  on ${postgres ? 'Postgres' : 'the built-in database'}`);
  if (!postgres) return openBotDatabase();
  const dialect = createPostgresDialect(postgres.url('postgres', 'postgres'));
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  return {
    db,
    async close() {
      await db.destroy();
      await postgres.stop();
    },
  };
}
