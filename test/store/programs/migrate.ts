import { openDatabase } from '../../../src/store/database.ts';
import { createPostgresDialect } from '../../../src/store/postgres-dialect.ts';
import { createSlowMigration } from './slow-migration.ts';

// A program that opens the given Postgres database, and prints whether it ran the migrations or waited.
const [url = ''] = process.argv.slice(2);
let result = 'waited';
const migrations = createSlowMigration(() => {
  result = 'migrated';
});
const db = await openDatabase<unknown>({ dialect: createPostgresDialect(url), migrations });
console.log(result);
await db.destroy();
