import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DatabaseProxy, startDatabaseProxy, targetOf } from './database-proxy.ts';
import { createOnPostgres, onPostgres } from './databases.ts';

onPostgres((urlOf) => {
  let database: Awaited<ReturnType<typeof createOnPostgres>>;
  let proxy: DatabaseProxy;
  const clients: Client[] = [];

  /** Resolves with the error that broke the connection. */
  const connect = async (url = proxy.url(database.url), settings = {}) => {
    const client = new Client({ connectionString: url, ...settings });
    clients.push(client);
    const broken = new Promise<Error>((resolve) => client.on('error', resolve));
    await client.connect();
    return { client, broken };
  };
  /** What the database holds, read without the proxy. */
  const held = async () => {
    const { client } = await connect(database.url);
    const { rows } = await client.query<{ word: string }>('select word from words');
    return rows.map(({ word }) => word);
  };

  beforeEach(async () => {
    database = await createOnPostgres(urlOf);
    proxy = await startDatabaseProxy(targetOf(database.url));
    const { client } = await connect();
    await client.query('create table words (word text)');
    await client.end();
  });

  afterEach(async () => {
    await proxy.close();
    await Promise.all(clients.splice(0).map((client) => client.end().catch(() => undefined)));
    await database.close();
  });

  test('with nothing in the way, statements and answers pass', async () => {
    const { client } = await connect();
    const long = 'x'.repeat(300_000);
    const { rows } = await client.query('select $1::text as word', [long]);
    expect(rows).toEqual([{ word: long }]);
    expect(proxy.connections()).toBe(1);
  });

  test('a lost answer: the statement was executed, and its connection is reset', async () => {
    const { client, broken } = await connect();
    await client.query('begin');
    await client.query('insert into words values ($1)', ['kept']);
    const lost = proxy.loseNextAnswer(/^commit/i);
    await expect(client.query('commit')).rejects.toThrow();
    await broken;
    expect(await lost).toBe(true);
    expect(await held()).toEqual(['kept']);
  });

  test('a statement with parameters loses its answer as well', async () => {
    const { client } = await connect();
    const lost = proxy.loseNextAnswer(/^insert/);
    await expect(client.query('insert into words values ($1)', ['kept'])).rejects.toThrow();
    expect(await lost).toBe(true);
    expect(await held()).toEqual(['kept']);
  });

  test('a fault that nobody met is called off when all is restored', async () => {
    const lost = proxy.loseNextAnswer();
    proxy.restore();
    expect(await lost).toBe(false);
    const { client } = await connect();
    await client.query("insert into words values ('passed')");
    expect(await held()).toEqual(['passed']);
  });

  test('a silent cut: nothing arrives and nobody is told, until the client gives up by itself', async () => {
    const { client } = await connect(undefined, { query_timeout: 300 });
    proxy.swallow();
    await expect(client.query("insert into words values ('gone')")).rejects.toThrow('timeout');
    await expect(connect(undefined, { connectionTimeoutMillis: 300 })).rejects.toThrow('timeout');
    proxy.restore();
    await expect(client.query('select')).rejects.toThrow('timeout');
    await connect();
    expect(await held()).toEqual([]);
  });

  test('a cut of what there is lets new connections pass', async () => {
    const { client } = await connect(undefined, { query_timeout: 300 });
    proxy.swallow({ newOnesPass: true });
    await expect(client.query('select')).rejects.toThrow('timeout');
    await (await connect()).client.query('select');
  });

  test('a late answer comes late, on its connection alone, and the statement was executed at once', async () => {
    const [late, other] = [(await connect()).client, (await connect()).client];
    const executed = proxy.delayNextAnswer(60_000, /^insert/);
    const answer = late.query("insert into words values ('late')");
    expect(await executed).toBe(true);
    expect(await held()).toEqual(['late']);
    await other.query('select');
    proxy.restore();
    await answer;
  });

  test('delayed answers arrive in their order, and the later ones at once again after a restore', async () => {
    const { client } = await connect();
    proxy.delayAnswers(200);
    const began = performance.now();
    await client.query('select 1');
    expect(performance.now() - began).toBeGreaterThan(190);
    proxy.restore();
    expect((await client.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
  });

  test('connections are reset, and refused until all is restored', async () => {
    const { broken } = await connect();
    proxy.refuse();
    proxy.reset();
    await broken;
    await expect(connect()).rejects.toThrow();
    proxy.restore();
    await connect();
  });
});
