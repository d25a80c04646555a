import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import type { Machine } from '../../src/submissions/machine.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { type BotDatabase, openBotDatabase } from './bot.ts';
import { createTestMachine, type Word, type wordSubmission } from './sent-words.ts';

/** Sets up a database for the tests of a file, emptied before each test, and machines that submit words. */
export function setUpWords() {
  let database: BotDatabase;
  const stopFunctions: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    database = await openBotDatabase();
  });
  beforeEach(async () => {
    await database.db.deleteFrom('submission').execute();
    await database.db.deleteFrom('service_pause').execute();
  });
  afterEach(async () => {
    for (const stop of stopFunctions.splice(0)) await stop();
  });
  afterAll(() => database.close());

  const rows = () =>
    database.db.selectFrom('submission').selectAll().orderBy('created_at').orderBy('revision').execute();
  const create = (kind: SubmissionKind<Word>, options: Parameters<typeof createTestMachine>[2] = {}) =>
    createTestMachine(database.db, kind, options);
  return {
    get db() {
      return database.db;
    },
    rows,
    states: async () => (await rows()).map(({ state }) => state),
    stopped: create,
    /** Creates a machine and runs its poll until the test ends. */
    running(kind: SubmissionKind<Word>, options: Parameters<typeof createTestMachine>[2] = {}) {
      const created = create(kind, options);
      created.submissions.start();
      stopFunctions.push(() => created.submissions.stop());
      return created;
    },
    /** Presses [Send], and returns the row after the first attempt. */
    async press(machine: Machine, kind: SubmissionKind<Word>, received: ReturnType<typeof wordSubmission>) {
      const saved = await saveAndSend(machine, kind, [received]);
      if (typeof saved === 'string') return saved;
      const [row] = await saved.finalRows;
      return row?.state;
    },
  };
}
