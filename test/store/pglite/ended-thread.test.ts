import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { createSessionDialect } from '../../../src/store/pglite/session-dialect.ts';
import { openThreadedPGlite } from '../../../src/store/pglite/threaded-pglite.ts';
import { createWorkerClient } from '../../../src/store/pglite/worker-client.ts';
import { newDatabaseFolder } from '../../support/database-folder.ts';

/** A thread that answers nothing, and fails at a rollback. */
function brokenThread(): Worker {
  return new Worker(
    `require('node:worker_threads').parentPort.on('message', ({ call }) => {
       if (call.kind === 'rollback') throw new Error('broken');
     });`,
    { eval: true },
  );
}

test('when the thread ends, pending and later requests are rejected with the reason', async () => {
  const ends: Error[] = [];
  const thread = createWorkerClient(brokenThread(), (error) => ends.push(error));
  const results = await Promise.allSettled([
    thread.send({ kind: 'begin', transaction: 1 }),
    thread.send({ kind: 'query', sql: 'select 1', parameters: [], transaction: 1 }),
    thread.send({ kind: 'rollback', transaction: 1 }),
  ]);
  for (const { status, reason } of results.map((one) => ({ reason: undefined, ...one }))) {
    expect(status).toBe('rejected');
    expect(reason).toMatchObject({
      message: "the database's thread has ended",
      cause: { message: 'broken' },
    });
  }
  await expect(thread.send({ kind: 'begin', transaction: 2 })).rejects.toThrow(
    "the database's thread has ended",
  );
  expect(ends).toHaveLength(1);
  await thread.close();
});

test('a request that cannot be sent to the thread is rejected, and no other', async () => {
  const thread = createWorkerClient(brokenThread(), () => undefined);
  const unsendable = [() => undefined];
  const query = thread.send({
    kind: 'query',
    sql: 'select $1',
    parameters: unsendable,
    transaction: undefined,
  });
  await expect(query).rejects.toThrow('could not be cloned');
  const closed = thread.close();
  await thread.send({ kind: 'rollback', transaction: 1 }).catch(() => undefined);
  await closed;
});

test('beginning a transaction after the end is an error for its caller', async () => {
  const ended = async () => Promise.reject(new Error('ended'));
  const session = {
    query: ended,
    begin: ended,
    commit: ended,
    rollback: ended,
    close: async () => undefined,
  };
  const db = new Kysely<unknown>({ dialect: createSessionDialect(session) });
  await expect(db.transaction().execute(async () => 'done')).rejects.toThrow('ended');
  await expect(db.transaction().execute(async () => 'done')).rejects.toThrow('ended');
});

test('a folder with a broken database cannot be opened, and does not stay locked', async () => {
  const folder = await newDatabaseFolder();
  await rm(join(folder, 'cluster/global'), { recursive: true });
  await expect(openThreadedPGlite(folder)).rejects.toThrow();
  await expect(openThreadedPGlite(folder)).rejects.not.toThrow('in use');
  await rm(join(folder, 'cluster'), { recursive: true });
  await mkdir(join(folder, 'cluster.unfinished-abc'));
  const { close } = await openThreadedPGlite(folder);
  await close();
  await rm(folder, { recursive: true });
});
