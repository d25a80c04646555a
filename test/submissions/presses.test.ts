import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Permission } from '../../src/access/access.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import type { Machine } from '../../src/submissions/machine.ts';
import { applyDecision, findPressedRow } from '../../src/submissions/press.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { createTestMachine, type Word, wordService, wordSubmission } from '../support/sent-words.ts';

let database: BotDatabase;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(async () => {
  await database.db.deleteFrom('submission').execute();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => database.close());

const rows = () => database.db.selectFrom('submission').selectAll().orderBy('created_at').execute();
const states = async () => (await rows()).map(({ state }) => state);
const ana = { workspace: 'T1', user: 'U1', runsProject: () => false };

function startMachine(kind: SubmissionKind<Word>) {
  const permission: { now: Permission } = { now: 'yes' };
  const checkPermission = async () => permission.now;
  const created = createTestMachine(database.db, kind, {
    pace: { checkWaitsMs: [10, 10] },
    checkPermission,
  });
  created.submissions.start();
  stops.push(() => created.submissions.stop());
  return { ...created, permission };
}

async function send(machine: Machine, kind: SubmissionKind<Word>, submission = wordSubmission('hello')) {
  const saveResult = await saveAndSend(machine, kind, [submission]);
  if (typeof saveResult !== 'string') await saveResult.finalRows;
}

/** A post "hello" with an unknown outcome, whose author is asked. */
async function setUpQuestion(applied = false) {
  const service = wordService();
  service.next({ ending: { kind: 'unknown', cause: 'timed-out' }, applied: false });
  const kind = service.kind();
  const created = startMachine(kind);
  await send(created.machine, kind);
  await expect.poll(states).toEqual(['needs-person']);
  if (applied) service.stored.push('hello');
  const [row] = await rows();
  return { ...created, service, kind, id: row?.id ?? '' };
}

describe('a question to the author', () => {
  test('an author who checks again sends nothing', async () => {
    const { machine, service, id } = await setUpQuestion();
    expect(await applyDecision(machine, ana, id, 'check')).toMatchObject({
      note: expect.stringContaining('Not there (yet)'),
    });
    service.stored.push('hello');
    expect(await applyDecision(machine, ana, id, 'check')).toMatchObject({ row: { state: 'confirmed' } });
    expect(service.sent).toEqual(['hello']);
  });

  test('an author who presses the button several times sends the post again once', async () => {
    const { machine, service, id } = await setUpQuestion();
    await Promise.all([1, 2, 3].map(() => applyDecision(machine, ana, id, 'retry')));
    expect(await states()).toEqual(['confirmed']);
    expect(service.sent).toEqual(['hello', 'hello']);
  });

  test('an author cannot send a post again while the permission check fails, and nothing changes', async () => {
    const { machine, service, id, permission } = await setUpQuestion();
    permission.now = 'unknown';
    expect(await applyDecision(machine, ana, id, 'retry')).toEqual({ kind: 'not-checked' });
    expect(await states()).toEqual(['needs-person']);
    expect(service.sent).toEqual(['hello']);
  });

  test('a post is not sent again if the service has it now', async () => {
    const { machine, service, id } = await setUpQuestion(true);
    await applyDecision(machine, ana, id, 'retry');
    expect(await states()).toEqual(['confirmed']);
    expect(service.stored).toEqual(['hello']);
  });

  test('a post is not sent again if it reached the service while the service could not be checked', async () => {
    const { machine, service, id } = await setUpQuestion();
    service.list({ kind: 'not-applied', cause: 'connection-refused' });
    await applyDecision(machine, ana, id, 'retry');
    expect(await states()).toEqual(['retryable']);
    // The service may still apply the first one, so it can't be edited.
    expect(await findPressedRow(machine, ana, id, 'edit')).toMatchObject({ isApplicable: false });
    service.stored.push('hello');
    service.list(undefined);
    await expect.poll(states).toEqual(['confirmed']);
    expect(service.sent).toEqual(['hello']);
  });

  test('a post that its author discards is never sent', async () => {
    const { machine, service, id } = await setUpQuestion();
    await applyDecision(machine, ana, id, 'discard');
    expect(await states()).toEqual(['discarded']);
    expect(await applyDecision(machine, ana, id, 'retry')).toMatchObject({
      note: expect.stringContaining('moved on'),
    });
    expect(service.sent).toEqual(['hello']);
  });

  test('only the author or a manager of the project can decide, and nobody of another workspace', async () => {
    const { machine, id } = await setUpQuestion();
    const others = [
      { ...ana, user: 'U2' },
      { ...ana, workspace: 'T2' },
      { ...ana, workspace: 'T2', runsProject: () => true },
    ];
    for (const other of others)
      expect(await applyDecision(machine, other, id, 'discard')).toEqual({ kind: 'not-visible' });
    expect(await states()).toEqual(['needs-person']);
    await applyDecision(machine, { ...ana, user: 'U2', runsProject: () => true }, id, 'discard');
    expect(await states()).toEqual(['discarded']);
  });
});

describe('a post that certainly was not sent', () => {
  test('a waiting post can be edited, and the edited version replaces it', async () => {
    const service = wordService();
    service.next({ ending: { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 60_000 } });
    const kind = service.kind();
    const { machine } = startMachine(kind);
    await send(machine, kind);
    const [row] = await rows();
    expect(await findPressedRow(machine, ana, row?.id ?? '', 'edit')).toMatchObject({ isApplicable: true });
    // The breaker waits as long as the service asked.
    await Promise.all(
      [1, 2].map(() => send(machine, kind, wordSubmission('hello, changed', { origin: row?.id ?? '' }))),
    );
    expect((await rows()).map(({ state, reason }) => [state, reason])).toEqual([
      ['discarded', 'replaced'],
      ['retryable', null],
    ]);
    expect(await findPressedRow(machine, ana, row?.id ?? '', 'edit')).toMatchObject({
      row: { state: 'retryable' },
    });
  });

  test('a post in flight cannot be edited', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = startMachine(kind);
    await send(machine, kind);
    const [row] = await rows();
    await send(machine, kind, wordSubmission('changed', { origin: row?.id ?? '' }));
    expect(service.sent).toEqual(['hello']);
  });

  test('an overdue post can be saved as a draft', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = startMachine(kind);
    await send(machine, kind, wordSubmission('hello', { due: new Date(Date.now() - 1_000).toISOString() }));
    const [row] = await rows();
    expect(row).toMatchObject({ state: 'needs-person', reason: 'overdue' });
    expect(await applyDecision(machine, ana, row?.id ?? '', 'draft')).toMatchObject({
      row: { state: 'confirmed' },
    });
    expect(service.sent).toEqual(['hello']);
    expect(await states()).toEqual(['discarded', 'confirmed']);
  });
});
