import { describe, expect, test } from 'vitest';
import type { Permission } from '../../src/access/access.ts';
import type { Ending } from '../../src/api/outcome.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { getRule } from '../../src/submissions/state-copy.ts';
import { sentBy, wordService } from '../support/sent-words.ts';
import { setUpWords } from '../support/set-up-words.ts';

const words = setUpWords();
const { rows, states, stopped, running, press } = words;

const invalid: Ending<unknown> = {
  kind: 'invalid',
  problems: [{ field: 'Content', loc: ['body', 'Content'], message: 'is too loud', type: 't' }],
};
const timedOut: Ending<never> = { kind: 'unknown', cause: 'timed-out' };
const refusedConnection: Ending<never> = { kind: 'not-applied', cause: 'connection-refused' };

describe('the first attempt', () => {
  test('the row is `sending` before the call and `confirmed` after it', async () => {
    const service = wordService();
    const seen: string[] = [];
    const kind = service.kind('reconcile', {
      send: async () => {
        seen.push(...(await states()));
        return { kind: 'done', data: null, requestId: 'r' };
      },
    });
    const { machine } = running(kind);
    expect(await press(machine, kind, sentBy('hello'))).toBe('confirmed');
    expect(seen).toEqual(['sending']);
  });

  test('no column contains the text, or anything from which it could be guessed', async () => {
    const service = wordService();
    service.next({ ending: invalid });
    const kind = service.kind();
    const { machine } = running(kind);
    await press(machine, kind, sentBy('a secret plan'));
    expect(JSON.stringify(await rows())).not.toMatch(/secret plan|loud/);
    const [row] = await rows();
    const other = stopped(kind, { apiFor: machine.apiFor });
    const of = { workspace: 'T1', kind: 'word', project: 'p1' };
    expect([row?.fingerprint]).toEqual(await other.submissions.computeFingerprints(of, ['a secret plan']));
  });

  test('twenty submissions of one form are sent once, and all get the same answer', async () => {
    const service = wordService();
    const kind = service.kind();
    // Longer than a busy machine takes, because followers wait until the lease ends.
    const { machine } = running(kind, { pace: { leaseMs: 20_000 } });
    const one = sentBy('hello');
    const ends = await Promise.all(Array.from({ length: 20 }, () => press(machine, kind, one)));
    expect(service.sent).toEqual(['hello']);
    expect(new Set(ends)).toEqual(new Set(['confirmed']));
  });

  test('several moments of one form are separate submissions with separate outcomes', async () => {
    const service = wordService();
    service.next({ ending: { kind: 'done', data: null } }, { ending: invalid });
    const kind = service.kind();
    const { machine } = running(kind);
    const first = sentBy('one');
    const on = await saveAndSend(machine, kind, [first, { ...sentBy('two'), origin: first.origin, item: 1 }]);
    const ended = typeof on === 'string' ? [] : await on.finalRows;
    expect(ended.map(({ state }) => state).sort()).toEqual(['confirmed', 'refused']);
  });

  test('after a refusal the same form sends its next revision, and the refused one is discarded', async () => {
    const service = wordService();
    service.next({ ending: invalid });
    const kind = service.kind();
    const { machine } = running(kind);
    const one = sentBy('too loud');
    expect(await press(machine, kind, one)).toBe('refused');
    expect(await press(machine, kind, { ...one, content: { text: 'quiet' } })).toBe('confirmed');
    expect(service.sent).toEqual(['too loud', 'quiet']);
    expect((await rows()).map(({ revision, state, reason }) => [revision, state, reason])).toEqual([
      [0, 'discarded', 'replaced'],
      [1, 'confirmed', null],
    ]);
  });

  test('submitting a confirmed form again sends nothing, whatever was typed meanwhile', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = running(kind);
    const one = sentBy('first');
    await press(machine, kind, one);
    expect(await press(machine, kind, { ...one, content: { text: 'changed' } })).toBe('confirmed');
    expect(service.sent).toEqual(['first']);
  });

  test('if the database does not answer in time, the form is not saved and never sent', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = stopped(kind, { pace: { saveMs: 50 } });
    const { promise: busy, resolve: free } = Promise.withResolvers<void>();
    const holding = words.db.transaction().execute(() => busy);
    expect(await press(machine, kind, sentBy('first'))).toBe('not-saved');
    free();
    await holding;
    await expect.poll(rows).toEqual([]);
    expect(service.sent).toEqual([]);
  });
});

