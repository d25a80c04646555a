import { expect, test } from 'vitest';
import { STATES } from '../../src/submissions/lifecycle.ts';
import { ruleOf, WHYS } from '../../src/submissions/state-cases.ts';

const rules = STATES.map((state) => ({ ...ruleOf({ state, why: null }) }));

test('every state can be reached from `saved`, and every one leads to an end or to a person', () => {
  const reached = new Set(['saved']);
  for (const state of reached) for (const next of ruleOf({ state, why: null }).to) reached.add(next);
  expect([...reached].sort()).toEqual([...STATES].sort());
  for (const { state, to, waitsFor } of rules) {
    expect(to.length > 0, state).toBe(waitsFor !== 'nobody');
  }
});

test('what its person has to do something about has a button for it, and is told', () => {
  for (const { state, waitsFor, buttons, tells } of rules) {
    if (waitsFor !== 'person') continue;
    expect(buttons, state).toContain('discard');
    expect(tells, state).toBe(true);
  }
});

test('only what the service surely does not have can be changed', () => {
  const cases = WHYS.flatMap((why) => STATES.map((state) => ruleOf({ state, why })));
  for (const rule of [...rules, ...cases]) {
    if (rule.buttons.includes('edit') || rule.buttons.includes('new-time')) {
      expect(rule.notThere, rule.state).toBe(true);
    }
  }
});

test('what nobody knows is never on the way back to being sent by itself', () => {
  expect(ruleOf({ state: 'reconciling', why: null }).to).toEqual(['confirmed', 'needs-person']);
});

test('a case counts only in its own state', () => {
  expect(ruleOf({ state: 'saved', why: 'past' }).says).toBe(ruleOf({ state: 'saved', why: null }).says);
});
