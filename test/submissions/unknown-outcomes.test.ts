import { describe, expect, test } from 'vitest';
import type { Ending } from '../../src/api/outcome.ts';
import { wordService, wordSubmission } from '../support/sent-words.ts';
import { setUpWords } from '../support/set-up-words.ts';

const { rows, states, stopped, running, press } = setUpWords();

const timedOut: Ending<never> = { kind: 'unknown', cause: 'timed-out' };

describe('after an unknown outcome', () => {
  test('a post that the service has is found and not sent twice', async () => {
    const service = wordService();
    service.stored.push('hello');
    service.next({ ending: timedOut, applied: true });
    const kind = service.kind();
    const { machine, shown } = running(kind);
    expect(await press(machine, kind, wordSubmission('hello'))).toBe('unknown');
    await expect.poll(states).toEqual(['confirmed']);
    expect(service.sent).toEqual(['hello']);
    await expect.poll(() => shown).toEqual(['U1: hello is kept. The word hello. “hello”']);
  });

  test('an equal post that was there before does not count as this post', async () => {
    const service = wordService();
    service.stored.push('hello');
    service.next({ ending: timedOut });
    const kind = service.kind();
    const { machine, shown } = running(kind);
    await press(machine, kind, wordSubmission('hello'));
    await expect.poll(async () => (await rows()).map(({ reason }) => reason)).toEqual(['not-found']);
    expect(service.sent).toEqual(['hello']);
    await expect.poll(() => shown.join()).toContain('I could not find your word after 2 minutes.');
  });

  test('an equal post of somebody else waits until the first one has ended', async () => {
    const service = wordService();
    service.next({ ending: timedOut, applied: true });
    const kind = service.kind();
    const { machine } = running(kind);
    await press(machine, kind, wordSubmission('hello'));
    expect(await press(machine, kind, wordSubmission('hello', { author: 'U2' }))).toBe('saved');
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
    const { machine } = running(kind);
    await press(machine, kind, wordSubmission('hello'));
    await expect.poll(async () => (await rows())[0]?.state).toBe('reconciling');
    service.list(undefined);
    await expect.poll(states).toEqual(['confirmed']);
  });

  test('the author is asked about a submission that cannot be looked up, and it is never sent again automatically', async () => {
    const service = wordService();
    service.next({ ending: timedOut });
    const kind = service.kind('ask');
    const { machine } = running(kind);
    expect(await press(machine, kind, wordSubmission('hello'))).toBe('needs-person');
    expect((await rows())[0]?.reason).toBe('cannot-reconcile');
    expect(service.sent).toEqual(['hello']);
  });

  test('absolute values are sent again automatically', async () => {
    const service = wordService();
    service.next({ ending: timedOut, applied: true });
    const kind = service.kind('repeat');
    const { machine } = running(kind);
    await press(machine, kind, wordSubmission('hello'));
    await expect.poll(states).toEqual(['confirmed']);
    expect(service.sent).toEqual(['hello', 'hello']);
  });

  test('absolute values are not sent again if there is a newer change of the same target', async () => {
    const service = wordService();
    service.next({ ending: timedOut });
    const kind = service.kind('repeat');
    const { machine } = stopped(kind);
    await press(machine, kind, wordSubmission('hello'));
    await press(machine, kind, wordSubmission('howdy'));
    running(kind);
    await expect.poll(states).toEqual(['needs-person', 'confirmed']);
    expect(service.sent).toEqual(['hello', 'howdy']);
  });

  test('a 404 confirms a deletion, but only if it was tried before', async () => {
    const service = wordService();
    const gone: Ending<never> = { kind: 'refused', status: 404 };
    service.next({ ending: timedOut, applied: true }, { ending: gone }, { ending: gone });
    const kind = service.kind('repeat', { isDoneWhenGone: true });
    const { machine } = running(kind);
    await press(machine, kind, wordSubmission('hello'));
    await expect.poll(states).toEqual(['confirmed']);
    expect(await press(machine, kind, wordSubmission('never there'))).toBe('refused');
  });
});
