import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
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
  await database.db.deleteFrom('service_hold').execute();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => database.close());

const rows = () =>
  database.db.selectFrom('submission').selectAll().orderBy('created_at').orderBy('revision').execute();

const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' });
const hour = { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 3_600_000 } as const;

function running(kind: SubmissionKind<Word>, options: Parameters<typeof testMachine>[2] = {}) {
  const made = testMachine(database.db, kind, options);
  made.submissions.start();
  stops.push(() => made.submissions.stop());
  return made;
}

/** One press; how it stands when the first try has ended. */
async function press(machine: Machine, kind: SubmissionKind<Word>, received: ReturnType<typeof sentBy>) {
  const on = await bringOn(machine, kind, [received]);
  if (typeof on === 'string') return on;
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
  service.next({ ending: hour });
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

test('a moment that passes while the service asks for an hour is told of at once', async () => {
  const service = wordService();
  const plain = service.kind();
  const kind: SubmissionKind<Word> = {
    ...plain,
    async send(api, content) {
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(content.due ?? ''));
      return plain.send(api, content);
    },
  };
  service.next({ ending: hour });
  const { machine, said } = running(kind);
  const due = new Date(Date.now() + 500).toISOString();
  expect(await press(machine, kind, sentBy('soon', { due }))).toBe('retryable');
  await expect.poll(() => said.join()).toContain('Its moment has passed');
  expect(service.sent).toEqual(['soon']);
});

test('what cannot be read rests also where its moment has passed', async () => {
  const service = wordService();
  service.next({ ending: { kind: 'not-applied', cause: 'connection-refused' } });
  const kind = service.kind();
  const first = testMachine(database.db, kind);
  await press(first.machine, kind, sentBy('hello', { due: new Date(Date.now() + 60_000).toISOString() }));
  const content = 'v1:lost:AAAA';
  const past = new Date(Date.now() - 1_000);
  await database.db.updateTable('submission').set({ content, due_at: past, next_at: past }).execute();
  running(kind, { pace: { holdMs: 60_000 } });
  await expect
    .poll(async () => ((await rows())[0]?.next_at?.getTime() ?? 0) - Date.now())
    .toBeGreaterThan(50_000);
});

test('what nobody knows is asked of its person in time, however long the service asks to wait', async () => {
  const service = wordService();
  service.next({ ending: { kind: 'unknown', cause: 'timed-out' } });
  service.list(undefined);
  const kind = service.kind();
  const { machine } = running(kind, { apiFor: async () => client, pace: { giveUpMs: 600 } });
  const [, pause] = [
    await press(machine, kind, sentBy('hello')),
    machine
      .breakerOf({ workspace: 'T1', address: client.address }, 'reads')
      .enter(undefined, client.credential),
  ];
  if ('report' in pause) pause.report({ ...hour, requestId: 'r' });
  await expect
    .poll(async () => (await rows()).map(({ state, why }) => [state, why]))
    .toEqual([['needs-person', 'cannot-tell']]);
});