describe('when the service certainly does not have it', () => {
  test('it is retried until it succeeds', async () => {
    const service = wordService();
    const down = { ending: refusedConnection };
    service.next(down, down, down);
    const kind = service.kind();
    const { machine, said } = running(kind);
    expect(await press(machine, kind, sentBy('hello'))).toBe('retryable');
    await expect.poll(states).toEqual(['confirmed']);
    expect(service.kept).toEqual(['hello']);
    await expect.poll(() => said).toHaveLength(1);
  });

  test('it is given up in the end, the text is still stored, and the author is notified', async () => {
    const service = wordService();
    const kind = service.kind('reconcile', {
      send: async () => ({ ...refusedConnection, requestId: 'r' }),
    });
    const { machine, said } = running(kind, { pace: { giveUpMs: 200 } });
    await press(machine, kind, sentBy('hello'));
    await expect.poll(states).toEqual(['gave-up']);
    expect((await rows())[0]?.content).not.toBeNull();
    await expect.poll(() => said.join()).toContain('could not be reached for 24 hours');
  });

  test('an overdue post is never sent', async () => {
    const service = wordService();
    service.next({ ending: { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 300 } });
    const kind = service.kind();
    const { machine, said } = running(kind);
    const due = new Date(Date.now() + 200).toISOString();
    expect(await press(machine, kind, sentBy('hello', { due }))).toBe('retryable');
    await expect
      .poll(async () => (await rows()).map(({ state, reason }) => [state, reason]))
      .toEqual([['needs-person', 'overdue']]);
    expect(service.sent).toEqual(['hello']);
    await expect.poll(() => said.join()).toContain('Its moment has passed');
  });

  test('an author who lost the permission is notified, and nothing is sent', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = running(kind, { checkPermission: async () => 'no' });
    expect(await press(machine, kind, sentBy('hello'))).toBe('needs-person');
    expect(service.sent).toEqual([]);
  });

  test('a submission whose step keeps failing is set aside, and others continue', async () => {
    const service = wordService();
    const kind = service.kind('reconcile', {
      getRole: ({ text }) => {
        if (text === 'bad') throw new TypeError('a fault of ours');
        return 'contributor';
      },
    });
    const { machine, logged } = running(kind, { pace: { leaseMs: 60 } });
    await press(machine, kind, sentBy('bad'));
    await expect.poll(() => logged.filter((line) => line.includes('excluded'))).toHaveLength(1);
    expect(await press(machine, kind, sentBy('good'))).toBe('confirmed');
    const failures = () => logged.filter((line) => line.includes('step of a delivery failed')).length;
    const before = failures();
    await press(machine, kind, sentBy('better'));
    expect(failures()).toBe(before);
    expect(await states()).toEqual(['saved', 'confirmed', 'confirmed']);
  });

  test('while the permission check fails, it waits, and it is sent when the check works again', async () => {
    const service = wordService();
    const kind = service.kind();
    let answer: Permission = 'unknown';
    const { machine } = running(kind, { checkPermission: async () => answer });
    expect(await press(machine, kind, sentBy('hello'))).toBe('retryable');
    expect((await rows()).map((row) => getRule(row).text)).toEqual([
      "Saved. I couldn't check your permissions; I'll keep trying.",
    ]);
    expect(service.sent).toEqual([]);
    answer = 'yes';
    await expect.poll(states).toEqual(['confirmed']);
    expect(service.sent).toEqual(['hello']);
  });

  test('a repeated submission also waits while the permission check fails', async () => {
    const service = wordService();
    service.next({ ending: timedOut });
    const kind = service.kind('repeat');
    let canCheck = false;
    const may = async () => (service.sent.length === 0 || canCheck ? 'yes' : 'unknown');
    const { machine } = running(kind, { checkPermission: may });
    await press(machine, kind, sentBy('hello'));
    await expect
      .poll(async () => (await rows()).map(({ state, reason }) => [state, reason]))
      .toEqual([['unknown', 'repeat-not-checked']]);
    canCheck = true;
    await expect.poll(states).toEqual(['confirmed']);
  });

  test('after a day of failed permission checks, the author reads that reason', async () => {
    const kind = wordService().kind();
    const { machine, said } = running(kind, {
      checkPermission: async () => 'unknown',
      pace: { giveUpMs: 200 },
    });
    await press(machine, kind, sentBy('hello'));
    await expect.poll(states).toEqual(['gave-up']);
    await expect.poll(() => said.join()).toContain("I couldn't check your permissions for 24 hours");
  });
});
