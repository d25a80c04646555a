import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { DAY_MS } from '../../src/durations.ts';
import { addMs } from '../../src/engine/clock.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import type { SubmissionContext } from '../../src/submissions/submission-context.ts';
import { type BotDatabase, openBotDatabase } from './bot-database.ts';
import {
  createTestSubmissions,
  createWordService,
  type createWordSubmission,
  type Word,
} from './word-submissions.ts';

/** Sets up a database and a service for the tests of a file, emptied before each test, and functions that submit words. */
export function setUpWords() {
  let database: BotDatabase;
  const service = createWordService();
  const stopFunctions: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    database = await openBotDatabase();
  });
  beforeEach(async () => {
    await database.db.deleteFrom('submission').execute();
    await database.db.deleteFrom('service_pause').execute();
    service.reset();
  });
  afterEach(async () => {
    for (const stop of stopFunctions.splice(0)) await stop();
  });
  afterAll(() => database.close());

  const readRows = () =>
    database.db.selectFrom('submission').selectAll().orderBy('created_at').orderBy('revision').execute();
  const create = (kind: SubmissionKind<Word>, options: Parameters<typeof createTestSubmissions>[2] = {}) =>
    createTestSubmissions(database.db, kind, options);
  return {
    get db() {
      return database.db;
    },
    service,
    readRows,
    /** Locks the table of submissions, as a slow transaction does. Resolves with the function that ends the transaction. */
    async lockSubmissions(): Promise<() => Promise<void>> {
      const { promise: end, resolve: endTransaction } = Promise.withResolvers<void>();
      const { promise: isLocked, resolve: tellLocked } = Promise.withResolvers<void>();
      const transaction = database.db.transaction().execute(async (trx) => {
        await sql`lock table submission`.execute(trx);
        tellLocked();
        await end;
      });
      await isLocked;
      return () => {
        endTransaction();
        return transaction;
      };
    },
    /** Ends the 24 hours for which what isn't sent yet is retried, and makes all rows due. */
    async endRetries() {
      const aDayAgo = addMs(new Date(), -DAY_MS);
      await database.db
        .updateTable('submission')
        .set({ retrying_since: aDayAgo, next_at: aDayAgo })
        .execute();
    },
    readStates: async () => (await readRows()).map(({ state }) => state),
    createStopped: create,
    /** Calls the function when the test ends. */
    stopAfterTest: (stop: () => Promise<void>) => void stopFunctions.push(stop),
    /** Creates submissions and runs their poll until the test ends. */
    createRunning(kind: SubmissionKind<Word>, options: Parameters<typeof createTestSubmissions>[2] = {}) {
      const created = create(kind, options);
      created.submissions.start();
      stopFunctions.push(() => created.submissions.stop());
      return created;
    },
    /** Submits words. Returns the first row's state after its first attempt, or the reason why they weren't saved. */
    async submit(
      context: SubmissionContext,
      kind: SubmissionKind<Word>,
      ...submissions: ReturnType<typeof createWordSubmission>[]
    ) {
      const saveResult = await saveAndSend(context, kind, submissions);
      if (typeof saveResult === 'string') return saveResult;
      const [row] = await saveResult.attemptedRows;
      return row?.state;
    },
  };
}
