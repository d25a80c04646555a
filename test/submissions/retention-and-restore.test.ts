import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { restoreDeliveries } from '../../src/delivery/sql/bulk-transitions.ts';
import { purgeDeliveries } from '../../src/delivery/sql/purge.ts';
import { createSubmissionDefinition } from '../../src/submissions/definition.ts';
import { SUBMISSIONS } from '../../src/submissions/deliveries.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import type { Machine } from '../../src/submissions/machine.ts';
import { applyDecision } from '../../src/submissions/press.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { renderSubmission } from '../../src/submissions/text/render-submission.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { createTestMachine, type Word, wordService, wordSubmission } from '../support/sent-words.ts';

let database: BotDatabase;

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom('submission').execute();
});
afterAll(() => database.close());

const rows = () => database.db.selectFrom('submission').selectAll().orderBy('created_at').execute();

async function send(
  machine: Machine,
  kind: SubmissionKind<Word>,
  submission: ReturnType<typeof wordSubmission>,
) {
  const saveResult = await saveAndSend(machine, kind, [submission]);
  if (typeof saveResult !== 'string') await saveResult.finalRows;
}

const DAY = 24 * 60 * 60 * 1000;

/** Runs the purge as of this many days from now. Returns the number of purged submissions. */
function purge(machine: Machine, days: number): Promise<number> {
  const definition = createSubmissionDefinition(() => machine, { compareClocks: async () => undefined });
  return purgeDeliveries(database.db, definition, new Date(Date.now() + days * DAY));
}

test('content is purged 30 days after a submission has ended, and its author stays known', async () => {
  const service = wordService();
  const kind = service.kind('reconcile', { parseResult: () => 'word_1' });
  const { machine, submissions } = createTestMachine(database.db, kind);
  await send(machine, kind, wordSubmission('hello'));
  expect(await purge(machine, 29)).toBe(0);
  expect(await submissions.listConfirmed(kind, { workspace: 'T1', project: 'p1' })).toEqual([
    { result: 'word_1', content: { text: 'hello' } },
  ]);
  expect(await purge(machine, 31)).toBe(1);
  expect(await purge(machine, 32)).toBe(0);
  expect((await rows())[0]).toMatchObject({ content: null, state: 'confirmed' });
  expect(await submissions.findAuthor({ workspace: 'T1', kind: 'word', result: 'word_1' })).toBe('U1');
});

test('the summary of a submission outlives its content', async () => {
  const service = wordService();
  const kind = service.kind('reconcile', {
    parseResult: () => 'word_1',
    summarize: ({ text }) => ({ text: text.slice(0, 1) }),
  });
  const { machine, submissions } = createTestMachine(database.db, kind);
  await send(machine, kind, wordSubmission('hello'));
  await send(machine, kind, wordSubmission('encrypted with a lost key'));
  await database.db
    .updateTable('submission')
    .set({ content: 'v1:lost:AAAA' })
    .where('id', '=', (await rows())[1]?.id ?? '')
    .execute();
  const scope = { workspace: 'T1', project: 'p1' };
  expect(await submissions.listConfirmed(kind, scope)).toEqual([
    { result: 'word_1', content: { text: 'hello' } },
  ]);
  expect(await purge(machine, 31)).toBe(2);
  expect((await rows()).map(({ content }) => content)).toEqual([null, null]);
  expect(JSON.stringify(await rows())).not.toContain('hello');
  expect(await submissions.listConfirmed(kind, scope)).toEqual([
    { result: 'word_1', content: { text: 'h' } },
  ]);
});

test('a submission that waits for its author is never purged', async () => {
  const service = wordService();
  service.next({ ending: { kind: 'unknown', cause: 'timed-out' } });
  const kind = service.kind('ask');
  const { machine } = createTestMachine(database.db, kind);
  await send(machine, kind, wordSubmission('hello'));
  expect(await purge(machine, 400)).toBe(0);
});

test('the author is found by the content, unless two people sent the same content, and never in another workspace', async () => {
  const service = wordService();
  const kind = service.kind();
  const { machine, submissions } = createTestMachine(database.db, kind);
  await send(machine, kind, wordSubmission('hello'));
  const equal = { project: 'p1', fingerprint: 'hello' };
  expect(await submissions.findAuthor({ workspace: 'T1', kind: 'word', equal })).toBe('U1');
  expect(await submissions.findAuthor({ workspace: 'T2', kind: 'word', equal })).toBeUndefined();
  await send(machine, kind, wordSubmission('hello', { author: 'U2' }));
  expect(await submissions.findAuthor({ workspace: 'T1', kind: 'word', equal })).toBeUndefined();
});

