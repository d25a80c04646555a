import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bringOn } from '../../src/submissions/bring-on.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import type { Machine } from '../../src/submissions/machine.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { sentBy, testMachine, type Word, wordService } from '../support/sent-words.ts';

/** What waits has a moment of its own, or a day to be tried in: nothing makes its person wait longer. */

let database: BotDatabase;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom('submission').execute();
  await database.db.deleteFrom('workspace_hold').execute();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => database.close());

const rows = () =>
  database.db.selectFrom('submission').selectAll().orderBy('created_at').orderBy('revision').execute();

function running(kind: SubmissionKind<Word>, options: Parameters<typeof testMachine>[2] = {}) {
  const made = testMachine(database.db, kind, options);
  made.submissions.start();
  stops.push(() => made.submissions.stop());
  return made;
}

/** One press; how it stands when the first try has ended. */
async function press(machine: Machine, kind: SubmissionKind<Word>, received: ReturnType<typeof sentBy>) {
  const on = await bringOn(machine, kind, [received]);
  if (on === 'not-saved') return on;
  const [row] = await on.ended;
  return row?.state;
}

test('what passes its moment while the service is slow to list is not sent', async () => {
  const service = wordService();
  const plain = service.kind();
  const { whenUnknown } = plain;
  if (whenUnknown.way !== 'look') throw new Error('words are looked for');
  const count: typeof whenUnknown.count = async (api, content) => {
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(content.due ?? ''));
    return whenUnknown.count(api, content);
  };
  const kind = { ...plain, whenUnknown: { ...whenUnknown, count } };
  const { machine } = running(kind);
  const due = new Date(Date.now() + 1_000).toISOString();
  expect(await press(machine, kind, sentBy('hello', { due }))).toBe('needs-person');
  expect(service.sent).toEqual([]);
});

test('a service that asks for an hour gets it, and who is due before that hears when it is', async () => {
  const service = wordService();
  const hour = { ending: { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 3_600_000 } } as const;
  service.next(hour);
  const kind = service.kind();
  const { machine, said } = running(kind);
  expect(await press(machine, kind, sentBy('hello'))).toBe('retryable');
  const due = new Date(Date.now() + 400).toISOString();
  expect(await press(machine, kind, sentBy('soon', { due }))).toBe('retryable');
  const [waits] = await rows();
  expect((waits?.next_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
  await expect.poll(() => said.join()).toContain('Its moment has passed');
  expect(service.sent).toEqual(['hello']);
});
