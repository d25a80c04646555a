import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';

describe('the list of all deliveries', () => {
  let database: BotDatabase;
  beforeAll(async () => {
    database = await openBotDatabase();
  });
  afterAll(() => database.close());

  test('every table with a lifecycle is in the list, so restores and uninstallations include it', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name in ('fence', 'lease_until', 'retained_since')
      group by table_name having count(*) = 3`.execute(database.db);
    const listedTables = CAPABILITIES.map(({ table }) => table);
    expect(rows.map(({ name }) => name).toSorted()).toEqual(listedTables.toSorted());
  });
});

describe.each(CAPABILITIES)('the lifecycle of $name', ({ initialStates, lifecycle }) => {
  const states = Object.entries(lifecycle);

  test('every state of a lifecycle can be reached from its initial states', () => {
    const reachedStates = new Set(initialStates);
    for (const state of reachedStates)
      for (const next of lifecycle[state]?.nextStates ?? []) reachedStates.add(next);
    expect([...reachedStates].toSorted()).toEqual(Object.keys(lifecycle).toSorted());
  });

  test('a state is final if it waits for nobody, and otherwise has a next state', () => {
    for (const [state, { nextStates, waitsFor }] of states)
      expect(nextStates.length === 0, state).toBe(waitsFor === 'nobody');
  });

  test('every state of a lifecycle leads to a final state, or to a state that waits for a person', () => {
    const endingStates = new Set(
      states.flatMap(([state, { waitsFor }]) => (waitsFor === 'upnext' ? [] : [state])),
    );
    for (let previousSize = -1; previousSize !== endingStates.size; ) {
      previousSize = endingStates.size;
      for (const [state, { nextStates }] of states)
        if (nextStates.some((next) => endingStates.has(next))) endingStates.add(state);
    }
    expect([...endingStates].toSorted()).toEqual(Object.keys(lifecycle).toSorted());
  });

  test('a lifecycle notifies a person in every state that waits for a person', () => {
    for (const [state, { waitsFor, notifies }] of states) {
      if (waitsFor === 'person') expect(notifies, state).toBe(true);
    }
  });

  test('after a backup is restored, no delivery is sent without a check', () => {
    for (const [state, { waitsFor, afterRestore: restoreRule }] of states) {
      if (waitsFor !== 'upnext') continue;
      for (const to of restoreRule ? [restoreRule.to, restoreRule.overdue ?? restoreRule.to] : [state]) {
        const rule = lifecycle[to];
        expect(rule?.waitsFor === 'upnext' && rule.remote !== 'unknown', `${state} to ${to}`).toBe(false);
      }
    }
  });

  test('no delivery waits for Upnext after the app was uninstalled', () => {
    for (const [state, { waitsFor, afterUninstall }] of states) {
      if (waitsFor === 'upnext') expect(lifecycle[afterUninstall ?? state]?.waitsFor, state).toBe('nobody');
    }
  });

  test('the outcome of a delivery is unknown while it is being sent', () => {
    for (const [state, { sends, remote, waitsFor }] of states) {
      if (sends) expect([state, remote, waitsFor]).toEqual([state, 'unknown', 'upnext']);
    }
  });
});
