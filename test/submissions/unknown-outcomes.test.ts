import { describe, expect, test } from 'vitest';
import type { Ending } from '../../src/api/outcome.ts';
import { wordService, wordSubmission } from '../support/sent-words.ts';
import { setUpWords } from '../support/set-up-words.ts';

const { rows, states, stopped: createStopped, running: createRunning, press: submit } = setUpWords();

const timedOut: Ending<never> = { kind: 'unknown', cause: 'timed-out' };

describe('after an unknown outcome', () => {
  test('a post that the service has is found and not sent twice', async () => {
    const service = wordService();
    service.stored.push('hello');
    service.next({ ending: timedOut, applied: true });
    const kind = service.kind();
    const { machine, shown } = createRunning(kind);
    expect(await submit(machine, kind, wordSubmission('hello'))).toBe('unknown');
    await expect.poll(states).toEqual(['confirmed']);
    expect(service.sent).toEqual(['hello']);
    await expect.poll(() => shown).toEqual(['U1: hello is kept. The word hello. “hello”']);
  });

  test('an equal post that the service had before does not count as this post', async () => {
    const service = wordService();
    service.stored.push('hello');
    service.next({ ending: timedOut });
    const kind = service.kind();
    const { machine, shown } = createRunning(kind);
    await submit(machine, kind, wordSubmission('hello'));
    await expect.poll(async () => (await rows()).map(({ reason }) => reason)).toEqual(['not-found']);
    expect(service.sent).toEqual(['hello']);
    await expect.poll(() => shown.join()).toContain('I could not find your word after 2 minutes.');
  });

  test('an equal post of another author waits until the first post has ended', async () => {
    const service = wordService();
    service.next({ ending: timedOut, applied: true });
    const kind = service.kind();
    const { machine } = createRunning(kind);
    await submit(machine, kind, wordSubmission('hello'));
    expect(await submit(machine, kind, wordSubmission('hello', { author: 'U2' }))).toBe('saved');
    await expect.poll(states).toEqual(['confirmed', 'confirmed']);
    expect(service.stored).toEqual(['hello', 'hello']);
  });

  test('failed counts are repeated', async () => {
    const service = wordService();
    const kind = service.kind('reconcile', {
      send: async () => {
        service.stored.push('hello');
        service.list(timedOut);
        return { ...timedOut, requestId: 'r' };
      },
    });
    const { machine } = createRunning(kind);
    await submit(machine, kind, wordSubmission('hello'));
    await expect.poll(async () => (await rows())[0]?.state).toBe('reconciling');
    service.list(undefined);
    await expect.poll(states).toEqual(['confirmed']);
  });

  test('the author is asked about a submission that cannot be reconciled, and it is never sent again automatically', async () => {
    const service = wordService();
    service.next({ ending: timedOut });
    const kind = service.kind('ask');
    const { machine } = createRunning(kind);
    expect(await submit(machine, kind, wordSubmission('hello'))).toBe('needs-person');
    expect((await rows())[0]?.reason).toBe('cannot-reconcile');
    expect(service.sent).toEqual(['hello']);
  });

  test('absolute values are sent again automatically', async () => {
    const service = wordService();
    service.next({ ending: timedOut, applied: true });
    const kind = service.kind('repeat');
    const { machine } = createRunning(kind);
    await submit(machine, kind, wordSubmission('hello'));
    await expect.poll(states).toEqual(['confirmed']);
    expect(service.sent).toEqual(['hello', 'hello']);
  });

  test('absolute values are not sent again if there is a newer change to the same target', async () => {
    const service = wordService();
    service.next({ ending: timedOut });
    const kind = service.kind('repeat');
    const { machine } = createStopped(kind);
    await submit(machine, kind, wordSubmission('hello'));
    await submit(machine, kind, wordSubmission('howdy'));
    createRunning(kind);
    await expect.poll(states).toEqual(['needs-person', 'confirmed']);
    expect(service.sent).toEqual(['hello', 'howdy']);
  });

  test('a 404 confirms a deletion only if the deletion was attempted before', async () => {
    const service = wordService();
    const notFound: Ending<never> = { kind: 'refused', status: 404 };
    service.next({ ending: timedOut, applied: true }, { ending: notFound }, { ending: notFound });
    const kind = service.kind('repeat', { isDoneWhenGone: true });
    const { machine } = createRunning(kind);
    await submit(machine, kind, wordSubmission('hello'));
    await expect.poll(states).toEqual(['confirmed']);
    expect(await submit(machine, kind, wordSubmission('never there'))).toBe('refused');
  });
});
