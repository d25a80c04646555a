import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { answerForm } from '../../src/submissions/answer-form.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { createRows } from '../../src/submissions/save.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { insertSubmission } from '../../src/submissions/sql/submissions.ts';
import { type DatabaseProxy, parseTarget, startDatabaseProxy } from '../support/database-proxy.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';
import { createFormCall } from '../support/pressed-form.ts';
import { createTestMachine, type Word, wordService, wordSubmission } from '../support/sent-words.ts';

const INSERT = /^insert into "submission"/;

onPostgres((urlOf) => {
  let database: Awaited<ReturnType<typeof createOnPostgres>>;
  let proxy: DatabaseProxy;
  /** Connections through the proxy and around it. */
  let db: Kysely<BotSchema>;
  let truth: Kysely<BotSchema>;
  const stops: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    database = await createOnPostgres(urlOf);
    proxy = await startDatabaseProxy(parseTarget(database.url));
    truth = await openDatabase<BotSchema>({ dialect: createPostgresDialect(database.url), migrations });
    db = await openDatabase<BotSchema>({
      dialect: createPostgresDialect(proxy.url(database.url)),
      migrations,
    });
  });
  afterEach(async () => {
    proxy.restore();
    for (const stop of stops.splice(0)) await stop();
    await proxy.close();
    await Promise.all([db.destroy(), truth.destroy()]);
    await database.close();
  });

  const rows = () =>
    truth.selectFrom('submission').select(['state', 'origin']).orderBy('created_at').execute();
  const real = async () => (await rows()).filter(({ origin }) => !origin.startsWith('void '));

  /** An instance whose database is behind the proxy. `write` submits a form and returns what its author reads. */
  function instance(kind: SubmissionKind<Word>, on = db) {
    const created = createTestMachine(on, kind, {
      pace: { saveMs: 2_000, resolveMs: 300 },
      apiFor: async () => ({
        address: 'http://service',
        credential: {},
        call: async () => done,
        close: async () => undefined,
      }),
    });
    created.submissions.start();
    stops.push(() => created.submissions.stop());
    const write = async (text: string, formId = randomUUID()) => {
      const read: string[] = [];
      const call = createFormCall(created.submissions, (line) => read.push(line));
      const again = (reason: unknown) => ({
        type: 'modal' as const,
        title: { type: 'plain_text' as const, text: String(reason) },
        blocks: [],
      });
      await answerForm(call, kind, {
        formId,
        contents: [{ text }],
        form: { getFieldErrors: () => undefined, renderForm: again },
      });
      return read;
    };
    return { ...created, write };
  }
  const done = { kind: 'done', data: null, requestId: 'r' } as const;

  /** Drops all answers of the database from now on. Statements are still executed. */
  async function cutAfter(statement: RegExp): Promise<void> {
    if (await proxy.loseNextAnswer(statement)) {
      proxy.refuse();
      proxy.reset();
    }
  }

  test('a save whose lost answer is resolved at once is answered as usual', async () => {
    const service = wordService();
    const { write } = instance(service.kind());
    const lost = proxy.loseNextAnswer(INSERT);
    expect(await write('hello')).toEqual(['ack Done']);
    expect(await lost).toBe(true);
    expect(service.stored).toEqual(['hello']);
  });

  test('while a save is uncertain the author reads so, and is notified of the outcome later', async () => {
    const service = wordService();
    const { write, shown } = instance(service.kind());
    const cut = cutAfter(INSERT);
    expect(await write('hello')).toEqual(['ack uncertain']);
    await cut;
    expect(service.stored).toEqual([]);
    proxy.restore();
    await expect.poll(() => service.stored).toEqual(['hello']);
    // The open form shows the answer.
    await expect.poll(() => shown).toEqual(['V1: Done']);
  });

  test('the same text in a new form finds the uncertain save and is sent once', async () => {
    const service = wordService();
    const { write } = instance(service.kind());
    const cut = cutAfter(INSERT);
    const first = write('hello');
    await cut;
    expect(await first).toEqual(['ack uncertain']);
    const second = write('hello');
    proxy.restore();
    expect(await second).toEqual(['ack Done']);
    await expect.poll(real).toMatchObject([{ state: 'confirmed' }]);
    expect(service.stored).toEqual(['hello']);
  });

  test('the same text in a new form of another instance finds it too', async () => {
    const service = wordService();
    const kind = service.kind();
    const { write } = instance(kind);
    const other = instance(kind, truth);
    const cut = cutAfter(INSERT);
    expect(await write('hello')).toEqual(['ack uncertain']);
    await cut;
    await other.write('hello');
    proxy.restore();
    await expect.poll(real).toMatchObject([{ state: 'confirmed' }]);
    expect(service.stored).toEqual(['hello']);
  });

  test('the same text while the database is still unreachable is not reported as unsaved', async () => {
    const service = wordService();
    const { write } = instance(service.kind());
    const cut = cutAfter(INSERT);
    await write('hello');
    await cut;
    expect(await write('hello')).toEqual(['ack uncertain']);
    expect(await write('other words')).toEqual(['ack not-saved']);
    proxy.restore();
    await expect.poll(() => service.stored).toEqual(['hello']);
    expect(await real()).toHaveLength(1);
  });

  test('a statement that never arrived was not saved, and the author is notified', async () => {
    const service = wordService();
    const { write, shown, machine } = instance(service.kind());
    // The statements before the insert have ended.
    await machine.findAddress('T1', 'p1');
    await write('a first one');
    const waiting = write('hello');
    proxy.cutSilently();
    expect(await waiting).toEqual([expect.stringMatching(/^ack (uncertain|not-saved)$/)]);
    proxy.restore();
    if ((await waiting)[0] === 'ack uncertain') {
      await expect
        .poll(() => shown, { timeout: 20_000 })
        .toContainEqual(expect.stringContaining('Not saved'));
    }
    expect(service.stored).toEqual(['a first one']);
  });

  test('with an unreachable database a form is certainly not saved', async () => {
    const service = wordService();
    const { write } = instance(service.kind());
    await write('a first one');
    proxy.refuse();
    proxy.reset();
    expect(await write('hello')).toEqual(['ack not-saved']);
    proxy.restore();
    await expect.poll(() => write('hello')).toEqual(['ack Done']);
    expect(service.stored).toEqual(['a first one', 'hello']);
  });

  test('several moments with a lost commit answer are saved all or none, and sent once each', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = instance(kind);
    const lost = proxy.loseNextAnswer(/^commit/i);
    const origin = randomUUID();
    const on = await saveAndSend(machine, kind, [
      wordSubmission('one', { origin }),
      { ...wordSubmission('two', { origin }), item: 1 },
    ]);
    expect(await lost).toBe(true);
    if (typeof on !== 'string') await on.finalRows;
    await expect.poll(() => service.stored.toSorted()).toEqual(['one', 'two']);
  });

  test('a delayed save is not sent if the author has sent the same from another form', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = createTestMachine(truth, kind);
    const [late] = await createRows(machine, kind, [wordSubmission('hello')]);
    const on = await saveAndSend(machine, kind, [wordSubmission('hello')]);
    if (typeof on !== 'string') await on.finalRows;
    expect(service.stored).toEqual(['hello']);
    if (late) await insertSubmission(truth, late);
    instance(kind, truth);
    await expect.poll(real).toMatchObject([{ state: 'discarded' }, { state: 'confirmed' }]);
    expect(service.stored).toEqual(['hello']);
  });

  test('a resolved save that another instance is sending is left to that instance', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = createTestMachine(db, kind, {
      pace: { leaseMs: 200, saveMs: 2_000, resolveMs: 60_000 },
    });
    const cut = cutAfter(INSERT);
    const submitting = saveAndSend(machine, kind, [wordSubmission('hello')]);
    await cut;
    const thaw = Promise.withResolvers<void>();
    const other = createTestMachine(truth, kind, {
      apiFor: machine.apiFor,
      pace: { onCrashPoint: (point) => (point === 'after-sending' ? thaw.promise : undefined) },
    });
    other.submissions.start();
    stops.push(() => other.submissions.stop());
    await expect.poll(real).toMatchObject([{ state: 'sending' }]);
    proxy.restore();
    const on = await submitting;
    thaw.resolve();
    if (typeof on === 'string') throw new Error(on);
    await on.finalRows;
    await expect.poll(real).toMatchObject([{ state: 'confirmed' }]);
    expect(service.sent).toEqual(['hello']);
  });
});
