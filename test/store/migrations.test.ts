import { createHash } from 'node:crypto';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { migrations as serviceMigrations } from 'scheduling-service-emulator';
import { expect, test } from 'vitest';
import { migrations as appMigrations } from '../../src/app/migrations.ts';
import type { Migrations } from '../../src/store/database.ts';

/** Fingerprint of the statements of each migration. */
const FINGERPRINTS: Readonly<Record<string, string>> = {
  '002-tables': '6540a09e203a',
  '2027-02-09-links': '74f9f83e87d5',
};

async function computeFingerprint({ up }: Migrations[string]): Promise<string> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      statements.push(query.sql, JSON.stringify(query.parameters));
    },
  });
  await up(db);
  return createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 12);
}

test.each(Object.entries({ ...serviceMigrations, ...appMigrations }))(
  'the migration %s has not changed, because existing databases don’t run a migration of the same name again',
  async (name, migration) => {
    expect(
      { [name]: await computeFingerprint(migration) },
      'the migration changed: give it a new name that sorts after this one, with this fingerprint',
    ).toEqual({ [name]: FINGERPRINTS[name] });
  },
);
