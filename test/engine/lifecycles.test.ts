import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { createPermit } from '../../src/engine/permit.ts';
import { EDITABLE_STATES, HELD_POSTS, LIFECYCLE as POSTS } from '../../src/held-posts/held-post.ts';
import { SUBMISSIONS } from '../../src/submissions/submission.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';

describe('the list of all deliveries', () => {
  let database: BotDatabase;
  beforeAll(async () => {
    database = await openBotDatabase();
  });
  afterAll(() => database.close());

  test('every table with a lifecycle is in the list, so restores and uninstallations include it', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns join information_schema.tables
        using (table_schema, table_name)
      where table_schema = current_schema() and table_type = 'BASE TABLE' and column_name in ('fence', 'lease_until', 'retained_since')
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

describe('the post of a submission', () => {
  const { lifecycle, owner } = SUBMISSIONS;
  const states = Object.entries(lifecycle);

  test.each(states)('in %s is in a state of posts', (_state, { owner: post }) => {
    expect(Object.keys(POSTS)).toContain(post?.state);
    expect(owner?.table).toBe(HELD_POSTS.table);
  });

  test.each(states)('in %s can be edited only if the service certainly doesn’t have it', (_state, rule) => {
    if (EDITABLE_STATES.some((state) => state === rule.owner?.state)) expect(rule.remote).toBe('absent');
    if (rule.owner?.state === 'delivered') expect(rule.remote).toBe('present');
  });

  test('is under way exactly while the submission waits for Upnext', () => {
    for (const [state, { waitsFor, owner: post }] of states)
      expect(post?.state === 'handed-over', state).toBe(waitsFor === 'upnext');
  });
});

function createTestPermit(leaseMs: number) {
  const clocks = { monotonicMs: 1_000, wallClockMs: 50_000 };
  const permit = createPermit(leaseMs, [() => clocks.monotonicMs, () => clocks.wallClockMs]);
  return { clocks, permit };
}

test('a call may begin only while the rest of the lease is long enough for it', () => {
  const { clocks, permit } = createTestPermit(4_000);
  clocks.monotonicMs += 4_000;
  clocks.wallClockMs += 4_000;
  expect(permit.mayBegin()).toBe(true);
  clocks.monotonicMs += 1;
  expect(permit.mayBegin()).toBe(false);
});

test('a permit expires while the computer sleeps, although its monotonic clock stops', () => {
  const { clocks, permit } = createTestPermit(4_000);
  clocks.wallClockMs += 60_000;
  expect(permit.mayBegin()).toBe(false);
});

test('setting the wall clock back doesn’t extend a permit', () => {
  const { clocks, permit } = createTestPermit(4_000);
  clocks.monotonicMs += 5_000;
  clocks.wallClockMs -= 60_000;
  expect(permit.mayBegin()).toBe(false);
});

const root = join(import.meta.dirname, '..', '..', 'src');
/** All sources except the engine, which may write states. */
const files = globSync('**/*.ts', { cwd: root, exclude: ['engine/**'] });

/**
 * Finds statements that write a `state`, with the query builder or in SQL. The `state` column of `digest` is
 * not a lifecycle state.
 */
function findStateWrites(text: string): string[] {
  const builderStatements = text.split(/(?=\b(?:updateTable|insertInto)\()/).slice(1);
  const builderWrites = builderStatements
    .map((statement) => statement.split(/\.where\(|\.execute/)[0] ?? '')
    .filter((statement) => /[{,\s]state(?::|,|\s*\})/.test(statement) && !/^\w+\('digest'\)/.test(statement));
  const sqlWrites = [...text.matchAll(/\bupdate\s[^;`]*\bset\b[^;`]*\bstate\s*=[^;`]*/gi)];
  return [...builderWrites, ...sqlWrites.map(([sql]) => sql)];
}

test('only the engine writes the state of a delivery', () => {
  expect(files.length).toBeGreaterThan(100);
  const stateWrites = files.flatMap((file) =>
    findStateWrites(readFileSync(join(root, file), 'utf8')).map((write) => `${file}: ${write}`),
  );
  expect(stateWrites).toEqual([]);
});

test.each([
  "db.updateTable('submission').set({ state: 'discarded', reason })",
  "db\n  .updateTable('digest_occurrence')\n  .set((row) => ({\n    state,\n    reason: null }))",
  "db.insertInto('submission').values({ ...row, state: 'saved' })",
  "sql`update submission set reason = null, state = 'saved' where id = 1`",
])('a statement that writes a state is found: %s', (text) => {
  expect(findStateWrites(text)).toHaveLength(1);
});

test.each([
  "db.updateTable('submission').set({ next_at: at }).where('state', 'in', states).execute()",
  "db.updateTable('digest').set({ state: 'paused' })",
  "db.insertInto('submission').values({ ...entryColumns(LIFECYCLE, 'saved', at) })",
])('any other statement is ignored: %s', (text) => {
  expect(findStateWrites(text)).toEqual([]);
});
