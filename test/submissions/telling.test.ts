import type { WebClient } from '@slack/web-api';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bringOn } from '../../src/submissions/bring-on.ts';
import { tell } from '../../src/submissions/tell.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { QUICK, sentBy, testMachine, wordService } from '../support/sent-words.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterEach(() => database.db.deleteFrom('submission').execute());
afterAll(() => database.close());

/** Slack as far as somebody is told something: it keeps the messages with what they carry. */
function directMessages() {
  const messages: { text: string; metadata?: unknown }[] = [];
  const client = {
    chat: { postMessage: async (message: { text: string }) => void messages.push(message) },
    conversations: {
      open: async () => ({ channel: { id: 'D1' } }),
      history: async () => ({ messages }),
    },
  };
  return { messages, slackFor: async () => client as unknown as WebClient };
}

test('however many hang, only so many people are told at once, and nobody else is claimed', async () => {
  const MAX = 20;
  const service = wordService();
  const kind = service.kind();
  let open = 0;
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const postMessage = async () => {
    open += 1;
    await answered;
  };
  const slackFor = async () => ({ chat: { postMessage } }) as unknown as WebClient;
  const { machine, submissions } = testMachine(database.db, kind, { slackFor, pace: { tellMs: 30_000 } });
  const on = await bringOn(
    machine,
    kind,
    Array.from({ length: 3 * MAX }, (_, index) => sentBy(`word ${index}`)),
  );
  if (typeof on !== 'string') await on.ended;
  const due = new Date();
  await database.db.updateTable('submission').set({ tell_at: due, telling_since: null }).execute();
  submissions.start();
  await expect.poll(() => open).toBe(MAX);
  // Scans go on meanwhile.
  await expect.poll(async () => (await rows()).filter(({ telling_since: since }) => since).length).toBe(MAX);
  const later = Date.now() + 5 * QUICK.scanMs;
  await expect.poll(() => Date.now()).toBeGreaterThan(later);
  expect(open).toBe(MAX);
  expect((await rows()).filter(({ telling_since: since }) => since)).toHaveLength(MAX);
  answer();
  await expect.poll(isTold).toBe(true);
  expect(open).toBe(3 * MAX);
  await submissions.stop();
});

test('a state of a newer version is left for an instance that knows it, and others are told', async () => {
  const service = wordService();
  const kind = service.kind();
  const slack = directMessages();
  const { machine, submissions, logged } = testMachine(database.db, kind, slack);
  const on = await bringOn(machine, kind, [sentBy('hello'), sentBy('world')]);
  if (typeof on !== 'string') await on.ended;
  const [first] = await rows();
  const since = new Date(Date.now() - 5_000);
  await database.db.updateTable('submission').set({ tell_at: since }).execute();
  await database.db
    .updateTable('submission')
    .set({ state: sql`'translated'` })
    .where('id', '=', first?.id ?? '')
    .execute();
  submissions.start();
  await expect.poll(() => slack.messages).toHaveLength(1);
  await expect.poll(() => logged.filter((line) => line.includes('set aside'))).toHaveLength(1);
  await submissions.stop();
  const [left] = (await rows()).filter(({ state }) => String(state) === 'translated');
  expect(left?.tell_at).not.toBeNull();
});

const refused = { ending: { kind: 'invalid', problems: [] } } as const;

const rows = () => database.db.selectFrom('submission').selectAll().execute();
const isTold = async () => (await rows()).every((row) => row.tell_at === null && row.told_at !== null);

/** Somebody was told, or was about to be, when the process ended; then another process goes on. */
async function endedWhileTelling(how: 'after the message' | 'before the message') {
  const service = wordService();
  const kind = service.kind();
  const slack = directMessages();
  const first = testMachine(database.db, kind, slack);
  const on = await bringOn(first.machine, kind, [sentBy('hello')]);
  if (typeof on !== 'string') await on.ended;
  first.submissions.start();
  await expect.poll(isTold).toBe(true);
  await first.submissions.stop();
  if (how === 'before the message') slack.messages.length = 0;
  const since = new Date(Date.now() - 5_000);
  await database.db
    .updateTable('submission')
    .set({ tell_at: since, telling_since: since, told_at: null })
    .execute();
  const next = testMachine(database.db, kind, slack);
  next.submissions.start();
  await expect.poll(isTold).toBe(true);
  await next.submissions.stop();
  return slack.messages;
}

test('who was told just before the process ended is not told again', async () => {
  expect(await endedWhileTelling('after the message')).toHaveLength(1);
});

test('who was about to be told when it ended is told by the next', async () => {
  const messages = await endedWhileTelling('before the message');
  expect(messages).toEqual([
    expect.objectContaining({ metadata: expect.objectContaining({ event_type: 'submission_told' }) }),
  ]);
});

test('what was never begun is said without looking', async () => {
  const kind = wordService().kind();
  const messages: string[] = [];
  const client = { chat: { postMessage: async ({ text }: { text: string }) => void messages.push(text) } };
  const ended: string[] = [];
  const { machine, submissions, logged } = testMachine(database.db, kind, {
    ended: ({ workspace, user }) => void ended.push(`${workspace} ${user}`),
    slackFor: async () => client as unknown as WebClient,
  });
  const on = await bringOn(machine, kind, [sentBy('hello')]);
  if (typeof on !== 'string') await on.ended;
  submissions.start();
  await expect.poll(isTold).toBe(true);
  await submissions.stop();
  expect(messages).toHaveLength(1);
  expect(ended).toEqual(['T1 U1']);
  expect(logged.join()).not.toContain('looked up');
});

test('a form that came back is not put back over what is mended in it, however many were refused', async () => {
  const service = wordService();
  service.next(refused, refused);
  const kind = service.kind('ask', {
    rebuilt: async () => ({ type: 'modal', title: { type: 'plain_text', text: 'Form' }, blocks: [] }),
  });
  const { machine, said } = testMachine(database.db, kind);
  const form = { ...sentBy('hello', { origin: 'form' }), viewId: 'V1' };
  const on = await bringOn(machine, kind, [form, { ...form, item: 1 }]);
  if (typeof on !== 'string') await on.ended;
  const both = await rows();
  for (const row of both) await tell(machine, row);
  expect(said).toEqual(['V1: Form']);
  expect(await isTold()).toBe(true);
});
