import { expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { resumeSending, stopSending } from '../../src/engine/sending-stop.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordService, createWordSubmission } from '../support/word-submissions.ts';

/** The INSERT of a submission takes the lock for equal posts, so that they are counted and sent one after the other. */

const words = setUpWords();

const readLocks = async () => (await words.readRows()).map(({ author, locked }) => [author, locked]);

/** Starts an instance whose first call to the service ends once `firstCall` is resolved. */
function startWithSlowFirstCall() {
  const service = createWordService();
  const firstCall = Promise.withResolvers<void>();
  const kind = service.kind('reconcile');
  const { context } = words.createRunning({
    ...kind,
    async send(api, content) {
      if (service.sentTexts.length === 0) await firstCall.promise;
      return kind.send(api, content);
    },
  });
  return { service, kind, context, firstCall };
}

test('an equal submission of somebody else waits for the first one, and then both are sent', async () => {
  const { service, kind, context, firstCall } = startWithSlowFirstCall();
  const first = words.submit(context, kind, createWordSubmission('hello', { author: 'U1' }));
  await expect.poll(words.readStates).toEqual(['sending']);
  expect(await words.submit(context, kind, createWordSubmission('hello', { author: 'U2' }))).toBe('saved');
  expect(await readLocks()).toEqual([
    ['U1', true],
    ['U2', false],
  ]);
  firstCall.resolve();
  expect(await first).toBe('confirmed');
  await expect.poll(words.readStates).toEqual(['confirmed', 'confirmed']);
  expect(service.storedTexts).toEqual(['hello', 'hello']);
  expect(await readLocks()).toEqual([
    ['U1', false],
    ['U2', false],
  ]);
});

test('two equal submissions of different authors at the same moment are both saved and sent', async () => {
  const service = createWordService();
  const kind = service.kind('reconcile');
  const { context } = words.createRunning(kind);
  await Promise.all(
    ['U1', 'U2'].map((author) => words.submit(context, kind, createWordSubmission('hello', { author }))),
  );
  await expect.poll(words.readStates).toEqual(['confirmed', 'confirmed']);
  expect(service.storedTexts).toEqual(['hello', 'hello']);
});

for (const strategy of ['reconcile', 'ask'] as const) {
  test(`the same submission of one author in two forms at the same moment is sent once (${strategy})`, async () => {
    const service = createWordService();
    const kind = service.kind(strategy);
    const { context } = words.createRunning(kind);
    await Promise.all(
      ['form 1', 'form 2', 'form 3'].map((origin) =>
        words.submit(context, kind, createWordSubmission('hello', { author: 'U1', origin })),
      ),
    );
    await expect.poll(words.readStates).toEqual(['confirmed']);
    expect(service.sentTexts).toEqual(['hello']);
  });
}

test('while somebody else’s equal submission has the lock, two equal forms of one author are one', async () => {
  const { service, kind, context, firstCall } = startWithSlowFirstCall();
  const first = words.submit(context, kind, createWordSubmission('hello', { author: 'U2' }));
  await expect.poll(words.readStates).toEqual(['sending']);
  await Promise.all(
    ['form 1', 'form 2'].map((origin) =>
      words.submit(context, kind, createWordSubmission('hello', { author: 'U1', origin })),
    ),
  );
  firstCall.resolve();
  await first;
  await expect.poll(words.readStates).toEqual(['confirmed', 'confirmed']);
  expect(service.sentTexts).toEqual(['hello', 'hello']);
});

test('two equal forms of one author are one, although the second waited minutes for a frozen instance', async () => {
  const service = createWordService();
  const kind = service.kind('reconcile');
  const { context } = words.createRunning(kind);
  const sentAt = new Date(context.clock.readShared().getTime() - 3 * 60_000);
  const submit = (origin: string) =>
    words.submit(context, kind, createWordSubmission('hello', { author: 'U1', origin, sentAt }));
  await submit('form 1');
  await words.db.updateTable('submission').set({ notified_at: sentAt }).execute();
  await submit('form 2');
  expect(service.sentTexts).toEqual(['hello']);
});

test('two forms with the same times at the same moment, in another order, are sent once', async () => {
  const service = createWordService();
  const kind = service.kind('reconcile');
  const { context } = words.createRunning(kind);
  const form = (origin: string, texts: readonly string[]) =>
    texts.map((text, item) => ({ ...createWordSubmission(text, { author: 'U1', origin }), item }));
  await Promise.all([
    saveAndSend(context, kind, form('form 1', ['one', 'two', 'three'])),
    saveAndSend(context, kind, form('form 2', ['three', 'two', 'one'])),
  ]);
  await expect.poll(words.readStates).toEqual(['confirmed', 'confirmed', 'confirmed']);
  expect(service.sentTexts.toSorted()).toEqual(['one', 'three', 'two']);
});

test('a submission that has to wait frees the lock', async () => {
  const service = createWordService();
  const kind = service.kind('reconcile');
  const { context } = words.createRunning(kind, { pace: { probeIntervalMs: 60_000 } });
  await stopSending(words.db, { reason: '', since: new Date() });
  expect(await words.submit(context, kind, createWordSubmission('hello'))).toBe('retryable');
  expect(await readLocks()).toEqual([['U1', false]]);
  await resumeSending(words.db, CAPABILITIES, new Date());
});

test('a submission whose instance ended right after the INSERT is sent by the next one, with the same lock', async () => {
  const service = createWordService();
  const kind = service.kind('reconcile');
  const killed = words.createStopped(kind, {
    pace: {
      leaseMs: 100,
      onCrashPoint: (point) => (point === 'after-row' ? new Promise(() => {}) : undefined),
    },
  });
  void words.submit(killed.context, kind, createWordSubmission('hello'));
  await expect.poll(readLocks).toEqual([['U1', true]]);
  words.createRunning(kind, {
    encryption: killed.context.encryption,
    findApiClient: killed.context.findApiClient,
  });
  await expect.poll(words.readStates).toEqual(['confirmed']);
  expect(service.storedTexts).toEqual(['hello']);
});

test('cleared notifications share a statement, which skips those that have changed since', async () => {
  const kind = createWordService().kind('reconcile');
  const { context } = words.createStopped(kind);
  for (const text of ['one', 'two', 'three']) await words.submit(context, kind, createWordSubmission(text));
  const rows = await words.readRows();
  const pendingTimes = rows.flatMap(({ id, notify_at }) => (notify_at ? [{ id, notifyAt: notify_at }] : []));
  expect(pendingTimes).toHaveLength(3);
  const changedId = pendingTimes[1]?.id ?? '';
  const later = new Date(Date.now() + 3_600_000);
  await words.db.updateTable('submission').set({ notify_at: later }).where('id', '=', changedId).execute();
  await Promise.all(
    pendingTimes.map(({ id, notifyAt }) => context.clearNotification({ ids: [id], notifyAt })),
  );
  const pendingRows = (await words.readRows()).filter(({ notify_at }) => notify_at !== null);
  expect(pendingRows.map(({ id, notified_at }) => [id, notified_at])).toEqual([[changedId, null]]);
});
