import { expect, test } from 'vitest';
import { SENT_REASONS, type SentReason } from '../../src/posts/state-copy.ts';
import { getStateCopy, STATES } from '../../src/submissions/submission.ts';

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
    if (rule.buttons.includes('edit') || rule.buttons.includes('new-time')) {
      expect(rule.remote, rule.state).toBe('absent');
    }
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

test('a waiting submission that may have arrived isn’t called unsent', () => {
  for (const reason of [null, ...REASONS]) {
    const { sentence } = getStateCopy({ state: 'retryable', reason, maybe_sent: true });
    expect(sentence).not.toMatch(/not sent\b(?! again)/i);
  }
});

test('after an unknown outcome no post is sent again automatically', () => {
  expect(getStateCopy({ state: 'reconciling', reason: null }).nextStates).toEqual([
    'confirmed',
    'needs-person',
  ]);
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
