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
  /** Connection through the proxy. */
  let db: Kysely<BotSchema>;
  /** Connection that bypasses the proxy. */
  let directDb: Kysely<BotSchema>;
  const stops: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    database = await createOnPostgres(urlOf);
    proxy = await startDatabaseProxy(parseTarget(database.url));
    directDb = await openDatabase<BotSchema>({ dialect: createPostgresDialect(database.url), migrations });
    db = await openDatabase<BotSchema>({
      dialect: createPostgresDialect(proxy.url(database.url)),
      migrations,
    });
  });
  afterEach(async () => {
    proxy.restore();
    for (const stop of stops.splice(0)) await stop();
    await proxy.close();
    await Promise.all([db.destroy(), directDb.destroy()]);
    await database.close();
  });

  const rows = () =>
    directDb.selectFrom('submission').select(['state', 'origin']).orderBy('created_at').execute();
  const findRealRows = async () => (await rows()).filter(({ origin }) => !origin.startsWith('void '));

  /** Starts an instance whose database is behind the proxy. `write` submits a form and returns what its author reads. */
  function startInstance(kind: SubmissionKind<Word>, saveResult = db) {
    const created = createTestMachine(saveResult, kind, {
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
      const seen: string[] = [];
      const call = createFormCall(created.submissions, (line) => seen.push(line));
      const renderForm = (reason: unknown) => ({
        type: 'modal' as const,
        title: { type: 'plain_text' as const, text: String(reason) },
        blocks: [],
      });
      await answerForm(call, kind, {
        formId,
        contents: [{ text }],
        form: { getFieldErrors: () => undefined, renderForm },
      });
      return seen;
    };
    return { ...created, write };
  }
  const done = { kind: 'done', data: null, requestId: 'r' } as const;

  /** Cuts the connection after the statement was executed, so that its response is lost. Refuses new connections. */
  async function cutAfter(statement: RegExp): Promise<void> {
    if (await proxy.loseNextAnswer(statement)) {
      proxy.refuse();
      proxy.reset();
    }
  }

  test('a save whose response was lost but could be checked at once is shown as usual', async () => {
    const service = wordService();
    const { write } = startInstance(service.kind());
    const lost = proxy.loseNextAnswer(INSERT);
    expect(await write('hello')).toEqual(['ack Done']);
    expect(await lost).toBe(true);
    expect(service.stored).toEqual(['hello']);
  });

  test('the author reads that a save is uncertain, and is notified of the outcome later', async () => {
    const service = wordService();
    const { write, shown } = startInstance(service.kind());
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
    const { write } = startInstance(service.kind());
    const cut = cutAfter(INSERT);
    const first = write('hello');
    await cut;
    expect(await first).toEqual(['ack uncertain']);
    const second = write('hello');
    proxy.restore();
    expect(await second).toEqual(['ack Done']);
    await expect.poll(findRealRows).toMatchObject([{ state: 'confirmed' }]);
    expect(service.stored).toEqual(['hello']);
  });

  test('the same text in a new form of another instance also finds the uncertain save', async () => {
    const service = wordService();
    const kind = service.kind();
    const { write } = startInstance(kind);
    const other = startInstance(kind, directDb);
    const cut = cutAfter(INSERT);
    expect(await write('hello')).toEqual(['ack uncertain']);
    await cut;
    await other.write('hello');
    proxy.restore();
    await expect.poll(findRealRows).toMatchObject([{ state: 'confirmed' }]);
    expect(service.stored).toEqual(['hello']);
  });

  test('a text whose save is uncertain is not reported as unsaved when it is submitted again without a database', async () => {
    const service = wordService();
    const { write } = startInstance(service.kind());
    const cut = cutAfter(INSERT);
    await write('hello');
    await cut;
    expect(await write('hello')).toEqual(['ack uncertain']);
    expect(await write('other words')).toEqual(['ack not-saved']);
    proxy.restore();
    await expect.poll(() => service.stored).toEqual(['hello']);
    expect(await findRealRows()).toHaveLength(1);
  });

  test('the author is notified that a post was not saved if its statement never reached the database', async () => {
    const service = wordService();
    const { write, shown, machine } = startInstance(service.kind());
    // The statements before the insert have ended.
    await machine.findAddress('T1', 'p1');
    await write('a first one');
    const submitting = write('hello');
    proxy.cutSilently();
    expect(await submitting).toEqual([expect.stringMatching(/^ack (uncertain|not-saved)$/)]);
    proxy.restore();
    if ((await submitting)[0] === 'ack uncertain') {
      await expect
        .poll(() => shown, { timeout: 20_000 })
        .toContainEqual(expect.stringContaining('Not saved'));
    }
    expect(service.stored).toEqual(['a first one']);
  });

  test('with an unreachable database a form is certainly not saved', async () => {
    const service = wordService();
    const { write } = startInstance(service.kind());
    await write('a first one');
    proxy.refuse();
    proxy.reset();
    expect(await write('hello')).toEqual(['ack not-saved']);
    proxy.restore();
    await expect.poll(() => write('hello')).toEqual(['ack Done']);
    expect(service.stored).toEqual(['a first one', 'hello']);
  });

  test('several moments whose commit response was lost are all saved or none, and each is sent once', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = startInstance(kind);
    const lost = proxy.loseNextAnswer(/^commit/i);
    const origin = randomUUID();
    const saveResult = await saveAndSend(machine, kind, [
      wordSubmission('one', { origin }),
      { ...wordSubmission('two', { origin }), item: 1 },
    ]);
    expect(await lost).toBe(true);
    if (typeof saveResult !== 'string') await saveResult.finalRows;
    await expect.poll(() => service.stored.toSorted()).toEqual(['one', 'two']);
  });

  test('a delayed save is not sent if the author has sent the same text from another form', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = createTestMachine(directDb, kind);
    const [delayedRow] = await createRows(machine, kind, [wordSubmission('hello')]);
    const saveResult = await saveAndSend(machine, kind, [wordSubmission('hello')]);
    if (typeof saveResult !== 'string') await saveResult.finalRows;
    expect(service.stored).toEqual(['hello']);
    if (delayedRow) await insertSubmission(directDb, delayedRow);
    startInstance(kind, directDb);
    await expect.poll(findRealRows).toMatchObject([{ state: 'discarded' }, { state: 'confirmed' }]);
    expect(service.stored).toEqual(['hello']);
  });

  test('a save that turns out to be stored is not sent by two instances', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = createTestMachine(db, kind, {
      pace: { leaseMs: 200, saveMs: 2_000, resolveMs: 60_000 },
    });
    const cut = cutAfter(INSERT);
    const submitting = saveAndSend(machine, kind, [wordSubmission('hello')]);
    await cut;
    const thaw = Promise.withResolvers<void>();
    const other = createTestMachine(directDb, kind, {
      apiFor: machine.apiFor,
      pace: { onCrashPoint: (point) => (point === 'after-sending' ? thaw.promise : undefined) },
    });
    other.submissions.start();
    stops.push(() => other.submissions.stop());
    await expect.poll(findRealRows).toMatchObject([{ state: 'sending' }]);
    proxy.restore();
    const saveResult = await submitting;
    thaw.resolve();
    if (typeof saveResult === 'string') throw new Error(saveResult);
    await saveResult.finalRows;
    await expect.poll(findRealRows).toMatchObject([{ state: 'confirmed' }]);
    expect(service.sent).toEqual(['hello']);
  });
});
