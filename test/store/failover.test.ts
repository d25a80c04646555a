import type { Kysely } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { type DatabaseProxy, parseTarget, startDatabaseProxy } from '../support/database-proxy.ts';
import { onPostgres } from '../support/databases.ts';
import { PostgresPair } from '../support/postgres-pair.ts';

const TEST_TIMEOUT_MS = 60_000;
const migrations = {
  '001-word': {
    up: (connection: Kysely<unknown>) =>
      connection.schema.createTable('word').addColumn('word', 'text').execute(),
  },
};

onPostgres(() => {
  let pair: PostgresPair | undefined;
  let proxy: DatabaseProxy | undefined;
  afterEach(async () => {
    await proxy?.close();
    await pair?.stop();
  });

  test(
    'after a failover, everything that was saved is on the new primary, and the same pool goes on',
    async () => {
      pair = await PostgresPair.start(true);
      if (!pair) throw new Error('there is no Postgres');
      const url = pair.url('postgres', 'postgres');
      proxy = await startDatabaseProxy(parseTarget(url));
      const db = await openDatabase<{ word: { word: string } }>({
        dialect: createPostgresDialect(proxy.url(url)),
        migrations,
      });
      const insertWord = (word: string) => db.insertInto('word').values({ word }).execute();
      await insertWord('saved before');
      await pair.killPrimary();
      await expect.poll(() => insertWord('lost').catch(String)).toContain('it closed the connection');
      proxy.pointTo(pair.standbyUrl('postgres', 'postgres'));
      await expect.poll(() => insertWord('lost').catch(String)).toContain('it is read-only');
      await pair.promoteStandby();
      await insertWord('saved after');
      const words = await db.selectFrom('word').select('word').execute();
      expect(words.map(({ word }) => word)).toEqual(['saved before', 'saved after']);
      await db.destroy();
    },
    TEST_TIMEOUT_MS,
  );
});
