import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readDeliveryFigures } from '../../src/app/delivery-figures.ts';
import { ConnectionLost } from '../../src/store/connection-lost.ts';
import { openDatabase } from '../../src/store/database.ts';
import { DatabaseUnavailable } from '../../src/store/database-unavailable.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { withoutStatementLimit } from '../../src/store/statement-limit.ts';
import { type DatabaseProxy, parseTarget, startDatabaseProxy } from '../support/database-proxy.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';

/** Connections in the pool. */
const POOL = 10;
/** The limit of one statement plus what a busy machine may add, ms. */
const ANSWER_MS = 4_000;
const MARGIN_MS = 2_500;

onPostgres((urlOf) => {
  let database: Awaited<ReturnType<typeof createOnPostgres>>;
  let proxy: DatabaseProxy;
  let db: Kysely<{ word: { word: string } }>;

  beforeEach(async () => {
    database = await createOnPostgres(urlOf);
    proxy = await startDatabaseProxy(parseTarget(database.url));
    db = await openDatabase({
      dialect: createPostgresDialect(proxy.url(database.url)),
      migrations: {
        '001-word': {
          up: (on) =>
            on.schema
              .createTable('word')
              .addColumn('word', 'text', (column) => column.primaryKey())
              .execute(),
        },
      },
    });
  });
  afterEach(async () => {
    await proxy.close();
    await db.destroy();
    await database.close();
  });

  const ask = () => sql<{ one: number }>`select 1 as one`.execute(db).then(({ rows }) => rows[0]?.one);
  const add = (word: string) => db.insertInto('word').values({ word }).execute();
  const storedWords = async () =>
    (await db.selectFrom('word').select('word').execute()).map(({ word }) => word);
  /** The error of a statement, and how long it took, ms. */
  const failure = async (statement: Promise<unknown>) => {
    const began = performance.now();
    const error = await statement.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { error, ms: performance.now() - began };
  };

  test('a backend that is terminated between two statements of a transaction fails that transaction alone', async () => {
    const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`;
    const transaction = db.transaction().execute(async (on) => {
      const { rows } = await pid.execute(on);
      await on.insertInto('word').values({ word: 'undone' }).execute();
      await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(db);
      await on.insertInto('word').values({ word: 'undone too' }).execute();
    });
    await expect(transaction).rejects.toThrow(ConnectionLost);
    expect(await storedWords()).toEqual([]);
  });

  test('a connection that is reset while a statement runs fails that statement alone', async () => {
    const running = failure(sql`select pg_sleep(30)`.execute(db));
    const asleep = sql`select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
    await expect.poll(async () => (await asleep.execute(db)).rows).toHaveLength(1);
    proxy.reset();
    expect((await running).error).toBeInstanceOf(ConnectionLost);
    expect(await ask()).toBe(1);
  });

  test('a commit whose answer is lost counts as unknown, and not as failed', async () => {
    const lost = proxy.loseNextAnswer(/^commit/i);
    const transaction = db
      .transaction()
      .execute((on) => on.insertInto('word').values({ word: 'kept' }).execute());
    await expect(transaction).rejects.toThrow(ConnectionLost);
    expect(await lost).toBe(true);
    expect(await storedWords()).toEqual(['kept']);
  });

  test('an error of the server is passed on, and its connection stays in use', async () => {
    await add('twice');
    await expect(add('twice')).rejects.toMatchObject({ code: '23505' });
    expect(proxy.connections()).toBe(1);
    expect(await storedWords()).toEqual(['twice']);
  });

  test('after a silent network failure statements fail in time, and their connections are discarded', async () => {
    await ask();
    proxy.cutSilently();
    const { error, ms } = await failure(ask());
    expect(error).toBeInstanceOf(ConnectionLost);
    expect(ms).toBeLessThan(ANSWER_MS + MARGIN_MS);
    proxy.restore();
    expect(await ask()).toBe(1);
  });

  test('a metrics scrape reports within two seconds that the database does not answer', async () => {
    const figures = new Kysely<BotSchema>({ dialect: createPostgresDialect(proxy.url(database.url)) });
    await sql`select 1`.execute(figures);
    proxy.cutSilently();
    const { error, ms } = await failure(readDeliveryFigures(figures, new Date()));
    expect(error).toMatchObject({ message: 'the database did not answer within 2000 ms' });
    expect(ms).toBeLessThan(2_000 + MARGIN_MS);
    proxy.restore();
    await figures.destroy();
  });

  test('after a silent failure of every connection in the pool, all slots are free again', async () => {
    const sleep = () => sql`select pg_sleep(0.2)`.execute(db);
    await Promise.all(Array.from({ length: POOL }, sleep));
    expect(proxy.connections()).toBe(POOL);
    proxy.cutSilently();
    await Promise.all(Array.from({ length: POOL }, () => failure(ask())));
    proxy.restore();
    await Promise.all(Array.from({ length: POOL }, ask));
  });

  test('after the first timeout, idle connections that broke with it are replaced, and the next caller does not wait for them', async () => {
    const sleep = () => sql`select pg_sleep(0.2)`.execute(db);
    await Promise.all(Array.from({ length: POOL }, sleep));
    proxy.cutSilently({ allowsNewConnections: true });
    await failure(ask());
    const began = performance.now();
    expect(await Promise.all(Array.from({ length: 5 }, ask))).toEqual([1, 1, 1, 1, 1]);
    expect(performance.now() - began).toBeLessThan(MARGIN_MS);
  });

  test('a connection that was opened for long work has the usual limit at its next use, and no limit for the next long work', async () => {
    const pool = new Kysely({ dialect: createPostgresDialect(proxy.url(database.url)) });
    const look = async (on: Kysely<unknown>) => {
      const limit = sql<{ value: string }>`select current_setting('statement_timeout') as value`;
      return (await limit.execute(on)).rows[0]?.value;
    };
    const lookInLongWork = () => withoutStatementLimit(() => pool.transaction().execute(look));
    expect([await lookInLongWork(), await look(pool), await lookInLongWork()]).toEqual(['0', '3500ms', '0']);
    await pool.destroy();
  });

  test('if the database cannot be reached, it has certainly received nothing', async () => {
    proxy.refuse();
    proxy.reset();
    await expect.poll(async () => (await failure(add('lost'))).error).toBeInstanceOf(DatabaseUnavailable);
    proxy.restore();
    expect(await storedWords()).toEqual([]);
  });

  test('a new connection that breaks before it is ready occupies no slot of the pool', async () => {
    proxy.cutSilently();
    await Promise.all(Array.from({ length: 3 * POOL }, () => failure(ask())));
    proxy.restore();
    expect(await Promise.all(Array.from({ length: POOL }, ask))).toHaveLength(POOL);
  });

  test('a slow statement is cancelled by the server and costs no connection', async () => {
    const { error } = await failure(sql`select pg_sleep(30)`.execute(db));
    expect(error).toMatchObject({ code: '57014' });
    expect(proxy.connections()).toBe(1);
  });

  test('an instance that starts while the database is down waits for it, and logs that once', async () => {
    proxy.refuse();
    const reasons: string[] = [];
    const opening = openDatabase({
      dialect: createPostgresDialect(proxy.url(database.url)),
      migrations: { '001-word': { up: async () => undefined } },
      startupWait: { timeoutMs: 60_000, onWait: ({ message }) => void reasons.push(message) },
    });
    await expect.poll(() => reasons.length).toBe(1);
    // By now a second attempt has failed as well.
    const before = proxy.connections();
    await expect.poll(() => proxy.connections() >= before).toBe(true);
    proxy.restore();
    const opened = await opening;
    await opened.destroy();
    expect(reasons).toHaveLength(1);
  });

  test('an instance whose connection breaks during a migration waits for the database and migrates again', async () => {
    const other = await createOnPostgres(urlOf);
    const lost = proxy.loseNextAnswer(/'migrating'/);
    const reasons: string[] = [];
    const opened = await openDatabase({
      dialect: createPostgresDialect(proxy.url(other.url)),
      migrations: { '001-said': { up: (on) => sql`select 'migrating'`.execute(on).then(() => undefined) } },
      startupWait: { timeoutMs: 60_000, onWait: ({ name }) => void reasons.push(name) },
    });
    expect([await lost, reasons]).toEqual([true, ['ConnectionLost']]);
    await opened.destroy();
    await other.close();
  });

  test('an instance stops waiting for the database after the limit', async () => {
    proxy.refuse();
    const opening = openDatabase({
      dialect: createPostgresDialect(proxy.url(database.url)),
      migrations: {},
      startupWait: { timeoutMs: 1_500, onWait: () => undefined },
    });
    await expect(opening).rejects.toThrow(DatabaseUnavailable);
  });

  test('an instance does not wait for a database that refuses its user', async () => {
    const opening = openDatabase({
      dialect: createPostgresDialect(urlOf('no_such_database')),
      migrations: {},
      startupWait: { timeoutMs: 60_000, onWait: () => expect.unreachable('the instance waited') },
    });
    await expect(opening).rejects.toMatchObject({ code: '3D000' });
  });
});
