import { describe, expect, test } from 'vitest';
import type { OutcomeDetails } from '../../src/api/outcome.ts';
import { SENT_REASONS, type SentReason } from '../../src/posts/state-copy.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import { applyDecision } from '../../src/submissions/press.ts';
import { getStateCopy, STATES } from '../../src/submissions/submission.ts';
import {
  type RenderedSubmission,
  renderHeadline,
  renderProblemLines,
  renderSubmission,
} from '../../src/submissions/text/render-submission.ts';
import { renderStateMessage } from '../../src/submissions/text/state-blocks.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createTestClock } from '../support/test-clock.ts';
import { type createTestSubmissions, createWordSubmission, type Word } from '../support/word-submissions.ts';

const words = setUpWords();
const { service } = words;

const timedOut: OutcomeDetails<unknown> = { kind: 'unknown', cause: 'timed-out' };
const ana = { workspace: 'T1', user: 'U1', managesProject: () => false };

/** Sends a submission once. `read` returns its row, text and buttons. */
async function sendOnce(
  kind: SubmissionKind<Word>,
  options: Parameters<typeof createTestSubmissions>[2] = {},
  submission = createWordSubmission('hello'),
) {
  const { context } = words.createStopped(kind, options);
  await words.submit(context, kind, submission);
  const read = async () => {
    const row = await words.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
    const rendered = renderSubmission(context, row);
    return { row, text: renderHeadline(rendered), buttons: rendered.stateCopy.buttons };
  };
  return { context, read };
}

describe('after an unknown outcome', () => {
  test.each([
    ['reconcile', /won’t send it twice/],
    ['repeat', /I’ll send it again/],
  ] as const)('the text after an unknown outcome says what happens next (%s)', async (mode, expectedText) => {
    service.scriptCalls({ ending: timedOut });
    const { read } = await sendOnce(service.kind(mode));
    const { row, text } = await read();
    expect(row.state).toBe('unknown');
    expect(text).toMatch(expectedText);
  });

  test('an overdue post that was sent again can be checked, but not edited', async () => {
    service.scriptCalls({ ending: timedOut });
    const due = new Date(Date.now() + 60_000).toISOString();
    const { context, read } = await sendOnce(service.kind(), {}, createWordSubmission('hello', { due }));
    await words.db
      .updateTable('submission')
      .set({ state: 'unsure', reason: 'not-found', lease_until: null })
      .execute();
    const laterContext = {
      ...context,
      clock: createTestClock(
        () => new Date(),
        () => new Date(Date.now() + 120_000),
      ),
    };
    await applyDecision(laterContext, ana, (await read()).row.id, 'send-again');
    const { row, text, buttons } = await read();
    expect(row).toMatchObject({ state: 'unsure' });
    expect(text).toContain('don’t know whether your word was sent');
    expect(buttons).toEqual(['check', 'discard']);
  });

  test('a post without a baseline count isn’t sent again while the service lists an equal post, unless the author confirms', async () => {
    service.scriptCalls({ ending: timedOut });
    const { context, read } = await sendOnce(service.kind());
    // The row is in the state after the restore of a backup that is older than the first attempt.
    const change = {
      state: 'unsure',
      reason: 'restored',
      baseline: null,
      lease_until: null,
      locked: false,
    } as const;
    await words.db.updateTable('submission').set(change).execute();
    service.storedTexts.push('hello');
    const { id } = (await read()).row;
    await applyDecision(context, ana, id, 'send-again');
    expect((await read()).text).toContain('The service lists a word like yours');
    expect(service.sentTexts).toEqual(['hello']);
    expect(await applyDecision(context, ana, id, 'check')).toMatchObject({
      note: expect.stringContaining('lists 1 like it'),
    });
    await applyDecision(context, ana, id, 'send-again');
    expect(service.sentTexts).toEqual(['hello', 'hello']);
  });
});

test('only problems with a field are counted as fields, and the reason of a refusal is listed', async () => {
  const problem = { loc: [], message: 'Renew <!here> first.', type: '' };
  const render = (refusal: RenderedSubmission['refusal']) => renderProblemLines({ refusal });
  expect(render({ kind: 'refused', status: 402, problems: [problem] })).toBe('• Renew <!here> first.');
  expect(render({ kind: 'refused', status: 402 })).toBe('');
  service.scriptCalls({ ending: { kind: 'invalid', problems: [{ ...problem, field: undefined }] } });
  const { read } = await sendOnce(service.kind());
  expect((await read()).text).toBe('Not sent. The service didn’t accept this.');
});

