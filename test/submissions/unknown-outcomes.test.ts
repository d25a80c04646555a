import { describe, expect, test } from 'vitest';
import type { OutcomeDetails } from '../../src/api/outcome.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createWordService, createWordSubmission } from '../support/word-submissions.ts';

const { readRows, readStates, createStopped, createRunning, submit } = setUpWords();

const timedOut: OutcomeDetails<never> = { kind: 'unknown', cause: 'timed-out' };

describe('after an unknown outcome', () => {
  test('a failed count of equal posts is repeated', async () => {
    const service = createWordService();
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

  test('a change that is safe to repeat is not sent again if there is a newer change to the same target', async () => {
    const service = createWordService();
    service.scriptCalls({ ending: timedOut });
    const kind = service.kind('repeat');
    const { context } = createStopped(kind);
    await submit(context, kind, createWordSubmission('hello'));
    await submit(context, kind, createWordSubmission('howdy'));
    createRunning(kind);
    await expect.poll(readStates).toEqual(['needs-person', 'confirmed']);
    expect(service.sentTexts).toEqual(['hello', 'howdy']);
  });
});
