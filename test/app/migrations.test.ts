import { createHash } from 'node:crypto';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';

test('a migration whose tables change gets a new name', async () => {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (each) => new PostgresIntrospector(each),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql.replace(/\s+/g, ' ')),
  });
  for (const { up } of Object.values(migrations)) await up(db);
  const hash = createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 16);
  // Without a new name, an earlier database isn't recognised as one.
  expect([Object.keys(migrations).at(-1), hash]).toEqual([
    '2027-01-23-slot-reservations',
    'b7146d1763f0c58c',
  ]);
});