test('after a backup is restored, submissions are reconciled, and authors are asked about overdue submissions', async () => {
  const service = wordService();
  const unavailable = {
    ending: { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 60_000 } as const,
  };
  service.next(unavailable, unavailable);
  const kind = service.kind();
  const { machine } = createTestMachine(database.db, kind);
  await send(machine, kind, wordSubmission('sent since'));
  const due = new Date(Date.now() + 60_000).toISOString();
  await send(createTestMachine(database.db, kind).machine, kind, wordSubmission('past since', { due }));
  service.stored.push('sent since');
  const restored = await restoreDeliveries(database.db, SUBMISSIONS, new Date(Date.now() + 120_000));
  expect(restored).toEqual({ unknown: 1, 'needs-person': 1 });
  const sentBefore = service.sent.length;
  const later = createTestMachine(database.db, kind, { clock: () => new Date(Date.now() + 120_000) });
  later.submissions.start();
  await expect
    .poll(async () => (await rows()).map(({ state, reason }) => [state, reason]))
    .toEqual([
      ['confirmed', null],
      ['needs-person', 'restored'],
    ]);
  await later.submissions.stop();
  expect(service.sent).toHaveLength(sentBefore);
});

test('a submission that was given up before a restored backup is reconciled before it is sent again', async () => {
  const service = wordService();
  service.next({ ending: { kind: 'not-applied', cause: 'connection-refused' } });
  const kind = service.kind();
  const first = createTestMachine(database.db, kind, { pace: { giveUpMs: 1 } });
  await send(first.machine, kind, wordSubmission('hello'));
  first.submissions.start();
  await expect.poll(async () => (await rows()).map(({ state }) => state)).toEqual(['gave-up']);
  await first.submissions.stop();
  await restoreDeliveries(database.db, SUBMISSIONS, new Date());
  service.stored.push('hello');
  const { machine } = createTestMachine(database.db, kind);
  const [row] = await rows();
  const actor = { workspace: 'T1', user: 'U1', runsProject: () => false };
  const pressed = await applyDecision(machine, actor, row?.id ?? '', 'retry');
  expect(pressed).toMatchObject({ kind: 'current', row: { state: 'needs-person', reason: 'equal-found' } });
  expect(service.sent).toEqual([]);
});

test('a submission that was refused before a restored backup is reconciled before its correction is sent', async () => {
  const service = wordService();
  service.next({ ending: { kind: 'invalid', problems: [] } });
  const kind = service.kind();
  const { machine } = createTestMachine(database.db, kind);
  const form = wordSubmission('helo', { origin: 'form' });
  await send(machine, kind, form);
  await restoreDeliveries(database.db, SUBMISSIONS, new Date());
  service.stored.push('hello');
  await send(machine, kind, { ...form, content: { text: 'hello' } });
  expect((await rows()).map(({ state, reason }) => [state, reason])).toEqual([
    ['discarded', 'replaced'],
    ['needs-person', 'equal-found'],
  ]);
  expect(service.stored).toEqual(['hello']);
});

test('absolute values are not sent again after a backup is restored', async () => {
  const service = wordService();
  service.next({ ending: { kind: 'unknown', cause: 'timed-out' } });
  const kind = service.kind('repeat');
  const { machine } = createTestMachine(database.db, kind);
  await send(machine, kind, wordSubmission('hello'));
  await restoreDeliveries(database.db, SUBMISSIONS, new Date());
  const { submissions } = createTestMachine(database.db, kind);
  submissions.start();
  await expect.poll(async () => (await rows()).map(({ reason }) => reason)).toEqual(['restored']);
  await expect.poll(async () => (await rows()).map(({ state }) => state)).toEqual(['needs-person']);
  await submissions.stop();
  expect(service.sent).toEqual(['hello']);
});

test('a submission that cannot be decrypted stays unchanged and does not block others', async () => {
  const service = wordService();
  const unavailable = { ending: { kind: 'not-applied', cause: 'connection-refused' } as const };
  service.next(unavailable, unavailable);
  const kind = service.kind();
  const { machine, submissions, logged } = createTestMachine(database.db, kind, {
    pace: { probeMs: 60_000 },
  });
  await send(machine, kind, wordSubmission('encrypted with a lost key'));
  const undecryptable = 'v1:lost:AAAA';
  await database.db
    .updateTable('submission')
    .set({ content: undecryptable, refusal: undecryptable })
    .execute();
  await send(machine, kind, wordSubmission('hello'));
  submissions.start();
  await expect.poll(async () => (await rows()).map(({ state }) => state)).toEqual(['retryable', 'confirmed']);
  await expect.poll(() => logged.join()).toContain('could not read the content of a submission');
  await submissions.stop();
  const [row] = await rows();
  expect(row && renderSubmission(machine, row, { now: new Date(), isEmulated: false }).title).toBe(
    'Your word',
  );
});
