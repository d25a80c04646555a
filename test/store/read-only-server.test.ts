import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkWritable, openDatabase } from '../../src/store/database.ts';
import { DatabaseUnavailable } from '../../src/store/database-unavailable.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { createOnPostgres, onPostgres, runAsOwner } from '../support/databases.ts';

const migrations = {
  '001-word': {
    up: (connection: Kysely<unknown>) =>
      connection.schema.createTable('word').addColumn('word', 'text').execute(),
  },
};

onPostgres((buildUrl) => {
  let database: Awaited<ReturnType<typeof createOnPostgres>>;
  let db: Kysely<{ word: { word: string } }>;

  beforeEach(async () => {
    database = await createOnPostgres(buildUrl);
    db = await openDatabase({ dialect: database.dialect(), migrations });
  });
  afterEach(async () => {
    await db.destroy();
    await database.close();
  });

  /** Sets whether new connections can only read. Open connections stay as they are. */
  const setReadOnly = (isReadOnly: boolean) =>
    runAsOwner(
      buildUrl,
      `alter database ${database.name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
    );
  const insertWord = (word: string) => db.insertInto('word').values({ word }).execute();
  const countWords = async () => (await db.selectFrom('word').select('word').execute()).length;

  test('a connection to a read-only server is refused, as if the database were down', async () => {
    await setReadOnly(true);
    const opening = openDatabase({ dialect: database.dialect(), migrations });
    await expect(opening).rejects.toMatchObject({
      name: DatabaseUnavailable.name,
      isTransient: true,
      message: 'the database cannot be used: it is read-only',
    });
  });

  test('an instance that starts on a read-only server waits until the server is writable', async () => {
    await setReadOnly(true);
    const reasons: string[] = [];
    const opening = openDatabase({
      dialect: createPostgresDialect(database.url),
      migrations,
      startupWait: { timeoutMs: 60_000, onWait: ({ message }) => void reasons.push(message) },
    });
    await expect.poll(() => reasons).toEqual(['the database cannot be used: it is read-only']);
    await setReadOnly(false);
    await (await opening).destroy();
  });

  /** Concurrent statements open several connections, and make them read-only. */
  const makeConnectionsReadOnly = () =>
    Promise.all(
      Array.from({ length: 5 }, () =>
        sql`select set_config('default_transaction_read_only', 'on', false), pg_sleep(0.2)`.execute(db),
      ),
    );

  test('if a server becomes read-only, one write fails, and then all connections are replaced', async () => {
    await makeConnectionsReadOnly();
    await expect(insertWord('refused')).rejects.toMatchObject({ code: '25006' });
    await Promise.all(Array.from({ length: 5 }, (_, index) => insertWord(`word ${index}`)));
    expect(await countWords()).toBe(5);
  });

  test('if a server becomes read-only, the check of readiness fails, and then all connections are replaced', async () => {
    await checkWritable(db);
    await makeConnectionsReadOnly();
    await expect(checkWritable(db)).rejects.toMatchObject({ code: '25006' });
    await Promise.all(Array.from({ length: 5 }, (_, index) => insertWord(`word ${index}`)));
    expect(await countWords()).toBe(5);
    await setReadOnly(true);
    await makeConnectionsReadOnly();
    await expect(checkWritable(db)).rejects.toMatchObject({ code: '25006' });
    await expect(checkWritable(db)).rejects.toThrow('it is read-only');
  });
});
