import type { WebClient } from '@slack/web-api';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { notifyAuthor } from '../../src/submissions/notify-author.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission, QUICK_PACE } from '../support/word-submissions.ts';

const words = setUpWords();
const { service, readRows } = words;

/** A Slack client that stores messages with their metadata. */
function createDirectMessageClient() {
  const messages: { text: string; ts: string; metadata?: unknown }[] = [];
  const client = {
    chat: { postMessage: async (message: { text: string }) => void messages.push({ ...message, ts: '1.0' }) },
    conversations: {
      open: async () => ({ channel: { id: 'D1' } }),
      history: async () => ({ messages }),
    },
  };
  return { messages, findSlackClient: async () => client as unknown as WebClient };
}

test('no more notifications are claimed than the limit, even if many of them hang', async () => {
  const MAX_IN_PROGRESS = 20;
  const kind = service.kind();
  let openCount = 0;
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  const postMessage = async () => {
    openCount += 1;
    await response;
  };
  const findSlackClient = async () => ({ chat: { postMessage } }) as unknown as WebClient;
  const { context, submissions } = words.createStopped(kind, {
    findSlackClient,
    pace: { notificationDelayMs: 30_000 },
  });
  const texts = Array.from({ length: 3 * MAX_IN_PROGRESS }, (_, index) => `word ${index}`);
  await words.submit(context, kind, ...texts.map((text) => createWordSubmission(text)));
  const due = new Date();
  await words.db.updateTable('submission').set({ notify_at: due, notifying_since: null }).execute();
  submissions.start();
  await expect.poll(() => openCount).toBe(MAX_IN_PROGRESS);
  // Scans continue meanwhile.
  await expect
    .poll(async () => (await readRows()).filter(({ notifying_since: since }) => since).length)
    .toBe(MAX_IN_PROGRESS);
  const laterTime = Date.now() + 5 * QUICK_PACE.scanIntervalMs;
  await expect.poll(() => Date.now()).toBeGreaterThan(laterTime);
  expect(openCount).toBe(MAX_IN_PROGRESS);
  expect((await readRows()).filter(({ notifying_since: since }) => since)).toHaveLength(MAX_IN_PROGRESS);
  respond();
  await expect.poll(isNotified).toBe(true);
  expect(openCount).toBe(3 * MAX_IN_PROGRESS);
  await submissions.stop();
});

test('an instance sends all notifications except for states that only a newer version knows', async () => {
  const kind = service.kind();
  const slack = createDirectMessageClient();
  const { context, submissions, logLines } = words.createStopped(kind, slack);
  await words.submit(context, kind, createWordSubmission('hello'), createWordSubmission('world'));
  const [firstRow] = await readRows();
  const since = new Date(Date.now() - 5_000);
  await words.db.updateTable('submission').set({ notify_at: since }).execute();
  await words.db
    .updateTable('submission')
    .set({ state: sql`'translated'` })
    .where('id', '=', firstRow?.id ?? '')
    .execute();
  submissions.start();
  await expect.poll(() => slack.messages).toHaveLength(1);
  await expect.poll(() => logLines.filter((line) => line.includes('excluded'))).toHaveLength(1);
  await submissions.stop();
  const [excludedRow] = (await readRows()).filter(({ state }) => String(state) === 'translated');
  expect(excludedRow?.notify_at).not.toBeNull();
});

const refusal = { ending: { kind: 'invalid', problems: [] } } as const;

const isNotified = async () =>
  (await readRows()).every((row) => row.notify_at === null && row.notified_at !== null);

/** Ends a process before or after it sends a notification, and starts the next process. Returns the messages. */
async function endWhileNotifying(crashPoint: 'after the message' | 'before the message') {
  const kind = service.kind();
  const slack = createDirectMessageClient();
  const firstInstance = words.createStopped(kind, slack);
  await words.submit(firstInstance.context, kind, createWordSubmission('hello'));
  firstInstance.submissions.start();
  await expect.poll(isNotified).toBe(true);
  await firstInstance.submissions.stop();
  if (crashPoint === 'before the message') slack.messages.length = 0;
  const since = new Date(Date.now() - 5_000);
  await words.db
    .updateTable('submission')
    .set({ notify_at: since, notifying_since: since, notified_at: null })
    .execute();
  const nextInstance = words.createStopped(kind, slack);
  nextInstance.submissions.start();
  await expect.poll(isNotified).toBe(true);
  await nextInstance.submissions.stop();
  return slack.messages;
}

test('an author who was notified right before a crash is not notified again', async () => {
  expect(await endWhileNotifying('after the message')).toHaveLength(1);
});

test('an author whose notification was prevented by a crash is notified by the next instance', async () => {
  const messages = await endWhileNotifying('before the message');
  expect(messages).toEqual([
    expect.objectContaining({ metadata: expect.objectContaining({ event_type: 'upnext_told' }) }),
  ]);
});

test('a notification that was never attempted is sent without a search in Slack', async () => {
  const kind = service.kind();
  const messages: string[] = [];
  const client = { chat: { postMessage: async ({ text }: { text: string }) => void messages.push(text) } };
  const endedActors: string[] = [];
  const { context, submissions, logLines } = words.createStopped(kind, {
    onAuthorNotified: ({ workspace, user }) => void endedActors.push(`${workspace} ${user}`),
    findSlackClient: async () => client as unknown as WebClient,
  });
  await words.submit(context, kind, createWordSubmission('hello'));
  submissions.start();
  await expect.poll(isNotified).toBe(true);
  await submissions.stop();
  expect(messages).toHaveLength(1);
  expect(endedActors).toEqual(['T1 U1']);
  expect(logLines.join()).not.toContain('could not look up');
});

test('a form that shows a refusal is not replaced while the author corrects the form', async () => {
  service.scriptCalls(refusal, refusal);
  const kind = service.kind('ask', {
    rebuildForm: async () => ({ type: 'modal', title: { type: 'plain_text', text: 'Form' }, blocks: [] }),
  });
  const { context, shownTexts } = words.createStopped(kind);
  const form = { ...createWordSubmission('hello', { origin: 'form' }), viewId: 'V1' };
  await words.submit(context, kind, form, { ...form, item: 1, content: { text: 'hello again' } });
  const formRows = await readRows();
  const attempt = { earlierSince: undefined, begin: async () => ({ mayBegin: () => true }) };
  for (const row of formRows) await notifyAuthor(context, row, attempt);
  expect(shownTexts).toEqual(['V1: Form']);
  expect(await isNotified()).toBe(true);
});
