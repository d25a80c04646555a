import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import { postgresDialect } from '../../src/store/postgres-dialect.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { answerForm } from '../../src/submissions/answer-form.ts';
import { bringOn } from '../../src/submissions/bring-on.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { newRows } from '../../src/submissions/save.ts';
import { insertSubmission } from '../../src/submissions/sql/submissions.ts';
import { type DatabaseProxy, startDatabaseProxy, targetOf } from '../support/database-proxy.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';
import { formCall } from '../support/pressed-form.ts';
import { sentBy, testMachine, type Word, wordService } from '../support/sent-words.ts';

const INSERT = /^insert into "submission"/;

onPostgres((urlOf) => {
  let database: Awaited<ReturnType<typeof createOnPostgres>>;
  let proxy: DatabaseProxy;
  /** Through the proxy, and beside it. */
  let db: Kysely<BotSchema>;
  let truth: Kysely<BotSchema>;
  const stops: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    database = await createOnPostgres(urlOf);
    proxy = await startDatabaseProxy(targetOf(database.url));
    truth = await openDatabase<BotSchema>({ dialect: postgresDialect(database.url), migrations });
    db = await openDatabase<BotSchema>({ dialect: postgresDialect(proxy.url(database.url)), migrations });
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

  /** An instance on the database behind the proxy; `write` fills a form, and answers with what its author reads. */
  function instance(kind: SubmissionKind<Word>, on = db) {
    const made = testMachine(on, kind, {
      pace: { saveMs: 2_000, settleMs: 300 },
      apiFor: async () => ({
        address: 'http://service',
        credential: {},
        call: async () => done,
        close: async () => undefined,
      }),
    });
    made.submissions.start();
    stops.push(() => made.submissions.stop());
    const write = async (text: string, formId = randomUUID()) => {
      const read: string[] = [];
      const call = formCall(made.submissions, (line) => read.push(line));
      const again = (why: unknown) => ({
        type: 'modal' as const,
        title: { type: 'plain_text' as const, text: String(why) },
        blocks: [],
      });
      await answerForm(call, kind, {
        formId,
        contents: [{ text }],
        form: { inline: () => undefined, again },
      });
      return read;
    };
    return { ...made, write };
  }
  const done = { kind: 'done', data: null, requestId: 'r' } as const;

  /** Nothing of the database's arrives from now on, but the statement whose answer is lost was executed. */
  async function cutAfter(statement: RegExp): Promise<void> {
    if (await proxy.loseNextAnswer(statement)) {
      proxy.refuse();
      proxy.reset();
    }
  }

  test('a save whose answer is lost, and is found at once, is told as if nothing had happened', async () => {
    const service = wordService();
    const { write } = instance(service.kind());
    const lost = proxy.loseNextAnswer(INSERT);
    expect(await write('hello')).toEqual(['ack Done']);
    expect(await lost).toBe(true);
    expect(service.kept).toEqual(['hello']);
  });

  test('while nobody knows whether it was saved the author reads so, and then hears how it ended', async () => {
    const service = wordService();
    const { write, said } = instance(service.kind());
    const cut = cutAfter(INSERT);
    expect(await write('hello')).toEqual(['ack not-sure']);
    await cut;
    expect(service.kept).toEqual([]);
    proxy.restore();
    await expect.poll(() => service.kept).toEqual(['hello']);
    // In the form, which is still open.
    await expect.poll(() => said).toEqual(['V1: Done']);
  });

  test('the same words in a new form meanwhile find the first, and are posted once', async () => {
    const service = wordService();
    const { write } = instance(service.kind());
    const cut = cutAfter(INSERT);
    const first = write('hello');
    await cut;
    expect(await first).toEqual(['ack not-sure']);
    const second = write('hello');
    proxy.restore();
    expect(await second).toEqual(['ack Done']);
    await expect.poll(real).toMatchObject([{ state: 'confirmed' }]);
    expect(service.kept).toEqual(['hello']);
  });

  test('the same words in a new form find the first from another instance too', async () => {
    const service = wordService();
    const kind = service.kind();
    const { write } = instance(kind);
    const other = instance(kind, truth);
    const cut = cutAfter(INSERT);
    expect(await write('hello')).toEqual(['ack not-sure']);
    await cut;
    await other.write('hello');
    proxy.restore();
    await expect.poll(real).toMatchObject([{ state: 'confirmed' }]);
    expect(service.kept).toEqual(['hello']);
  });

  test('the same words again while the database is still away are not called unsaved', async () => {
    const service = wordService();
    const { write } = instance(service.kind());
    const cut = cutAfter(INSERT);
    await write('hello');
    await cut;
    expect(await write('hello')).toEqual(['ack not-sure']);
    expect(await write('other words')).toEqual(['ack not-saved']);
    proxy.restore();
    await expect.poll(() => service.kept).toEqual(['hello']);
    expect(await real()).toHaveLength(1);
  });

  test('a statement that never arrived is found out not to be saved, and its author is told', async () => {
    const service = wordService();
    const { write, said, machine } = instance(service.kind());
    // What comes before the insert has passed.
    await machine.addressOf('T1', 'p1');
    await write('a first one');
    const waiting = write('hello');
    proxy.swallow();
    expect(await waiting).toEqual([expect.stringMatching(/^ack (not-sure|not-saved)$/)]);
    proxy.restore();
    if ((await waiting)[0] === 'ack not-sure') {
      await expect.poll(() => said, { timeout: 20_000 }).toContainEqual(expect.stringContaining('Not saved'));
    }
    expect(service.kept).toEqual(['a first one']);
  });

  test('a database that cannot be reached at all has certainly not saved it', async () => {
    const service = wordService();
    const { write } = instance(service.kind());
    await write('a first one');
    proxy.refuse();
    proxy.reset();
    expect(await write('hello')).toEqual(['ack not-saved']);
    proxy.restore();
    await expect.poll(() => write('hello')).toEqual(['ack Done']);
    expect(service.kept).toEqual(['a first one', 'hello']);
  });

  test('several moments whose commit is not answered are saved all or none, and sent once each', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = instance(kind);
    const lost = proxy.loseNextAnswer(/^commit/i);
    const origin = randomUUID();
    const on = await bringOn(machine, kind, [
      sentBy('one', { origin }),
      { ...sentBy('two', { origin }), item: 1 },
    ]);
    expect(await lost).toBe(true);
    if (typeof on !== 'string') await on.ended;
    await expect.poll(() => service.kept.toSorted()).toEqual(['one', 'two']);
  });

  test('a save that arrives once its author has sent the same again from elsewhere is not sent too', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = testMachine(truth, kind);
    const [late] = await newRows(machine, kind, [sentBy('hello')]);
    const on = await bringOn(machine, kind, [sentBy('hello')]);
    if (typeof on !== 'string') await on.ended;
    expect(service.kept).toEqual(['hello']);
    if (late) await insertSubmission(truth, late);
    instance(kind, truth);
    await expect.poll(real).toMatchObject([{ state: 'discarded' }, { state: 'confirmed' }]);
    expect(service.kept).toEqual(['hello']);
  });

  test('a save found out once another instance is sending it is left to that one', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = testMachine(db, kind, { pace: { leaseMs: 200, saveMs: 2_000, settleMs: 60_000 } });
    const cut = cutAfter(INSERT);
    const submitting = bringOn(machine, kind, [sentBy('hello')]);
    await cut;
    const thaw = Promise.withResolvers<void>();
    const other = testMachine(truth, kind, {
      apiFor: machine.apiFor,
      pace: { at: (point) => (point === 'after-sending' ? thaw.promise : undefined) },
    });
    other.submissions.start();
    stops.push(() => other.submissions.stop());
    await expect.poll(real).toMatchObject([{ state: 'sending' }]);
    proxy.restore();
    const on = await submitting;
    thaw.resolve();
    if (typeof on === 'string') throw new Error(on);
    await on.ended;
    await expect.poll(real).toMatchObject([{ state: 'confirmed' }]);
    expect(service.sent).toEqual(['hello']);
  });
});
