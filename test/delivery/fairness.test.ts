import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildClaimable, createClaims } from '../../src/delivery/claims.ts';
import { LIFECYCLE } from '../../src/submissions/lifecycle.ts';
import { insertSubmission } from '../../src/submissions/sql/submissions.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';

const at = new Date('2026-11-20T12:00:00Z');

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterEach(() => database.db.deleteFrom('submission').execute());
afterAll(() => database.close());

/** Creates `count` due submissions of a workspace, oldest first. */
async function due(workspace: string, count: number, { endpoint = 'service', waitingMs = 0 } = {}) {
  const from = { workspace, endpoint, author: 'U1', kind: 'post', item: 0, revision: 0 };
  for (let index = 0; index < count; index += 1) {
    const id = `${workspace} ${index}`;
    await insertSubmission(database.db, {
      ...from,
      id,
      origin: id,
      channel: null,
      content: null,
      createdAt: at,
    });
  }
  const next_at = new Date(at.getTime() - waitingMs);
  await database.db.updateTable('submission').set({ next_at }).where('workspace', '=', workspace).execute();
}

function claimsOf(limit: (endpoint: string) => number = () => 100) {
  const claims = createClaims({
    ...{ db: database.db, clock: () => at, leaseMs: 60_000, getLimit: limit },
    getClaimable: () => buildClaimable({ table: 'submission', lifecycle: LIFECYCLE }, []),
  });
  return {
    claims,
    async perWorkspace(free: number) {
      const rows = await claims.claim(free);
      const byWorkspace = Object.groupBy(rows, ({ workspace }) => workspace);
      return Object.fromEntries(Object.entries(byWorkspace).map(([name, own = []]) => [name, own.length]));
    },
  };
}

test('a workspace with many old submissions leaves room for other workspaces', async () => {
  await due('T1', 20, { waitingMs: 60_000 });
  await due('T2', 1);
  await due('T3', 3);
  const { perWorkspace } = claimsOf();
  expect(await perWorkspace(6)).toEqual({
    T1: expect.toBeOneOf([2, 3]),
    T2: 1,
    T3: expect.toBeOneOf([2, 3]),
  });
});

test('slots that other workspaces don’t need go to the one with more submissions', async () => {
  await due('T1', 20);
  await due('T2', 1);
  const { perWorkspace } = claimsOf();
  expect(await perWorkspace(10)).toEqual({ T1: 9, T2: 1 });
});

test('the workspace that was served last comes last in the next scan', async () => {
  await due('T1', 5);
  await due('T2', 5);
  const { perWorkspace } = claimsOf();
  const [first, second] = [await perWorkspace(1), await perWorkspace(1)];
  expect(Object.keys({ ...first, ...second }).toSorted()).toEqual(['T1', 'T2']);
});

test('a service at its limit delays no other service, and gets the next submission when one has ended', async () => {
  await due('T1', 10, { endpoint: 'slow', waitingMs: 60_000 });
  await due('T2', 2, { endpoint: 'quick' });
  const { claims, perWorkspace } = claimsOf((endpoint) => (endpoint === 'slow' ? 3 : 100));
  expect(await perWorkspace(10)).toEqual({ T1: 3, T2: 2 });
  expect(await perWorkspace(10)).toEqual({});
  claims.onEnd({ endpoint: 'slow' });
  expect(await perWorkspace(10)).toEqual({ T1: 1 });
});

test('with more due submissions than one page, every workspace is served', async () => {
  await due('T1', 600, { waitingMs: 60_000 });
  await due('T2', 1);
  const { perWorkspace } = claimsOf();
  expect(await perWorkspace(10)).toEqual({ T1: 9, T2: 1 });
});
