import { Kysely } from 'kysely';
import { openThreadedPGlite } from '../../../../src/store/pglite/threaded-pglite.ts';

// A program that adds rows to `kept` one after another, and prints the id of each row after its commit.
const [folder = ''] = process.argv.slice(2);
const { dialect } = await openThreadedPGlite(folder);
const db = new Kysely<{ kept: { id: number } }>({ dialect });
await db.schema
  .createTable('kept')
  .addColumn('id', 'integer', (column) => column.primaryKey())
  .execute();
for (let id = 1; ; id += 1) {
  await db.insertInto('kept').values({ id }).execute();
  process.stdout.write(`${id}\n`);
}
