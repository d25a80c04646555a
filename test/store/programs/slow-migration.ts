import { type Kysely, sql } from 'kysely';
import type { Migrations } from '../../../src/store/database.ts';

/** Creates a migration that is slow enough for other instances to start while it runs. */
export function createSlowMigration(onRun: () => void): Migrations {
  return {
    '001-slow': {
      up: async (db: Kysely<unknown>) => {
        onRun();
        await sql`create table migrated (times integer)`.execute(db);
        await sql`select pg_sleep(0.3)`.execute(db);
        await sql`insert into migrated values (1)`.execute(db);
      },
    },
  };
}
