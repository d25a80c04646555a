import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { askThread } from '../../../src/store/pglite/ask-thread.ts';
import { sessionDialect } from '../../../src/store/pglite/session-dialect.ts';
import { openThreadedPGlite } from '../../../src/store/pglite/threaded-pglite.ts';
import { newDatabaseFolder } from '../../support/database-folder.ts';

/** A thread that hears everything, answers nothing, and at a rollback breaks. */
function brokenThread(): Worker {
  return new Worker(
    `require('node:worker_threads').parentPort.on('message', ({ what }) => {
       if (what.do === 'rollback') throw new Error('broken');
     });`,
    { eval: true },
  );
}

test('when the thread ends, what waits and what comes later is rejected, with the reason', async () => {
  const ends: Error[] = [];
  const thread = askThread(brokenThread(), (error) => ends.push(error));
  const asked = await Promise.allSettled([
    thread.ask({ do: 'begin', transaction: 1 }),
    thread.ask({ do: 'query', sql: 'select 1', parameters: [], transaction: 1 }),
    thread.ask({ do: 'rollback', transaction: 1 }),
  ]);
  for (const { status, reason } of asked.map((one) => ({ reason: undefined, ...one }))) {
    expect(status).toBe('rejected');
    expect(reason).toMatchObject({
      message: "the database's thread has ended",
      cause: { message: 'broken' },
    });
  }
  await expect(thread.ask({ do: 'begin', transaction: 2 })).rejects.toThrow(
    "the database's thread has ended",
  );
  expect(ends).toHaveLength(1);
  await thread.close();
});

test('what cannot be sent to the thread is rejected, and nothing else', async () => {
  const thread = askThread(brokenThread(), () => undefined);
  const unsendable = [() => undefined];
  const query = thread.ask({ do: 'query', sql: 'select $1', parameters: unsendable, transaction: undefined });
  await expect(query).rejects.toThrow('could not be cloned');
  const closed = thread.close();
  await thread.ask({ do: 'rollback', transaction: 1 }).catch(() => undefined);
  await closed;
});

test('a transaction that cannot begin any more is an error for its caller', async () => {
  const ended = async () => Promise.reject(new Error('ended'));
  const session = {
    query: ended,
    begin: ended,
    commit: ended,
    rollback: ended,
    close: async () => undefined,
  };
  const db = new Kysely<unknown>({ dialect: sessionDialect(session) });
  await expect(db.transaction().execute(async () => 'done')).rejects.toThrow('ended');
  await expect(db.transaction().execute(async () => 'done')).rejects.toThrow('ended');
});

test('a folder whose database is broken cannot be opened, and is not kept locked', async () => {
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
