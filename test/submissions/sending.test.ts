import { describe, expect, test } from 'vitest';
import type { Permission } from '../../src/access/access.ts';
import type { Ending } from '../../src/api/outcome.ts';
import { saveAndSend } from '../../src/submissions/save-and-send.ts';
import { getRule } from '../../src/submissions/state-copy.ts';
import { wordService, wordSubmission } from '../support/sent-words.ts';
import { setUpWords } from '../support/set-up-words.ts';

const wordMachines = setUpWords();
const { rows, states, stopped: createStopped, running: createRunning, press: submit } = wordMachines;

const invalid: Ending<unknown> = {
  kind: 'invalid',
  problems: [{ field: 'Content', loc: ['body', 'Content'], message: 'is too loud', type: 't' }],
};
const timedOut: Ending<never> = { kind: 'unknown', cause: 'timed-out' };
const refusedConnection: Ending<never> = { kind: 'not-applied', cause: 'connection-refused' };

describe('the first attempt', () => {
  test('the row of a submission is `sending` before the call and `confirmed` after it', async () => {
    const service = wordService();
    const seen: string[] = [];
    const kind = service.kind('reconcile', {
      send: async () => {
        seen.push(...(await states()));
        return { kind: 'done', data: null, requestId: 'r' };
      },
    });
    const { machine } = createRunning(kind);
    expect(await submit(machine, kind, wordSubmission('hello'))).toBe('confirmed');
    expect(seen).toEqual(['sending']);
  });

  test('no column contains the text of a submission or anything that could reveal it', async () => {
    const service = wordService();
    service.next({ ending: invalid });
    const kind = service.kind();
    const { machine } = createRunning(kind);
    await submit(machine, kind, wordSubmission('a secret plan'));
    expect(JSON.stringify(await rows())).not.toMatch(/secret plan|loud/);
    const [row] = await rows();
    const other = createStopped(kind, { apiFor: machine.apiFor });
    const scope = { workspace: 'T1', kind: 'word', project: 'p1' };
    expect([row?.fingerprint]).toEqual(await other.submissions.computeFingerprints(scope, ['a secret plan']));
  });

  test('a form that is submitted twenty times is sent once, and all submissions get the same result', async () => {
    const service = wordService();
    const kind = service.kind();
    // Longer than a busy machine takes, because followers wait until the lease ends.
    const { machine } = createRunning(kind, { pace: { leaseMs: 20_000 } });
    const submission = wordSubmission('hello');
    const results = await Promise.all(Array.from({ length: 20 }, () => submit(machine, kind, submission)));
    expect(service.sent).toEqual(['hello']);
    expect(new Set(results)).toEqual(new Set(['confirmed']));
  });

  test('several moments of one form are separate submissions with separate outcomes', async () => {
    const service = wordService();
    service.next({ ending: { kind: 'done', data: null } }, { ending: invalid });
    const kind = service.kind();
    const { machine } = createRunning(kind);
    const first = wordSubmission('one');
    const saveResult = await saveAndSend(machine, kind, [
      first,
      { ...wordSubmission('two'), origin: first.origin, item: 1 },
    ]);
    const finalRows = typeof saveResult === 'string' ? [] : await saveResult.finalRows;
    expect(finalRows.map(({ state }) => state).sort()).toEqual(['confirmed', 'refused']);
  });

  test('after a refusal the same form sends its next revision, and the refused one is discarded', async () => {
    const service = wordService();
    service.next({ ending: invalid });
    const kind = service.kind();
    const { machine } = createRunning(kind);
    const submission = wordSubmission('too loud');
    expect(await submit(machine, kind, submission)).toBe('refused');
    expect(await submit(machine, kind, { ...submission, content: { text: 'quiet' } })).toBe('confirmed');
    expect(service.sent).toEqual(['too loud', 'quiet']);
    expect((await rows()).map(({ revision, state, reason }) => [revision, state, reason])).toEqual([
      [0, 'discarded', 'replaced'],
      [1, 'confirmed', null],
    ]);
  });

  test('submitting a confirmed form again sends nothing, whatever was typed meanwhile', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = createRunning(kind);
    const submission = wordSubmission('first');
    await submit(machine, kind, submission);
    expect(await submit(machine, kind, { ...submission, content: { text: 'changed' } })).toBe('confirmed');
    expect(service.sent).toEqual(['first']);
  });

  test('if the database does not answer in time, the form is not saved and never sent', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = createStopped(kind, { pace: { saveMs: 50 } });
    const { promise: transactionEnd, resolve: endTransaction } = Promise.withResolvers<void>();
    const blockingTransaction = wordMachines.db.transaction().execute(() => transactionEnd);
    expect(await submit(machine, kind, wordSubmission('first'))).toBe('not-saved');
    endTransaction();
    await blockingTransaction;
    await expect.poll(rows).toEqual([]);
    expect(service.sent).toEqual([]);
  });
});

