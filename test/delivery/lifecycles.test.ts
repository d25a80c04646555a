import { describe, expect, test } from 'vitest';
import type { Lifecycle } from '../../src/delivery/lifecycle.ts';
import { LIFECYCLE as DIGESTS } from '../../src/digests/lifecycle.ts';
import { LIFECYCLE as SUBMISSIONS } from '../../src/submissions/lifecycle.ts';

const lifecycles: [name: string, first: readonly string[], lifecycle: Lifecycle<string>][] = [
  ['submissions', ['saved'], SUBMISSIONS],
  // Occurrences that were missed before the start, or before a restored backup, begin in other states.
  ['digests', ['due', 'missed', 'uncertain'], DIGESTS],
];

describe.each(lifecycles)('the lifecycle of %s', (_name, first, lifecycle) => {
  const states = Object.entries(lifecycle);

  test('reaches every state from its initial states', () => {
    const reached = new Set(first);
    for (const state of reached) for (const next of lifecycle[state]?.to ?? []) reached.add(next);
    expect([...reached].toSorted()).toEqual(Object.keys(lifecycle).toSorted());
  });

  test('only states that wait for nobody have no transitions', () => {
    for (const [state, { to, waitsFor }] of states)
      expect(to.length === 0, state).toBe(waitsFor === 'nobody');
  });

  test('leads from every state to a final state or to a person', () => {
    const settled = new Set(states.flatMap(([state, { waitsFor }]) => (waitsFor === 'us' ? [] : [state])));
    for (let before = -1; before !== settled.size; ) {
      before = settled.size;
      for (const [state, { to }] of states) if (to.some((next) => settled.has(next))) settled.add(state);
    }
    expect([...settled].toSorted()).toEqual(Object.keys(lifecycle).toSorted());
  });

  test('notifies a person in every state that waits for one', () => {
    for (const [state, { waitsFor, notifies }] of states) {
      if (waitsFor === 'person') expect(notifies, state).toBe(true);
    }
  });

  test('is not sent after a restored backup without a check', () => {
    for (const [state, { waitsFor, afterRestore: restored }] of states) {
      if (waitsFor !== 'us') continue;
      for (const to of restored ? [restored.to, restored.overdue ?? restored.to] : [state]) {
        const rule = lifecycle[to];
        expect(rule?.waitsFor === 'us' && rule.remote !== 'unknown', `${state} to ${to}`).toBe(false);
      }
    }
  });

  test('no longer waits for Upnext after the app left the workspace', () => {
    for (const [state, { waitsFor, afterUninstall: left }] of states) {
      if (waitsFor === 'us') expect(lifecycle[left ?? state]?.waitsFor, state).toBe('nobody');
    }
  });

  test('treats the outcome as unknown while it is sending', () => {
    for (const [state, { sends, remote, waitsFor }] of states) {
      if (sends) expect([state, remote, waitsFor]).toEqual([state, 'unknown', 'us']);
    }
  });
});
