import { expect, test } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { listLogs } from '../../src/api/logs.ts';

async function readLogs(...data: unknown[]) {
  const client: ApiClient = {
    address: 'http://service',
    credential: {},
    call: async () => ({ kind: 'done', data, requestId: 'r' }),
    close: async () => undefined,
  };
  const outcome = await listLogs(client, 'p1');
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  return outcome.data;
}

test.each([
  ['2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000Z'],
  ['2026-11-20T08:00:00.123456+02:00', '2026-11-20T06:00:00.123Z'],
  ['2026-11-20 08:00:00', '2026-11-20T08:00:00.000Z'],
  [1_763_625_600, '2025-11-20T08:00:00.000Z'],
  [1_763_625_600_000, '2025-11-20T08:00:00.000Z'],
])('a log line’s time is read from %s', async (created_at, expected) => {
  expect((await readLogs({ message: 'm', created_at })).items[0]?.at?.toISOString()).toBe(expected);
});

test('of a thousand dates in an unusual format, the first 300 are parsed and the others stay text', async () => {
  const lines = Array.from({ length: 1_000 }, () => ({ message: 'm', date: '2026-W47-5' }));
  const { items } = await readLogs(...lines);
  expect(items.filter(({ at }) => at !== undefined)).toHaveLength(300);
  expect(items.at(-1)).toMatchObject({ message: 'm', details: 'date: 2026-W47-5', hasUnparsedDate: true });
  expect(items.filter(({ hasUnparsedDate }) => hasUnparsedDate)).toHaveLength(700);
});

test('an unreadable date of a log line is shown in its details', async () => {
  expect((await readLogs({ Message: 'm', Date: 'soon', PostId: 7 })).items).toEqual([
    {
      message: 'm',
      details: 'Date: soon, PostId: 7',
      hasUnparsedDate: true,
      post: { id: '7', events: [], outcomes: [] },
    },
  ]);
});

test.each([
  ['an id', { PostId: 7 }],
  ['a record', { post: { id: '7' } }],
])('the post of a log line is read from %s, with what the fields say about it', async (_kind, fields) => {
  const line = { ...fields, message: 'm', event: 'post.publish', level: 'error', status: 'FAILED', type: '' };
  expect((await readLogs(line)).items[0]?.post).toEqual({
    id: '7',
    events: ['post.publish'],
    outcomes: ['FAILED', 'error'],
  });
});

test.each([
  ['a name', 'Ana'],
  ['an object', { Id: 7, Name: 'Ana' }],
])('the actor of a log line is read from %s', async (_kind, User) => {
  expect((await readLogs({ Message: 'm', User })).items[0]).toMatchObject({ actor: 'Ana' });
});

test('a log line of unknown shape shows all its fields, and an empty log line counts as unreadable', async () => {
  const { items, unreadableCount } = await readLogs({ a: 1, b: { c: [2] }, d: null }, 'text', {}, null, 7);
  expect(items.map(({ message }) => message)).toEqual(['a: 1, b: {"c":[2]}', 'text']);
  expect(unreadableCount).toBe(3);
});
