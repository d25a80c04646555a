import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DatabaseProxy, parseTarget, startDatabaseProxy } from './database-proxy.ts';
import { createOnPostgres, onPostgres } from './databases.ts';

onPostgres((urlOf) => {
  let database: Awaited<ReturnType<typeof createOnPostgres>>;
  let proxy: DatabaseProxy;
  const clients: Client[] = [];

  /** Connects a client. `broken` resolves with the error that broke the connection. */
  const connect = async (url = proxy.url(database.url), settings = {}) => {
    const client = new Client({ connectionString: url, ...settings });
    clients.push(client);
    const broken = new Promise<Error>((resolve) => client.on('error', resolve));
    await client.connect();
    return { client, broken };
  };
  /** Reads the rows of the database without the proxy. */
  const readWords = async () => {
    const { client } = await connect(database.url);
    const { rows } = await client.query<{ word: string }>('select word from words');
    return rows.map(({ word }) => word);
  };

  beforeEach(async () => {
    database = await createOnPostgres(urlOf);
    proxy = await startDatabaseProxy(parseTarget(database.url));
    const { client } = await connect();
    await client.query('create table words (word text)');
    await client.end();
  });

  afterEach(async () => {
    await proxy.close();
    await Promise.all(clients.splice(0).map((client) => client.end().catch(() => undefined)));
    await database.close();
  });

  test('if an answer is lost, the statement is executed and its connection is reset', async () => {
    const { client, broken } = await connect();
    await client.query('begin');
    await client.query('insert into words values ($1)', ['stored']);
    const lost = proxy.loseNextAnswer(/^commit/i);
    await expect(client.query('commit')).rejects.toThrow();
    await broken;
    expect(await lost).toBe(true);
    expect(await readWords()).toEqual(['stored']);
  });

  test('the answer to a statement with parameters can be lost too', async () => {
    const { client } = await connect();
    const lost = proxy.loseNextAnswer(/^insert/);
    await expect(client.query('insert into words values ($1)', ['stored'])).rejects.toThrow();
    expect(await lost).toBe(true);
    expect(await readWords()).toEqual(['stored']);
  });

  test('restoring the proxy cancels a planned fault', async () => {
    const lost = proxy.loseNextAnswer();
    proxy.restore();
    expect(await lost).toBe(false);
    const { client } = await connect();
    await client.query("insert into words values ('passed')");
    expect(await readWords()).toEqual(['passed']);
  });

  test('after a silent cut no data arrives, and the client notices only by a timeout', async () => {
    const { client } = await connect(undefined, { query_timeout: 300 });
    proxy.cutSilently();
    await expect(client.query("insert into words values ('gone')")).rejects.toThrow('timeout');
    await expect(connect(undefined, { connectionTimeoutMillis: 300 })).rejects.toThrow('timeout');
    proxy.restore();
    await expect(client.query('select')).rejects.toThrow('timeout');
    await connect();
    expect(await readWords()).toEqual([]);
  });

  test('a delayed answer delays only its own connection, and the statement is executed at once', async () => {
    const [late, other] = [(await connect()).client, (await connect()).client];
    const executed = proxy.delayNextAnswer(60_000, /^insert/);
    const answer = late.query("insert into words values ('late')");
    expect(await executed).toBe(true);
    expect(await readWords()).toEqual(['late']);
    await other.query('select');
    proxy.restore();
    await answer;
  });

  test('delayed answers arrive in order, and answers after restoring arrive without a delay', async () => {
    const { client } = await connect();
    proxy.delayAnswers(200);
    const startedAt = performance.now();
    await client.query('select 1');
    expect(performance.now() - startedAt).toBeGreaterThan(190);
    proxy.restore();
    expect((await client.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
  });
});
