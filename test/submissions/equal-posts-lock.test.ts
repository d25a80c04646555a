import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { migrations } from '../../src/app/migrations.ts';
import { resumeSending, stopSending } from '../../src/engine/sending-stop.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import {
  hasNewerEqualRow,
  insertSubmission,
  type NewSubmission,
  takeEqualPostsLock,
} from '../../src/submissions/sql/submissions.ts';
import { createOnPostgres, onEveryDatabase, onPostgres, openTestDatabase } from '../support/databases.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createTestSubmissions, createWordSubmission } from '../support/word-submissions.ts';

/** The INSERT of a submission takes the lock for equal posts, so that they are counted and sent one after the other. */

const words = setUpWords();
const { service } = words;

const readLocks = async () => (await words.readRows()).map(({ author, locked }) => [author, locked]);

/** Starts an instance whose first call to the service ends once `firstCall` is resolved. */
function startWithSlowFirstCall() {
  const firstCall = Promise.withResolvers<void>();
  const kind = service.kind('reconcile');
  const { context } = words.createRunning({
    ...kind,
    async send(api, content) {
      if (service.sentTexts.length === 0) await firstCall.promise;
      return kind.send(api, content);
    },
  });
  return { service, kind, context, firstCall };
}

test('an equal submission of somebody else waits for the first one, and then both are sent', async () => {
  const { service, kind, context, firstCall } = startWithSlowFirstCall();
  const first = words.submit(context, kind, createWordSubmission('hello', { author: 'U1' }));
  await expect.poll(words.readStates).toEqual(['sending']);
  expect(await words.submit(context, kind, createWordSubmission('hello', { author: 'U2' }))).toBe('saved');
  expect(await readLocks()).toEqual([
    ['U1', true],
    ['U2', false],
  ]);
  firstCall.resolve();
  expect(await first).toBe('confirmed');
  await expect.poll(words.readStates).toEqual(['confirmed', 'confirmed']);
  expect(service.storedTexts).toEqual(['hello', 'hello']);
  expect(await readLocks()).toEqual([
    ['U1', false],
    ['U2', false],
  ]);
});

for (const strategy of ['reconcile', 'ask'] as const) {
  test(`the same submission of one author in two forms at the same moment is sent once (${strategy})`, async () => {
    const kind = service.kind(strategy);
    const { context } = words.createRunning(kind);
    await Promise.all(
      ['form 1', 'form 2', 'form 3'].map((origin) =>
        words.submit(context, kind, createWordSubmission('hello', { author: 'U1', origin })),
      ),
    );
    await expect.poll(words.readStates).toEqual(['confirmed']);
    expect(service.sentTexts).toEqual(['hello']);
  });
}

test('two equal forms of one author are one, although the second waited minutes for a frozen instance', async () => {
  const kind = service.kind('reconcile');
  const { context } = words.createRunning(kind);
  const sentAt = new Date(context.clock.readShared().getTime() - 3 * 60_000);
  const submit = (origin: string) =>
    words.submit(context, kind, createWordSubmission('hello', { author: 'U1', origin, sentAt }));
  await submit('form 1');
  await words.db.updateTable('submission').set({ notified_at: sentAt }).execute();
  await submit('form 2');
  expect(service.sentTexts).toEqual(['hello']);
});

test('two forms with the same times at the same moment, in another order, are sent once', async () => {
  const kind = service.kind('reconcile');
  const { context } = words.createRunning(kind);
  const form = (origin: string, texts: readonly string[]) =>
    texts.map((text, item) => ({ ...createWordSubmission(text, { author: 'U1', origin }), item }));
  await Promise.all([
    saveAndSend(context, kind, form('form 1', ['one', 'two', 'three'])),
    saveAndSend(context, kind, form('form 2', ['three', 'two', 'one'])),
  ]);
  await expect.poll(words.readStates).toEqual(['confirmed', 'confirmed', 'confirmed']);
  expect(service.sentTexts.toSorted()).toEqual(['one', 'three', 'two']);
});

test('a submission that has to wait frees the lock', async () => {
  const kind = service.kind('reconcile');
  const { context } = words.createRunning(kind, { pace: { probeIntervalMs: 60_000 } });
  await stopSending(words.db, { reason: '', since: new Date() });
  expect(await words.submit(context, kind, createWordSubmission('hello'))).toBe('retryable');
  expect(await readLocks()).toEqual([['U1', false]]);
  await resumeSending(words.db, CAPABILITIES, new Date());
});

test('a submission whose instance ended right after the INSERT is sent by the next one, with the same lock', async () => {
  const kind = service.kind('reconcile');
  const killed = words.createStopped(kind, {
    pace: {
      leaseMs: 100,
      onCrashPoint: (point) => (point === 'after-row' ? new Promise(() => {}) : undefined),
    },
  });
  void words.submit(killed.context, kind, createWordSubmission('hello'));
  await expect.poll(readLocks).toEqual([['U1', true]]);
  words.createRunning(kind, {
    encryption: killed.context.encryption,
    findApiClient: killed.context.findApiClient,
  });
  await expect.poll(words.readStates).toEqual(['confirmed']);
  expect(service.storedTexts).toEqual(['hello']);
});

