import type { WebClient } from '@slack/web-api';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { notifyAuthor } from '../../src/submissions/notify-author.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { createTestMachine, QUICK, wordService, wordSubmission } from '../support/sent-words.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterEach(() => database.db.deleteFrom('submission').execute());
afterAll(() => database.close());

/** A Slack client that stores messages with their metadata. */
function createDirectMessageClient() {
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

test('if many notifications hang, no more than the limit are claimed', async () => {
  const MAX = 20;
  const service = wordService();
  const kind = service.kind();
  let openCount = 0;
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  const postMessage = async () => {
    openCount += 1;
    await response;
  };
  const slackFor = async () => ({ chat: { postMessage } }) as unknown as WebClient;
  const { machine, submissions } = createTestMachine(database.db, kind, {
    slackFor,
    pace: { notifyMs: 30_000 },
  });
  const saveResult = await saveAndSend(
    machine,
    kind,
    Array.from({ length: 3 * MAX }, (_, index) => wordSubmission(`word ${index}`)),
  );
  if (typeof saveResult !== 'string') await saveResult.finalRows;
  const due = new Date();
  await database.db.updateTable('submission').set({ notify_at: due, notifying_since: null }).execute();
  submissions.start();
  await expect.poll(() => openCount).toBe(MAX);
  // Scans continue meanwhile.
  await expect
    .poll(async () => (await rows()).filter(({ notifying_since: since }) => since).length)
    .toBe(MAX);
  const later = Date.now() + 5 * QUICK.scanMs;
  await expect.poll(() => Date.now()).toBeGreaterThan(later);
  expect(openCount).toBe(MAX);
  expect((await rows()).filter(({ notifying_since: since }) => since)).toHaveLength(MAX);
  respond();
  await expect.poll(isNotified).toBe(true);
  expect(openCount).toBe(3 * MAX);
  await submissions.stop();
});

test('an instance sends no notification for a state that only a newer version knows, but sends all others', async () => {
  const service = wordService();
  const kind = service.kind();
  const slack = createDirectMessageClient();
  const { machine, submissions, logged } = createTestMachine(database.db, kind, slack);
  const saveResult = await saveAndSend(machine, kind, [wordSubmission('hello'), wordSubmission('world')]);
  if (typeof saveResult !== 'string') await saveResult.finalRows;
  const [first] = await rows();
  const since = new Date(Date.now() - 5_000);
  await database.db.updateTable('submission').set({ notify_at: since }).execute();
  await database.db
    .updateTable('submission')
    .set({ state: sql`'translated'` })
    .where('id', '=', first?.id ?? '')
    .execute();
  submissions.start();
  await expect.poll(() => slack.messages).toHaveLength(1);
  await expect.poll(() => logged.filter((line) => line.includes('excluded'))).toHaveLength(1);
  await submissions.stop();
  const [excludedRow] = (await rows()).filter(({ state }) => String(state) === 'translated');
  expect(excludedRow?.notify_at).not.toBeNull();
});

const refusal = { ending: { kind: 'invalid', problems: [] } } as const;

const rows = () => database.db.selectFrom('submission').selectAll().execute();
const isNotified = async () =>
  (await rows()).every((row) => row.notify_at === null && row.notified_at !== null);

/** Ends one process before or after it sends a notification, and starts another one. Returns the messages. */
async function endWhileNotifying(crashPoint: 'after the message' | 'before the message') {
  const service = wordService();
  const kind = service.kind();
  const slack = createDirectMessageClient();
  const first = createTestMachine(database.db, kind, slack);
  const saveResult = await saveAndSend(first.machine, kind, [wordSubmission('hello')]);
  if (typeof saveResult !== 'string') await saveResult.finalRows;
  first.submissions.start();
  await expect.poll(isNotified).toBe(true);
  await first.submissions.stop();
  if (crashPoint === 'before the message') slack.messages.length = 0;
  const since = new Date(Date.now() - 5_000);
  await database.db
    .updateTable('submission')
    .set({ notify_at: since, notifying_since: since, notified_at: null })
    .execute();
  const next = createTestMachine(database.db, kind, slack);
  next.submissions.start();
  await expect.poll(isNotified).toBe(true);
  await next.submissions.stop();
  return slack.messages;
}

test('an author who was notified right before a crash is not notified again', async () => {
  expect(await endWhileNotifying('after the message')).toHaveLength(1);
});

test('an author whose notification was prevented by a crash is notified by the next instance', async () => {
  const messages = await endWhileNotifying('before the message');
  expect(messages).toEqual([
    expect.objectContaining({ metadata: expect.objectContaining({ event_type: 'submission_notification' }) }),
  ]);
});

test('a notification that was never attempted is sent without a search for it in Slack', async () => {
  const kind = wordService().kind();
  const messages: string[] = [];
  const client = { chat: { postMessage: async ({ text }: { text: string }) => void messages.push(text) } };
  const endedFor: string[] = [];
  const { machine, submissions, logged } = createTestMachine(database.db, kind, {
    onEnded: ({ workspace, user }) => void endedFor.push(`${workspace} ${user}`),
    slackFor: async () => client as unknown as WebClient,
  });
  const saveResult = await saveAndSend(machine, kind, [wordSubmission('hello')]);
  if (typeof saveResult !== 'string') await saveResult.finalRows;
  submissions.start();
  await expect.poll(isNotified).toBe(true);
  await submissions.stop();
  expect(messages).toHaveLength(1);
  expect(endedFor).toEqual(['T1 U1']);
  expect(logged.join()).not.toContain('could not look up');
});

test('a form that was opened again is not replaced while the author corrects it', async () => {
  const service = wordService();
  service.next(refusal, refusal);
  const kind = service.kind('ask', {
    rebuildForm: async () => ({ type: 'modal', title: { type: 'plain_text', text: 'Form' }, blocks: [] }),
  });
  const { machine, shown } = createTestMachine(database.db, kind);
  const form = { ...wordSubmission('hello', { origin: 'form' }), viewId: 'V1' };
  const saveResult = await saveAndSend(machine, kind, [form, { ...form, item: 1 }]);
  if (typeof saveResult !== 'string') await saveResult.finalRows;
  const both = await rows();
  for (const row of both) await notifyAuthor(machine, row);
  expect(shown).toEqual(['V1: Form']);
  expect(await isNotified()).toBe(true);
});
