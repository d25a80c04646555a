import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { DatabaseUnavailable } from '../../src/store/database-unavailable.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';
import { findFreePort } from '../support/listening-port.ts';

async function openAndGetError(url: string): Promise<DatabaseUnavailable> {
  const opening = openDatabase<unknown>({ dialect: createPostgresDialect(url), migrations: {} });
  const error: unknown = await opening.catch((reason: unknown) => reason);
  if (!(error instanceof DatabaseUnavailable))
    throw new Error('expected DatabaseUnavailable', { cause: error });
  expect(error.cause).toBeInstanceOf(Error);
  expect(error.message).not.toContain('nobody');
  expect(error.message).not.toContain('hunter2');
  return error;
}

test('the error says that no database runs at the address', async () => {
  const { code, message } = await openAndGetError(
    `postgres://nobody:hunter2@127.0.0.1:${await findFreePort()}/upnext`,
  );
  expect(code).toBe('ECONNREFUSED');
  expect(message).toBe('the database cannot be used: nothing listens at its address');
});

test('the error has the code of a missing socket', async () => {
  const folder = encodeURIComponent(join(import.meta.dirname, 'no-such-folder'));
  expect((await openAndGetError(`postgres://nobody:hunter2@/upnext?host=${folder}`)).code).toBe('ENOENT');
});

test('the error says that the server closed the connection', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const error = await openAndGetError(
    `postgres://nobody:hunter2@127.0.0.1:${getPort(server.address())}/upnext`,
  );
  expect(error.message).toMatch(/^the database cannot be used: it (closed the connection|does not answer,)/);
  server.close();
});

// https://www.postgresql.org/docs/current/protocol-message-formats.html: AuthenticationSASL
const PASSWORD_REQUEST = 'R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0';

test.each([
  [
    'does not support the encryption that the address requires',
    'N',
    'nobody:hunter2',
    '?sslmode=verify-full',
    'encryption',
  ],
  ['asks for a password, and the address has none', PASSWORD_REQUEST, 'nobody', '', 'password'],
])('the error explains a server that %s', async (_, response, user, query, expectedWord) => {
  const server = createServer((socket) => socket.once('data', () => socket.end(response))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const error = await openAndGetError(
    `postgres://${user}@127.0.0.1:${getPort(server.address())}/upnext${query}`,
  );
  expect(error.message).toContain(expectedWord);
  server.close();
});

onPostgres((buildUrl) => {
  test.each([
    [
      'a database that does not exist',
      buildUrl('no_such_database'),
      '3D000',
      'it has no database of this name',
    ],
    ['a user without access', buildUrl('postgres', 'stranger'), '28P01', 'it refuses this user or password'],
  ])('the error explains %s', async (_, address, code, reason) => {
    const error = await openAndGetError(address);
    expect(error.code).toBe(code);
    expect(error.message).toBe(`the database cannot be used: ${reason}`);
  });

  test('after the server closes an idle connection, a later query opens another', async () => {
    const db = new Kysely({ dialect: createPostgresDialect(buildUrl('postgres')) });
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    const otherDb = new Kysely({ dialect: createPostgresDialect(buildUrl('postgres')) });
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(otherDb);
    // The pool may not know yet that the connection is closed. Then the first query fails.
    await expect
      .poll(() =>
        sql<{ one: number }>`select 1 as one`.execute(db).then(
          ({ rows: [row] }) => row?.one,
          () => 0,
        ),
      )
      .toBe(1);
    await Promise.all([db.destroy(), otherDb.destroy()]);
  });

  test('statements have a time limit, and migrations have none', async () => {
    const selectTimeout = sql<{ value: string }>`select current_setting('statement_timeout') as value`;
    const limits: unknown[] = [];
    const readLimit = async (db: Kysely<unknown>) =>
      void limits.push((await selectTimeout.execute(db)).rows[0]?.value);
    const database = await createOnPostgres(buildUrl);
    const db = await openDatabase<unknown>({
      dialect: database.dialect(),
      migrations: { '001-limits': { up: readLimit } },
    });
    await readLimit(db);
    expect(limits).toEqual(['0', '3500ms']);
    await db.destroy();
    await database.close();
  });

  test('no statement is compiled, however many rows Postgres expects', async () => {
    const db = new Kysely({ dialect: createPostgresDialect(buildUrl('postgres')) });
    const { rows } = await sql`show jit`.execute(db);
    expect(rows).toEqual([{ jit: 'off' }]);
    await db.destroy();
  });
});

function getPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
