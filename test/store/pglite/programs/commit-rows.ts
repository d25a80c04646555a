import { Kysely } from 'kysely';
import { openThreadedPGlite } from '../../../../src/store/pglite/threaded-pglite.ts';

// A program that adds rows to `committed_row` one after another, and prints the id of each row after its commit.
const [folder = ''] = process.argv.slice(2);
const { dialect } = await openThreadedPGlite(folder);
const db = new Kysely<{ committed_row: { id: number } }>({ dialect });
await db.schema
  .createTable('committed_row')
  .addColumn('id', 'integer', (column) => column.primaryKey())
  .execute();
for (let id = 1; ; id += 1) {
  await db.insertInto('committed_row').values({ id }).execute();
  process.stdout.write(`${id}\n`);
}
