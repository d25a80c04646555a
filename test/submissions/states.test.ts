import { expect, test } from 'vitest';
import { STATES } from '../../src/submissions/lifecycle.ts';
import { ruleOf, WHYS } from '../../src/submissions/state-cases.ts';

const rules = STATES.map((state) => ({ ...ruleOf({ state, why: null }) }));

test('what its person has to do something about has a button for it', () => {
  for (const { state, waitsFor, buttons } of rules) {
    if (waitsFor !== 'person') continue;
    expect(buttons, state).toContain('discard');
  }
});

test('only what the service surely does not have can be changed', () => {
  const cases = WHYS.flatMap((why) => STATES.map((state) => ruleOf({ state, why })));
  for (const rule of [...rules, ...cases]) {
    if (rule.buttons.includes('edit') || rule.buttons.includes('new-time')) {
      expect(rule.remote, rule.state).toBe('absent');
    }
  }
});

test('what nobody knows is never on the way back to being sent by itself', () => {
  expect(ruleOf({ state: 'reconciling', why: null }).to).toEqual(['confirmed', 'needs-person']);
});

test('a case counts only in its own state', () => {
  expect(ruleOf({ state: 'saved', why: 'past' }).says).toBe(ruleOf({ state: 'saved', why: null }).says);
});
