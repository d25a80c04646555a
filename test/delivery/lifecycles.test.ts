import { describe, expect, test } from 'vitest';
import type { Lifecycle } from '../../src/delivery/lifecycle.ts';
import { LIFECYCLE as DIGESTS } from '../../src/digests/lifecycle.ts';
import { LIFECYCLE as SUBMISSIONS } from '../../src/submissions/lifecycle.ts';

const lifecycles: [name: string, initialStates: readonly string[], lifecycle: Lifecycle<string>][] = [
  ['submissions', ['saved'], SUBMISSIONS],
  // Occurrences that were missed before the start, or before a restored backup, begin in other states.
  ['digests', ['due', 'missed', 'uncertain'], DIGESTS],
];

describe.each(lifecycles)('the lifecycle of %s', (_name, initialStates, lifecycle) => {
  const states = Object.entries(lifecycle);

  test('every state of a lifecycle can be reached from its initial states', () => {
    const reachedStates = new Set(initialStates);
    for (const state of reachedStates) for (const next of lifecycle[state]?.to ?? []) reachedStates.add(next);
    expect([...reachedStates].toSorted()).toEqual(Object.keys(lifecycle).toSorted());
  });

  test('only states that wait for nobody have no transitions', () => {
    for (const [state, { to, waitsFor }] of states)
      expect(to.length === 0, state).toBe(waitsFor === 'nobody');
  });

  test('every state of a lifecycle leads to a final state, or to a state that waits for a person', () => {
    const safeStates = new Set(states.flatMap(([state, { waitsFor }]) => (waitsFor === 'us' ? [] : [state])));
    for (let previousSize = -1; previousSize !== safeStates.size; ) {
      previousSize = safeStates.size;
      for (const [state, { to }] of states)
        if (to.some((next) => safeStates.has(next))) safeStates.add(state);
    }
    expect([...safeStates].toSorted()).toEqual(Object.keys(lifecycle).toSorted());
  });

  test('a lifecycle notifies a person in every state that waits for a person', () => {
    for (const [state, { waitsFor, notifies }] of states) {
      if (waitsFor === 'person') expect(notifies, state).toBe(true);
    }
  });

  test('after a backup is restored, no delivery is sent without a check', () => {
    for (const [state, { waitsFor, afterRestore: restoreRule }] of states) {
      if (waitsFor !== 'us') continue;
      for (const to of restoreRule ? [restoreRule.to, restoreRule.overdue ?? restoreRule.to] : [state]) {
        const rule = lifecycle[to];
        expect(rule?.waitsFor === 'us' && rule.remote !== 'unknown', `${state} to ${to}`).toBe(false);
      }
    }
  });

  test('no delivery waits for Upnext after the app was uninstalled', () => {
    for (const [state, { waitsFor, afterUninstall }] of states) {
      if (waitsFor === 'us') expect(lifecycle[afterUninstall ?? state]?.waitsFor, state).toBe('nobody');
    }
  });

  test('the outcome of a delivery is unknown while it is being sent', () => {
    for (const [state, { sends, remote, waitsFor }] of states) {
      if (sends) expect([state, remote, waitsFor]).toEqual([state, 'unknown', 'us']);
    }
  });
});
