import { describe, expect, test } from 'vitest';
import type { Permission } from '../../src/access/access.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { applyDecision, findPressedRow } from '../../src/submissions/press.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission, type Word, wordAsPost } from '../support/word-submissions.ts';

const words = setUpWords();

const { service, readRows, readStates } = words;
const ana = { workspace: 'T1', user: 'U1', managesProject: () => false };

function startSubmissions(kind: SubmissionKind<Word>) {
  const permission: { current: Permission } = { current: 'yes' };
  const checkPermission = async () => permission.current;
  const instance = words.createRunning(kind, {
    pace: { reconcileDelaysMs: [10, 10] },
    checkPermission,
  });
  return { ...instance, permission };
}

/** Sends the post "hello" with an unknown outcome, and waits until its author is asked. */
async function setUpQuestion() {
  service.scriptCalls({ ending: { kind: 'unknown', cause: 'timed-out' }, applied: false });
  const kind = service.kind();
  const instance = startSubmissions(kind);
  await words.submit(instance.context, kind, createWordSubmission('hello'));
  await expect.poll(readStates).toEqual(['needs-person']);
  const [row] = await readRows();
  return { ...instance, service, kind, id: row?.id ?? '' };
}

describe('a question to the author', () => {
  test('[Retry now], from before the outcome was unknown, sends nothing again', async () => {
    const { context, service, id } = await setUpQuestion();
    expect(await applyDecision(context, ana, id, 'retry')).toMatchObject({ note: 'This has changed since.' });
    expect(await readStates()).toEqual(['needs-person']);
    expect(service.sentTexts).toEqual(['hello']);
  });

  test('an author cannot send a post again while the permission check fails, and nothing changes', async () => {
    const { context, service, id, permission } = await setUpQuestion();
    permission.current = 'unknown';
    expect(await applyDecision(context, ana, id, 'send-again')).toEqual({ kind: 'not-checked' });
    expect(await readStates()).toEqual(['needs-person']);
    expect(service.sentTexts).toEqual(['hello']);
  });

  test('a post is not sent again if it reached the service while the service could not be checked', async () => {
    const { context, service, id } = await setUpQuestion();
    service.setListOutcome({ kind: 'not-applied', cause: 'connection-refused' });
    await applyDecision(context, ana, id, 'send-again');
    expect(await readStates()).toEqual(['retryable']);
    // The service may still apply the first request, so the post can't be edited.
    expect(await findPressedRow(context, ana, id, 'edit')).toMatchObject({ hasButton: false });
    service.storedTexts.push('hello');
    service.setListOutcome(undefined);
    await expect.poll(readStates).toEqual(['confirmed']);
    expect(service.sentTexts).toEqual(['hello']);
  });

  test('a post that its author discards is never sent again', async () => {
    const { context, service, id } = await setUpQuestion();
    await applyDecision(context, ana, id, 'discard');
    expect(await readStates()).toEqual(['discarded']);
    expect(await applyDecision(context, ana, id, 'send-again')).toMatchObject({
      note: expect.stringContaining('changed since'),
    });
    expect(service.sentTexts).toEqual(['hello']);
  });

  test('only the author or a manager of the project can decide about a post, and nobody in another workspace can', async () => {
    const { context, id } = await setUpQuestion();
    const otherActors = [
      { ...ana, user: 'U2' },
      { ...ana, workspace: 'T2' },
      { ...ana, workspace: 'T2', managesProject: () => true },
    ];
    for (const actor of otherActors)
      expect(await applyDecision(context, actor, id, 'discard')).toEqual({ kind: 'not-visible' });
    expect(await readStates()).toEqual(['needs-person']);
    await applyDecision(context, { ...ana, user: 'U2', managesProject: () => true }, id, 'discard');
    expect(await readStates()).toEqual(['discarded']);
  });
});

describe('a post that certainly was not sent', () => {
  test('a waiting post can be edited, and the edited version replaces it', async () => {
    service.scriptCalls({ ending: { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 60_000 } });
    const kind = service.kind();
    const { context } = startSubmissions(kind);
    await words.submit(context, kind, createWordSubmission('hello'));
    const [row] = await readRows();
    expect(await findPressedRow(context, ana, row?.id ?? '', 'edit')).toMatchObject({ hasButton: true });
    // The circuit breaker waits for the time that the service requested.
    await Promise.all(
      [1, 2].map(() =>
        words.submit(context, kind, createWordSubmission('hello, changed', { origin: row?.id ?? '' })),
      ),
    );
    expect((await readRows()).map(({ state, reason }) => [state, reason])).toEqual([
      ['discarded', 'replaced'],
      ['retryable', null],
    ]);
    expect(await findPressedRow(context, ana, row?.id ?? '', 'edit')).toMatchObject({
      row: { state: 'retryable' },
    });
  });

  test('a post in flight cannot be edited', async () => {
    const kind = service.kind();
    const { context } = startSubmissions(kind);
    await words.submit(context, kind, createWordSubmission('hello'));
    const [row] = await readRows();
    await words.submit(context, kind, createWordSubmission('changed', { origin: row?.id ?? '' }));
    expect(service.sentTexts).toEqual(['hello']);
  });

  test('an overdue post can be saved as a draft', async () => {
    const kind = service.kind('reconcile', { post: wordAsPost });
    const { context } = startSubmissions(kind);
    await words.submit(
      context,
      kind,
      createWordSubmission('hello', { due: new Date(Date.now() - 1_000).toISOString() }),
    );
    const [row] = await readRows();
    expect(row).toMatchObject({ state: 'needs-person', reason: 'overdue' });
    expect(await applyDecision(context, ana, row?.id ?? '', 'draft')).toMatchObject({
      row: { state: 'confirmed' },
    });
    expect(service.sentTexts).toEqual(['hello']);
    expect(await readStates()).toEqual(['discarded', 'confirmed']);
  });
});
