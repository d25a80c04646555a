import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { createSessionDialect } from '../../../src/store/pglite/locked-database.ts';
import {
  createWorkerClient,
  openThreadedPGlite,
  watchDisk,
} from '../../../src/store/pglite/threaded-pglite.ts';
import { createDatabaseFolder } from '../../support/database-folder.ts';

/** Starts a thread that answers no request and fails at a rollback. */
function startBrokenThread(): Worker {
  return new Worker(
    `require('node:worker_threads').parentPort.on('message', ({ call }) => {
       if (call.kind === 'rollback') throw new Error('broken');
     });`,
    { eval: true },
  );
}

test('after the database’s thread has ended, pending and later requests are rejected with the reason', async () => {
  const errors: Error[] = [];
  const thread = createWorkerClient(startBrokenThread(), (error) => errors.push(error));
  const results = await Promise.allSettled([
    thread.send({ kind: 'begin', transaction: 1 }),
    thread.send({ kind: 'query', sql: 'select 1', parameters: [], transaction: 1 }),
    thread.send({ kind: 'rollback', transaction: 1 }),
  ]);
  for (const { status, reason } of results.map((result) => ({ reason: undefined, ...result }))) {
    expect(status).toBe('rejected');
    expect(reason).toMatchObject({
      message: "the database's thread has ended",
      cause: { message: 'broken' },
    });
  }
  await expect(thread.send({ kind: 'begin', transaction: 2 })).rejects.toThrow(
    "the database's thread has ended",
  );
  expect(errors).toHaveLength(1);
  await thread.close();
});

test('a thread that doesn’t reply while the disk is full is ended, with a reason that says so', async () => {
  const errors: Error[] = [];
  const thread = createWorkerClient(startBrokenThread(), (error) => errors.push(error));
  const query = thread.send({ kind: 'begin', transaction: 1 });
  query.catch(() => undefined);
  let freeBytes = 2 ** 30;
  let checkCount = 0;
  const readFreeBytes = async () => {
    checkCount += 1;
    return freeBytes;
  };
  const stopWatch = watchDisk('data/cluster', thread, { intervalMs: 5, readFreeBytes });
  await expect.poll(() => checkCount).toBeGreaterThan(2);
  expect(errors).toEqual([]);
  freeBytes = 1_000;
  await expect(query).rejects.toThrow('the disk with data/cluster is full. Free some space');
  expect(errors).toHaveLength(1);
  stopWatch();
});

test('if a request cannot be sent to the thread, only that request is rejected', async () => {
  const thread = createWorkerClient(startBrokenThread(), () => undefined);
  const unsendable = [() => undefined];
  const query = thread.send({
    kind: 'query',
    sql: 'select $1',
    parameters: unsendable,
    transaction: undefined,
  });
  await expect(query).rejects.toThrow('could not be cloned');
  const closing = thread.close();
  await thread.send({ kind: 'rollback', transaction: 1 }).catch(() => undefined);
  await closing;
});

test('a transaction that begins after the thread has ended fails with an error for the caller', async () => {
  const rejectAsEnded = async () => Promise.reject(new Error('ended'));
  const session = {
    query: rejectAsEnded,
    begin: rejectAsEnded,
    commit: rejectAsEnded,
    rollback: rejectAsEnded,
    close: async () => undefined,
  };
  const db = new Kysely<unknown>({ dialect: createSessionDialect(session) });
  await expect(db.transaction().execute(async () => 'done')).rejects.toThrow('ended');
  await expect(db.transaction().execute(async () => 'done')).rejects.toThrow('ended');
});

test('a folder with a broken database cannot be opened, and doesn’t stay locked', async () => {
  const folder = await createDatabaseFolder();
  await rm(join(folder, 'cluster/global'), { recursive: true });
  await expect(openThreadedPGlite(folder)).rejects.toThrow();
  await expect(openThreadedPGlite(folder)).rejects.not.toThrow('in use');
  await rm(join(folder, 'cluster'), { recursive: true });
  await mkdir(join(folder, 'cluster.unfinished-abc'));
  const { close } = await openThreadedPGlite(folder);
  await close();
  await rm(folder, { recursive: true });
});