test('cleared notifications share a statement, which skips those that have changed since', async () => {
  const kind = service.kind('reconcile');
  const { context } = words.createStopped(kind);
  for (const text of ['one', 'two', 'three']) await words.submit(context, kind, createWordSubmission(text));
  const rows = await words.readRows();
  const pendingTimes = rows.flatMap(({ id, notify_at }) => (notify_at ? [{ id, notifyAt: notify_at }] : []));
  expect(pendingTimes).toHaveLength(3);
  const changedId = pendingTimes[1]?.id ?? '';
  const later = new Date(Date.now() + 3_600_000);
  await words.db.updateTable('submission').set({ notify_at: later }).where('id', '=', changedId).execute();
  await Promise.all(
    pendingTimes.map(({ id, notifyAt }) => context.clearNotification({ ids: [id], notifyAt })),
  );
  const pendingRows = (await words.readRows()).filter(({ notify_at }) => notify_at !== null);
  expect(pendingRows.map(({ id, notified_at }) => [id, notified_at])).toEqual([[changedId, null]]);
});

const NOW = new Date('2026-11-20T12:00:00Z');

let db: Kysely<BotSchema>;

async function insertRow(id: string, fields: Partial<NewSubmission> = {}) {
  const position = { origin: `form ${id}`, item: 0, revision: 0, channel: null, content: null };
  const row = await insertSubmission(db, {
    ...{ id, workspace: 'T1', author: 'U1', kind: 'post', createdAt: NOW, ...position },
    ...fields,
  });
  if (!row) throw new Error(`${id} wasn’t inserted`);
  return row;
}

onEveryDatabase((create) => {
  let close: () => Promise<void>;
  beforeEach(async () => {
    const database = await create();
    db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    close = () => database.close();
  });
  afterEach(async () => {
    await db.destroy();
    await close();
  });

  test('of simultaneous equal submissions exactly one takes the lock, and others aren’t affected', async () => {
    const rows = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => insertRow(id)));
    await insertRow('holder', { locked: true, lock_key: 'taken' });
    await db.updateTable('submission').set({ fence: 7 }).where('id', '=', 'd').execute();
    await db.updateTable('submission').set({ state: 'discarded' }).where('id', '=', 'e').execute();
    const keys = ['same', 'same', 'taken', 'free d', 'free e'];
    const results = await Promise.all(
      rows.map((row, index) => takeEqualPostsLock(db, row, keys[index] ?? '')),
    );
    expect(results.slice(0, 2).filter(Boolean)).toHaveLength(1);
    expect(results.slice(2)).toEqual([false, false, false]);
    const takeFree = async (id: string) => takeEqualPostsLock(db, await insertRow(id), `free ${id}`);
    expect(await Promise.all([takeFree('f'), takeFree('g')])).toEqual([true, true]);
    const locked = await db
      .selectFrom('submission')
      .select(['lock_key'])
      .where('locked', '=', true)
      .execute();
    expect(locked.map(({ lock_key }) => lock_key).toSorted()).toEqual(['free f', 'free g', 'same', 'taken']);
  });

  test('a newer equal submission counts, whoever sent it', async () => {
    const later = new Date(NOW.getTime() + 1_000);
    const insertPair = async (name: string, newer: Partial<NewSubmission>) => {
      await insertRow(`${name} newer`, { fingerprint: name, createdAt: later, ...newer });
      return insertRow(name, { fingerprint: name });
    };
    const rows = [
      await insertPair('equal', {}),
      await insertPair('other author', { author: 'U2' }),
      await insertPair('other workspace', { workspace: 'T2' }),
      await insertPair('other kind', { kind: 'draft' }),
      await insertPair('same form', { origin: 'form same form', item: 1 }),
      await insertPair('not newer', { createdAt: NOW }),
      await insertRow('without a fingerprint', { fingerprint: null }),
    ];
    const results = await Promise.all(rows.map((row) => hasNewerEqualRow(db, row)));
    expect(results).toEqual([true, true, true, true, true, false, false]);
  });
});

onPostgres((buildUrl) => {
  test('while somebody else’s equal submission has the lock, equal forms of one author are one', async () => {
    const database = await openTestDatabase(() => createOnPostgres(buildUrl));
    const firstCall = Promise.withResolvers<void>();
    const kind = service.kind();
    const { context, submissions } = createTestSubmissions(database, {
      ...kind,
      send: (api, content) => firstCall.promise.then(() => kind.send(api, content)),
    });
    const submit = (author: string, origin: string) =>
      words.submit(context, kind, createWordSubmission('hello', { author, origin }));
    const readStates = () => database.selectFrom('submission').select('state').execute();
    const first = submit('U2', 'form');
    await expect.poll(readStates).toEqual([{ state: 'sending' }]);
    // A form without the lock waits here, after it has looked for equal forms, and before it is stored.
    await sql`create function wait() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(1); return new; end'`.execute(database);
    await sql`create trigger wait before insert on submission
      for each row when (not new.locked) execute function wait()`.execute(database);
    const forms = ['form 1', 'form 2', 'form 3'];
    const { saved } = await database.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(1)`.execute(trx);
      const saved = Promise.all(forms.map((form) => submit('U1', form)));
      const countWaiting = async () => {
        const { rows } = await sql`select from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`.execute(database);
        return rows.length;
      };
      await expect.poll(countWaiting).toBe(forms.length);
      return { saved };
    });
    await saved;
    const readAuthors = () => database.selectFrom('submission').select('author').orderBy('author').execute();
    expect(await readAuthors()).toEqual([{ author: 'U1' }, { author: 'U2' }]);
    firstCall.resolve();
    await first;
    submissions.start();
    await expect.poll(readStates).toEqual([{ state: 'confirmed' }, { state: 'confirmed' }]);
    await submissions.stop();
    expect(service.sentTexts).toEqual(['hello', 'hello']);
  });
});
