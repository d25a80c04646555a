import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAuditRecord } from '../../src/access/record/record.ts';
import { migrations } from '../../src/app/migrations.ts';
import { createSendCheck } from '../../src/app/narrowed-context.ts';
import { sendContents } from '../../src/forms/submit-form.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { openDatabase } from '../../src/store/database.ts';
import { DatabaseUnavailable } from '../../src/store/database-unavailable.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import type { Pace } from '../../src/submissions/pace.ts';
import { createRows } from '../../src/submissions/save.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { insertSubmission } from '../../src/submissions/sql/submissions.ts';
import { renderUnsavedBanner } from '../../src/submissions/text/state-blocks.ts';
import { type DatabaseProxy, parseTarget, startDatabaseProxy } from '../support/database-proxy.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';
import { createFormCall, createSubmittedForm, createTestForm } from '../support/form-call.ts';
import {
  createTestSubmissions,
  createWordService,
  createWordSubmission,
  type Word,
} from '../support/word-submissions.ts';

const INSERT = /^insert into "submission"/;

/**
 * A save that works may take long on a busy machine, and must still begin to send in its lease. One that fails does so at
 * once, except in one test.
 */
const PATIENT = {
  saveMs: 30_000,
  acknowledgementTimeoutMs: 30_000,
  leaseMs: 30_000,
  maxStartDelayMs: 20_000,
} as const;

const NOT_SAVED = `ack The form again: ${renderUnsavedBanner('not-saved')}`;
const UNCERTAIN = `ack The form again: ${renderUnsavedBanner('uncertain')}`;

