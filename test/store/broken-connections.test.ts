import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { readDeliveryFigures } from '../../src/app/delivery-figures.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { ConnectionLost, DatabaseUnavailable } from '../../src/store/database-unavailable.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { withoutStatementTimeout } from '../../src/store/statement-timeout.ts';
import { readOwnTime } from '../support/busyness.ts';
import { parseTarget, startDatabaseProxy } from '../support/database-proxy.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';

/** Number of connections in the pool. */
const POOL_SIZE = 10;
/** Time limit of one statement. */
const STATEMENT_TIMEOUT_MS = 4_000;
/** Extra time that a busy machine may need. */
const MARGIN_MS = 2_500;

/** Returns the error of a statement, and its duration in milliseconds. */
async function measureFailure(statement: Promise<unknown>) {
  const startedAt = readOwnTime();
  const error = await statement.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, ms: readOwnTime() - startedAt };
}

async function openProxiedDatabase(buildUrl: (database: string) => string) {
  const database = await createOnPostgres(buildUrl);
  const proxy = await startDatabaseProxy(parseTarget(database.url));
  const db: Kysely<{ word: { word: string } }> = await openDatabase({
    dialect: createPostgresDialect(proxy.url(database.url)),
    migrations: {
      '001-word': {
        up: (connection) =>
          connection.schema
            .createTable('word')
            .addColumn('word', 'text', (column) => column.primaryKey())
            .execute(),
      },
    },
  });
  return {
    ...{ database, proxy, db },
    queryOne: () => sql<{ one: number }>`select 1 as one`.execute(db).then(({ rows }) => rows[0]?.one),
    insertWord: (word: string) => db.insertInto('word').values({ word }).execute(),
    listWords: async () => (await db.selectFrom('word').select('word').execute()).map(({ word }) => word),
    async close() {
      await proxy.close();
      await db.destroy();
      await database.close();
    },
  };
}