describe('a submission that the service certainly does not have', () => {
  test('a submission that the service certainly does not have is retried until it succeeds', async () => {
    const service = wordService();
    const unavailable = { ending: refusedConnection };
    service.next(unavailable, unavailable, unavailable);
    const kind = service.kind();
    const { machine, shown } = createRunning(kind);
    expect(await submit(machine, kind, wordSubmission('hello'))).toBe('retryable');
    await expect.poll(states).toEqual(['confirmed']);
    expect(service.stored).toEqual(['hello']);
    await expect.poll(() => shown).toHaveLength(1);
  });

  test('a submission that keeps failing is given up; its text stays stored, and the author is notified', async () => {
    const service = wordService();
    const kind = service.kind('reconcile', {
      send: async () => ({ ...refusedConnection, requestId: 'r' }),
    });
    const { machine, shown } = createRunning(kind, { pace: { giveUpMs: 200 } });
    await submit(machine, kind, wordSubmission('hello'));
    await expect.poll(states).toEqual(['gave-up']);
    expect((await rows())[0]?.content).not.toBeNull();
    await expect.poll(() => shown.join()).toContain('could not be reached for 24 hours');
  });

  test('an overdue post is never sent', async () => {
    const service = wordService();
    service.next({ ending: { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 300 } });
    const kind = service.kind();
    const { machine, shown } = createRunning(kind);
    const due = new Date(Date.now() + 200).toISOString();
    expect(await submit(machine, kind, wordSubmission('hello', { due }))).toBe('retryable');
    await expect
      .poll(async () => (await rows()).map(({ state, reason }) => [state, reason]))
      .toEqual([['needs-person', 'overdue']]);
    expect(service.sent).toEqual(['hello']);
    await expect.poll(() => shown.join()).toContain('Its moment has passed');
  });

  test('the submission of an author who lost the permission is not sent, and waits for the author', async () => {
    const service = wordService();
    const kind = service.kind();
    const { machine } = createRunning(kind, { checkPermission: async () => 'no' });
    expect(await submit(machine, kind, wordSubmission('hello'))).toBe('needs-person');
    expect(service.sent).toEqual([]);
  });

  test('a submission whose step keeps failing is excluded, and others continue', async () => {
    const service = wordService();
    const kind = service.kind('reconcile', {
      getRole: ({ text }) => {
        if (text === 'bad') throw new TypeError('a fault of ours');
        return 'contributor';
      },
    });
    const { machine, logged } = createRunning(kind, { pace: { leaseMs: 60 } });
    await submit(machine, kind, wordSubmission('bad'));
    await expect.poll(() => logged.filter((line) => line.includes('excluded'))).toHaveLength(1);
    expect(await submit(machine, kind, wordSubmission('good'))).toBe('confirmed');
    const failures = () => logged.filter((line) => line.includes('step of a delivery failed')).length;
    const before = failures();
    await submit(machine, kind, wordSubmission('better'));
    expect(failures()).toBe(before);
    expect(await states()).toEqual(['saved', 'confirmed', 'confirmed']);
  });

  test('a submission waits while the permission check fails, and is sent when the check works again', async () => {
    const service = wordService();
    const kind = service.kind();
    let permission: Permission = 'unknown';
    const { machine } = createRunning(kind, { checkPermission: async () => permission });
    expect(await submit(machine, kind, wordSubmission('hello'))).toBe('retryable');
    expect((await rows()).map((row) => getRule(row).text)).toEqual([
      "Saved. I couldn't check your permissions; I'll keep trying.",
    ]);
    expect(service.sent).toEqual([]);
    permission = 'yes';
    await expect.poll(states).toEqual(['confirmed']);
    expect(service.sent).toEqual(['hello']);
  });

  test('a submission that is repeated after an unknown outcome also waits while the permission check fails', async () => {
    const service = wordService();
    service.next({ ending: timedOut });
    const kind = service.kind('repeat');
    let canCheck = false;
    const checkPermission = async () => (service.sent.length === 0 || canCheck ? 'yes' : 'unknown');
    const { machine } = createRunning(kind, { checkPermission });
    await submit(machine, kind, wordSubmission('hello'));
    await expect
      .poll(async () => (await rows()).map(({ state, reason }) => [state, reason]))
      .toEqual([['unknown', 'repeat-not-checked']]);
    canCheck = true;
    await expect.poll(states).toEqual(['confirmed']);
  });

  test('after a day of failed permission checks, the author reads why the submission was given up', async () => {
    const kind = wordService().kind();
    const { machine, shown } = createRunning(kind, {
      checkPermission: async () => 'unknown',
      pace: { giveUpMs: 200 },
    });
    await submit(machine, kind, wordSubmission('hello'));
    await expect.poll(states).toEqual(['gave-up']);
    await expect.poll(() => shown.join()).toContain("I couldn't check your permissions for 24 hours");
  });
});