onPostgres((urlOf) => {
  let database: Awaited<ReturnType<typeof createOnPostgres>>;
  let proxy: DatabaseProxy;
  /** Connection through the proxy. */
  let db: Kysely<BotSchema>;
  /** Connection that bypasses the proxy. */
  let directDb: Kysely<BotSchema>;
  const service = createWordService();
  const stopFunctions: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    service.reset();
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
    for (const stop of stopFunctions.splice(0)) await stop();
    await proxy.close();
    await Promise.all([db.destroy(), directDb.destroy()]);
    await database.close();
  });

  const readRows = () =>
    directDb.selectFrom('submission').select(['state', 'origin']).orderBy('created_at').execute();
  const findRealRows = async () => (await readRows()).filter(({ origin }) => !origin.startsWith('void '));

  /** Starts an instance whose database is behind the proxy. `write` submits a form and returns the responses. */
  function startInstance(
    kind: SubmissionKind<Word>,
    instanceDb = db,
    pace: Partial<Pace> = {},
    sendCheck: Partial<ReturnType<typeof createSendCheck>> = {},
  ) {
    const instance = createTestSubmissions(instanceDb, kind, {
      ...sendCheck,
      pace: { ...PATIENT, resolveMs: 300, ...pace },
      findApiClient: async () => ({
        address: 'http://service',
        credential: {},
        call: async () => doneOutcome,
        close: async () => undefined,
      }),
    });
    instance.submissions.start();
    stopFunctions.push(() => instance.submissions.stop());
    const write = async (text: string, formId = randomUUID()) => {
      const responses: string[] = [];
      const call = createFormCall(instance.submissions, (line) => responses.push(line));
      const form = createTestForm(kind);
      await sendContents(form, call, createSubmittedForm(form, call, text, { formId }), [{ text }]);
      return responses;
    };
    return { ...instance, write };
  }
  const doneOutcome = { kind: 'done', data: null, requestId: 'r' } as const;

  /** Cuts the connection after the statement was executed, so that its response is lost. Refuses new connections. */
  async function cutConnectionAfter(statement: RegExp): Promise<void> {
    if (await proxy.loseNextAnswer(statement)) {
      proxy.refuse();
      proxy.reset();
    }
  }

  test('if a save whose response was lost can be checked at once, the author sees the outcome as usual', async () => {
    const { write } = startInstance(service.kind(), db, { resolveMs: 30_000 });
    const isResponseLost = proxy.loseNextAnswer(INSERT);
    expect(await write('hello')).toEqual(['ack Done']);
    expect(await isResponseLost).toBe(true);
    expect(service.storedTexts).toEqual(['hello']);
  });

  /** Creates a permission check with an audit log on the direct connection. `lines`: the targets that the log has got. */
  function createRecordedCheck() {
    const lines: string[] = [];
    const record = createAuditRecord({
      db: directDb,
      now: () => new Date(),
      onWritten: ({ target }) => void lines.push(target),
      onError: () => undefined,
      backoffMs: 50,
    });
    stopFunctions.push(async () => void record.stop());
    return { sendCheck: createSendCheck({ recheckPermission: async () => 'yes' }, record), lines };
  }
  const listTargets = async () =>
    (await directDb.selectFrom('audit_entry').select('target').execute()).map(({ target }) => target);

  test.each([
    ['early', 30_000, 'ack Done'],
    ['late', 0, UNCERTAIN],
  ])(
    'a save that is resolved %s has one entry, in the audit log and in the log',
    async (_, resolveMs, answer) => {
      const { sendCheck, lines } = createRecordedCheck();
      const { write } = startInstance(service.kind(), db, { resolveMs }, sendCheck);
      const isResponseLost = proxy.loseNextAnswer(/with stored as/);
      expect(await write('hello')).toEqual([answer]);
      expect(await isResponseLost).toBe(true);
      await expect.poll(() => service.storedTexts).toEqual(['hello']);
      await expect.poll(() => lines.length).toBe(1);
      await expect.poll(async () => (await readRows())[0]?.state).toBe('confirmed');
      expect(await listTargets()).toEqual(lines);
    },
  );

  test('a post is sent while the audit log is locked, and gets its entry afterwards', async () => {
    const { sendCheck, lines } = createRecordedCheck();
    const { write } = startInstance(service.kind(), db, { saveMs: 3_000 }, sendCheck);
    await directDb.transaction().execute(async (transaction) => {
      await sql`lock table audit_entry in access exclusive mode`.execute(transaction);
      expect(await write('hello')).toEqual(['ack Done']);
      expect(await write('again')).toEqual(['ack Done']);
    });
    expect(service.storedTexts).toEqual(['hello', 'again']);
    await expect.poll(() => lines.length).toBe(2);
    expect((await listTargets()).toSorted()).toEqual(lines.toSorted());
  });

  test('the author reads that a save is uncertain, and is notified of the outcome later', async () => {
    const { write, shownTexts } = startInstance(service.kind());
    const connectionCut = cutConnectionAfter(INSERT);
    expect(await write('hello')).toEqual([UNCERTAIN]);
    await connectionCut;
    expect(service.storedTexts).toEqual([]);
    proxy.restore();
    await expect.poll(() => service.storedTexts).toEqual(['hello']);
    // The open view shows the outcome.
    await expect.poll(() => shownTexts).toEqual(['V1: Done']);
  });

  test('a text that is submitted again in a new form after an uncertain save is sent once', async () => {
    const { write } = startInstance(service.kind());
    const connectionCut = cutConnectionAfter(INSERT);
    const firstResponses = write('hello');
    await connectionCut;
    expect(await firstResponses).toEqual([UNCERTAIN]);
    const secondResponses = write('hello');
    proxy.restore();
    expect(await secondResponses).toEqual(['ack Done']);
    await expect.poll(findRealRows).toMatchObject([{ state: 'confirmed' }]);
    expect(service.storedTexts).toEqual(['hello']);
  });

  test('a text that is submitted again through another instance after an uncertain save is sent once', async () => {
    const kind = service.kind();
    // The other instance takes the row over when its lease has ended.
    const { write } = startInstance(kind, db, { leaseMs: 2_000, maxStartDelayMs: 1_000 });
    const otherInstance = startInstance(kind, directDb);
    const connectionCut = cutConnectionAfter(INSERT);
    expect(await write('hello')).toEqual([UNCERTAIN]);
    await connectionCut;
    await otherInstance.write('hello');
    proxy.restore();
    await expect.poll(findRealRows).toMatchObject([{ state: 'confirmed' }]);
    expect(service.storedTexts).toEqual(['hello']);
  });

  test('a text with an uncertain save stays uncertain when it is submitted again while the database is down', async () => {
    const { write, context } = startInstance(service.kind());
    const connectionCut = cutConnectionAfter(INSERT);
    await write('hello');
    await connectionCut;
    // These saves can't work, so they need no patience.
    context.pace.saveMs = 500;
    expect(await write('hello')).toEqual([UNCERTAIN]);
    expect(await write('other words')).toEqual([NOT_SAVED]);
    proxy.restore();
    await expect.poll(() => service.storedTexts).toEqual(['hello']);
    expect(await findRealRows()).toHaveLength(1);
  });

  test('the author is notified that a post was not saved if the save never reached the database', async () => {
    const { write, shownTexts, context } = startInstance(service.kind(), db, { saveMs: 2_000 });
    // The queries that precede the INSERT have ended, so that the connection is cut during the INSERT.
    await context.findAddress('T1', 'p1');
    await write('an earlier word');
    const submitting = write('hello');
    proxy.cutSilently();
    expect(await submitting).toEqual([expect.toBeOneOf([UNCERTAIN, NOT_SAVED])]);
    proxy.restore();
    if ((await submitting)[0] === UNCERTAIN) {
      await expect.poll(() => shownTexts).toContainEqual(expect.stringContaining('Not saved'));
    }
    expect(service.storedTexts).toEqual(['an earlier word']);
  });

  test('the author reads that a form was not saved if the database is unreachable', async () => {
    const { write } = startInstance(service.kind());
    await write('an earlier word');
    proxy.refuse();
    proxy.reset();
    // An INSERT whose connection breaks would be uncertain. A form is read before that.
    const readForm = () => sql`select 1`.execute(db).catch((error: unknown) => error);
    await expect.poll(readForm).toBeInstanceOf(DatabaseUnavailable);
    expect(await write('hello')).toEqual([NOT_SAVED]);
    proxy.restore();
    await expect.poll(() => write('hello')).toEqual(['ack Done']);
    expect(service.storedTexts).toEqual(['an earlier word', 'hello']);
  });

  test('if the response to a commit was lost, each publishing time of the form is sent once', async () => {
    const kind = service.kind();
    const { context } = startInstance(kind);
    const isResponseLost = proxy.loseNextAnswer(/^commit/i);
    const origin = randomUUID();
    const saveResult = await saveAndSend(context, kind, [
      createWordSubmission('one', { origin }),
      { ...createWordSubmission('two', { origin }), item: 1 },
    ]);
    expect(await isResponseLost).toBe(true);
    if (typeof saveResult !== 'string') await saveResult.attemptedRows;
    await expect.poll(() => service.storedTexts.toSorted()).toEqual(['one', 'two']);
  });

  test('a delayed save is not stored if the author has sent the same text from another form', async () => {
    const kind = service.kind();
    const { context } = createTestSubmissions(directDb, kind);
    const [delayedRow] = await createRows(context, kind, [createWordSubmission('hello')]);
    const saveResult = await saveAndSend(context, kind, [createWordSubmission('hello')]);
    if (typeof saveResult !== 'string') await saveResult.attemptedRows;
    expect(service.storedTexts).toEqual(['hello']);
    if (!delayedRow) throw new Error('there is no row');
    expect(await insertSubmission(directDb, delayedRow)).toBeUndefined();
    expect(await findRealRows()).toMatchObject([{ state: 'confirmed' }]);
  });

  test('a submission whose uncertain save was stored is sent by only one instance', async () => {
    const kind = service.kind();
    const { context } = createTestSubmissions(db, kind, {
      pace: { leaseMs: 200, saveMs: 2_000, resolveMs: 60_000 },
    });
    const connectionCut = cutConnectionAfter(INSERT);
    const submitting = saveAndSend(context, kind, [createWordSubmission('hello')]);
    await connectionCut;
    const resumption = Promise.withResolvers<void>();
    const otherInstance = createTestSubmissions(directDb, kind, {
      findApiClient: context.findApiClient,
      pace: { onCrashPoint: (point) => (point === 'after-sending' ? resumption.promise : undefined) },
    });
    otherInstance.submissions.start();
    stopFunctions.push(() => otherInstance.submissions.stop());
    await expect.poll(findRealRows).toMatchObject([{ state: 'sending' }]);
    proxy.restore();
    const saveResult = await submitting;
    resumption.resolve();
    if (typeof saveResult === 'string') throw new Error(saveResult);
    await saveResult.attemptedRows;
    await expect.poll(findRealRows).toMatchObject([{ state: 'confirmed' }]);
    expect(service.sentTexts).toEqual(['hello']);
  });
});
