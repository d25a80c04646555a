import { describe, expect, test } from 'vitest';
import type { OutcomeDetails } from '../../src/api/outcome.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordSubmission } from '../support/word-submissions.ts';

const { service, readRows, readStates, createStopped, createRunning, submit } = setUpWords();

const timedOut: OutcomeDetails<never> = { kind: 'unknown', cause: 'timed-out' };

describe('after an unknown outcome', () => {
  test('an equal post of another author waits until the outcome of the first post is known', async () => {
    service.scriptCalls({ ending: timedOut, applied: true });
    const kind = service.kind();
    const { context } = createRunning(kind);
    await submit(context, kind, createWordSubmission('hello'));
    expect(await submit(context, kind, createWordSubmission('hello', { author: 'U2' }))).toBe('saved');
    await expect.poll(readStates).toEqual(['confirmed', 'confirmed']);
    expect(service.storedTexts).toEqual(['hello', 'hello']);
  });

  test('a failed count of equal posts is repeated', async () => {
    const kind = service.kind('reconcile', {
      send: async () => {
        service.storedTexts.push('hello');
        service.setListOutcome(timedOut);
        return { ...timedOut, requestId: 'r' };
      },
    });
    const { context } = createRunning(kind);
    await submit(context, kind, createWordSubmission('hello'));
    await expect.poll(async () => (await readRows())[0]?.state).toBe('reconciling');
    service.setListOutcome(undefined);
    await expect.poll(readStates).toEqual(['confirmed']);
  });

  test('the author is asked about a submission that cannot be reconciled, and it is not sent again', async () => {
    service.scriptCalls({ ending: timedOut });
    const kind = service.kind('ask');
    const { context } = createRunning(kind);
    expect(await submit(context, kind, createWordSubmission('hello'))).toBe('needs-person');
    expect((await readRows())[0]?.reason).toBe('cannot-reconcile');
    expect(service.sentTexts).toEqual(['hello']);
  });

  test('a change that is safe to repeat is sent again automatically', async () => {
    service.scriptCalls({ ending: timedOut, applied: true });
    const kind = service.kind('repeat');
    const { context } = createRunning(kind);
    await submit(context, kind, createWordSubmission('hello'));
    await expect.poll(readStates).toEqual(['confirmed']);
    expect(service.sentTexts).toEqual(['hello', 'hello']);
  });

  test('a change that is safe to repeat is not sent again if there is a newer change to the same target', async () => {
    service.scriptCalls({ ending: timedOut });
    const kind = service.kind('repeat');
    const { context } = createStopped(kind);
    await submit(context, kind, createWordSubmission('hello'));
    await submit(context, kind, createWordSubmission('howdy'));
    createRunning(kind);
    await expect.poll(readStates).toEqual(['needs-person', 'confirmed']);
    expect(service.sentTexts).toEqual(['hello', 'howdy']);
  });

  test('a 404 confirms a deletion that was attempted before, and refuses a first attempt', async () => {
    const notFound: OutcomeDetails<never> = { kind: 'refused', status: 404 };
    service.scriptCalls({ ending: timedOut, applied: true }, { ending: notFound }, { ending: notFound });
    const kind = service.kind('repeat', { isDoneWhenNotFound: true });
    const { context } = createRunning(kind);
    await submit(context, kind, createWordSubmission('hello'));
    await expect.poll(readStates).toEqual(['confirmed']);
    expect(await submit(context, kind, createWordSubmission('never there'))).toBe('refused');
  });
});