onPostgres((buildUrl) => {
  /** Defines a test with a database behind a proxy of its own. The tests wait for time limits side by side. */
  const { concurrent: testWithProxy } = test.extend<{
    proxied: Awaited<ReturnType<typeof openProxiedDatabase>>;
  }>({
    proxied: async ({ onTestFinished }, use) => {
      const proxied = await openProxiedDatabase(buildUrl);
      onTestFinished(proxied.close);
      await use(proxied);
    },
  });

  testWithProxy(
    'a backend that is terminated between two statements fails only the transaction',
    async ({ proxied: { db, listWords } }) => {
      const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;
      const transaction = db.transaction().execute(async (connection) => {
        const { rows } = await pid.execute(connection);
        await connection.insertInto('word').values({ word: 'undone' }).execute();
        await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(db);
        await connection.insertInto('word').values({ word: 'undone too' }).execute();
      });
      await expect(transaction).rejects.toThrow(ConnectionLost);
      expect(await listWords()).toEqual([]);
    },
  );

  testWithProxy(
    'a connection that is reset while a statement runs fails only that statement',
    async ({ expect, proxied: { proxy, db, queryOne } }) => {
      const failure = measureFailure(sql`select pg_sleep(30)`.execute(db));
      const sleepingBackends = sql`select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
      await expect.poll(async () => (await sleepingBackends.execute(db)).rows).toHaveLength(1);
      proxy.reset();
      expect((await failure).error).toBeInstanceOf(ConnectionLost);
      expect(await queryOne()).toBe(1);
    },
  );

  testWithProxy(
    'a commit whose response is lost fails with ConnectionLost, although its changes may have been committed',
    async ({ proxied: { proxy, db, listWords } }) => {
      const hasLostAnswer = proxy.loseNextAnswer(/^commit/i);
      const transaction = db
        .transaction()
        .execute((connection) => connection.insertInto('word').values({ word: 'stored' }).execute());
      await expect(transaction).rejects.toThrow(ConnectionLost);
      expect(await hasLostAnswer).toBe(true);
      expect(await listWords()).toEqual(['stored']);
    },
  );

  testWithProxy(
    'an error of the server is thrown to the caller, and the connection stays in use',
    async ({ proxied: { proxy, insertWord, listWords } }) => {
      await insertWord('twice');
      await expect(insertWord('twice')).rejects.toMatchObject({ code: '23505' });
      expect(proxy.countConnections()).toBe(1);
      expect(await listWords()).toEqual(['twice']);
    },
  );

  testWithProxy(
    'after a silent network failure, statements fail within their time limit',
    async ({ proxied: { proxy, queryOne } }) => {
      await queryOne();
      proxy.cutSilently();
      const { error, ms } = await measureFailure(queryOne());
      expect(error).toBeInstanceOf(ConnectionLost);
      expect(ms).toBeLessThan(STATEMENT_TIMEOUT_MS + MARGIN_MS);
      proxy.restore();
      expect(await queryOne()).toBe(1);
    },
  );

  testWithProxy(
    'a metrics scrape reports within two seconds that the database does not answer',
    async ({ proxied: { proxy, database } }) => {
      const metricsDb = new Kysely<BotSchema>({ dialect: createPostgresDialect(proxy.url(database.url)) });
      await sql`select 1`.execute(metricsDb);
      proxy.cutSilently();
      const { error, ms } = await measureFailure(readDeliveryFigures(metricsDb));
      expect(error).toMatchObject({ message: 'the database did not answer within 2000 ms' });
      expect(ms).toBeLessThan(2_000 + MARGIN_MS);
      proxy.restore();
      await metricsDb.destroy();
    },
  );

  testWithProxy(
    'after all connections failed silently, the pool can open as many connections as before',
    async ({ proxied: { proxy, db, queryOne } }) => {
      const sleep = () => sql`select pg_sleep(0.2)`.execute(db);
      await Promise.all(Array.from({ length: POOL_SIZE }, sleep));
      expect(proxy.countConnections()).toBe(POOL_SIZE);
      proxy.cutSilently();
      await Promise.all(Array.from({ length: POOL_SIZE }, () => measureFailure(queryOne())));
      proxy.restore();
      await Promise.all(Array.from({ length: POOL_SIZE }, queryOne));
    },
  );

  testWithProxy(
    'after one connection times out, connections that were idle at that time are replaced before their next use',
    async ({ proxied: { proxy, db, queryOne } }) => {
      const sleep = () => sql`select pg_sleep(0.2)`.execute(db);
      await Promise.all(Array.from({ length: POOL_SIZE }, sleep));
      proxy.cutSilently({ allowsNewConnections: true });
      await measureFailure(queryOne());
      const startedAt = readOwnTime();
      expect(await Promise.all(Array.from({ length: 5 }, queryOne))).toEqual([1, 1, 1, 1, 1]);
      expect(readOwnTime() - startedAt).toBeLessThan(MARGIN_MS);
    },
  );

  testWithProxy(
    'a connection that was opened without a statement timeout gets the usual timeout at its next use',
    async ({ proxied: { proxy, database } }) => {
      const pool = new Kysely({ dialect: createPostgresDialect(proxy.url(database.url)) });
      const readTimeout = async (connection: Kysely<unknown>) => {
        const selectTimeout = sql<{ value: string }>`select current_setting('statement_timeout') as value`;
        return (await selectTimeout.execute(connection)).rows[0]?.value;
      };
      const readTimeoutInLongWork = () =>
        withoutStatementTimeout(() => pool.transaction().execute(readTimeout));
      expect([await readTimeoutInLongWork(), await readTimeout(pool), await readTimeoutInLongWork()]).toEqual(
        ['0', '3500ms', '0'],
      );
      await pool.destroy();
    },
  );

  testWithProxy(
    'the error of a statement that cannot reach the database says that the statement was not executed',
    async ({ proxied: { proxy, insertWord, listWords } }) => {
      proxy.refuse();
      proxy.reset();
      await expect
        .poll(async () => (await measureFailure(insertWord('lost'))).error)
        .toBeInstanceOf(DatabaseUnavailable);
      proxy.restore();
      expect(await listWords()).toEqual([]);
    },
  );

  testWithProxy(
    'a new connection that breaks before it is ready is removed from the pool',
    async ({ proxied: { proxy, queryOne } }) => {
      proxy.cutSilently();
      await Promise.all(Array.from({ length: 3 * POOL_SIZE }, () => measureFailure(queryOne())));
      proxy.restore();
      expect(await Promise.all(Array.from({ length: POOL_SIZE }, queryOne))).toHaveLength(POOL_SIZE);
    },
  );

  testWithProxy(
    'a slow statement is cancelled by the server, and its connection stays open',
    async ({ proxied: { proxy, db } }) => {
      const { error } = await measureFailure(sql`select pg_sleep(30)`.execute(db));
      expect(error).toMatchObject({ code: '57014' });
      expect(proxy.countConnections()).toBe(1);
    },
  );

  testWithProxy(
    'an instance that starts while the database is down waits, and logs the wait once',
    async ({ expect, proxied: { proxy, database } }) => {
      proxy.refuse();
      proxy.reset();
      const reasons: string[] = [];
      const opening = openDatabase({
        dialect: createPostgresDialect(proxy.url(database.url)),
        migrations: { '001-word': { up: async () => undefined } },
        startupWait: { timeoutMs: 60_000, onWait: ({ message }) => void reasons.push(message) },
      });
      await expect.poll(() => reasons.length).toBe(1);
      await expect.poll(() => proxy.countConnections()).toBe(0);
      proxy.restore();
      const openedDb = await opening;
      await openedDb.destroy();
      expect(reasons).toHaveLength(1);
    },
  );

  testWithProxy(
    'an instance whose connection breaks during a migration waits and migrates again',
    async ({ proxied: { proxy } }) => {
      const otherDatabase = await createOnPostgres(buildUrl);
      const hasLostAnswer = proxy.loseNextAnswer(/'migrating'/);
      const reasons: string[] = [];
      const openedDb = await openDatabase({
        dialect: createPostgresDialect(proxy.url(otherDatabase.url)),
        migrations: {
          '001-slow': {
            up: (connection) => sql`select 'migrating'`.execute(connection).then(() => undefined),
          },
        },
        startupWait: { timeoutMs: 60_000, onWait: ({ name }) => void reasons.push(name) },
      });
      expect([await hasLostAnswer, reasons]).toEqual([true, ['ConnectionLost']]);
      await openedDb.destroy();
      await otherDatabase.close();
    },
  );

  testWithProxy(
    'an instance stops waiting for the database after the time limit',
    async ({ proxied: { proxy, database } }) => {
      proxy.refuse();
      const opening = openDatabase({
        dialect: createPostgresDialect(proxy.url(database.url)),
        migrations: {},
        startupWait: { timeoutMs: 1_500, onWait: () => undefined },
      });
      await expect(opening).rejects.toThrow(DatabaseUnavailable);
    },
  );

  testWithProxy('an instance does not wait for a database that does not exist', async () => {
    const opening = openDatabase({
      dialect: createPostgresDialect(buildUrl('no_such_database')),
      migrations: {},
      startupWait: { timeoutMs: 60_000, onWait: () => expect.unreachable('the instance waited') },
    });
    await expect(opening).rejects.toMatchObject({ code: '3D000' });
  });
});