test('an overdue post says why it waited until its time had passed', async () => {
  service.scriptCalls({ ending: timedOut });
  const { context, read } = await sendOnce(service.kind());
  const { row } = await read();
  const overdue = renderSubmission(context, { ...row, state: 'blocked', reason: 'overdue' });
  const message = renderStateMessage({ ...overdue, refusal: { kind: 'refused', status: 401 } });
  expect(JSON.stringify(message.blocks)).toContain('refused my access token');
});

test('a failed list of equal posts with success: false isn’t the last word about the post', async () => {
  service.setListOutcome({ kind: 'refused', status: 200, problems: [] });
  const { read } = await sendOnce(service.kind());
  expect((await read()).row).toMatchObject({ state: 'retryable', attempts: 1 });
});

test('a 404 is explained with the text of the submission’s kind', async () => {
  service.scriptCalls({ ending: { kind: 'refused', status: 404 } });
  const kind = service.kind('repeat');
  const { read } = await sendOnce({
    ...kind,
    copy: { ...kind.copy, renderNotFound: () => 'There is no such word.' },
  });
  expect((await read()).text).toBe('Not sent. There is no such word.');
});

test.each<[reason: 'paused' | null, expectedText: string]>([
  ['paused', 'refused my access'],
  [null, 'I couldn’t send it for 24 hours'],
])('the text of a submission that was given up names the reason (%s)', async (reason, expectedText) => {
  service.scriptCalls({ ending: { kind: 'not-applied', cause: 'connection-refused' } });
  const { context, read } = await sendOnce(service.kind());
  const overdueTime = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await words.db
    .updateTable('submission')
    .set({ reason, retrying_since: overdueTime, next_at: overdueTime })
    .execute();
  const { submissions } = words.createStopped(service.kind(), {
    encryption: context.encryption,
  });
  submissions.start();
  await expect.poll(async () => (await read()).row.state).toBe('gave-up');
  await submissions.stop();
  expect((await read()).row.content).not.toBeNull();
  expect((await read()).text).toContain(expectedText);
});

const REASONS = Object.keys(SENT_REASONS) as SentReason[];

const rules = STATES.map((state) => ({ ...getStateCopy({ state, reason: null }) }));

test('every state that waits for the author has a button', () => {
  for (const { state, waitsFor, buttons } of rules) {
    if (waitsFor !== 'person') continue;
    expect(buttons, state).toContain('discard');
  }
});

test('only submissions that the service certainly does not have can be edited', () => {
  const cases = REASONS.flatMap((reason) => STATES.map((state) => getStateCopy({ state, reason })));
  for (const rule of [...rules, ...cases]) {
    if (rule.buttons.includes('edit')) expect(rule.remote, rule.state).toBe('absent');
  }
});

test('only submissions that the service certainly does not have are called not sent', () => {
  const cases = REASONS.flatMap((reason) => STATES.map((state) => getStateCopy({ state, reason })));
  const notSent = [...rules, ...cases].filter(({ sentence }) =>
    /not sent\b(?! again)|didn’t send/i.test(sentence),
  );
  expect(notSent.map(({ state, sentence, remote }) => ({ state, sentence, remote }))).toEqual(
    notSent.map(({ state, sentence }) => ({ state, sentence, remote: 'absent' })),
  );
});

test('a submission that the service certainly does not have isn’t called uncertain', () => {
  for (const reason of REASONS) {
    const { remote, name } = getStateCopy({ state: 'blocked', reason });
    expect([remote, name], reason).not.toEqual([remote, 'Not sure']);
  }
});

test('a waiting submission that may have arrived isn’t called unsent', () => {
  for (const reason of [null, ...REASONS]) {
    const { sentence } = getStateCopy({ state: 'retryable', reason, maybe_sent: true });
    expect(sentence).not.toMatch(/not sent\b(?! again)/i);
  }
});

test('after an unknown outcome no post is sent again automatically', () => {
  expect(getStateCopy({ state: 'reconciling', reason: null }).nextStates).toEqual(['confirmed', 'unsure']);
});

test('a reason that doesn’t belong to a state doesn’t change the text for this state', () => {
  expect(getStateCopy({ state: 'saved', reason: 'overdue' }).sentence).toBe(
    getStateCopy({ state: 'saved', reason: null }).sentence,
  );
});

test('every reason has a text for a state', () => {
  for (const reason of REASONS) {
    const changed = STATES.filter((state) => {
      const [withReason, without] = [reason, null].map(
        (one) => getStateCopy({ state, reason: one }).sentence,
      );
      return withReason !== without;
    });
    expect(changed, reason).toHaveLength(1);
  }
});
