import { expect, test, vi } from 'vitest';
import { MAX_LISTED_RECORDS } from '../../src/api/json/response-limits.ts';
import { listLogs } from '../../src/api/logs.ts';
import type { Outcome } from '../../src/api/outcome.ts';
import { listPosts } from '../../src/api/posts.ts';
import { listProjects } from '../../src/api/projects.ts';
import { createResponder, createTestClient, startServer } from './scripted-server.ts';

const MIB = 2 ** 20;

/** Creates a client of a service that lists these records, which are given as JSON text. */
async function createListClient(records: readonly string[]) {
  const { url } = await startServer(createResponder(200, `{"data":[${records.join(',')}],"success":true}`));
  return createTestClient(url).client;
}

function getData<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') throw new Error(`Not done: ${JSON.stringify(outcome)}`);
  return outcome.data;
}

test.each([
  ['16 MiB of numbers with one of 19 digits', [...Array(8 * MIB - 100).fill('1'), '1234567890123456789']],
  [
    '300,000 projects',
    Array.from({ length: 300_000 }, (_, index) => `{"Id":"p${index}","Name":"Project ${index}"}`),
  ],
  [
    '2,000 projects of 7 kB',
    Array.from({ length: 2_000 }, (_, index) => `{"Id":${index},"a":"${'x'.repeat(7_000)}"}`),
  ],
])(
  'at most 4 MiB of a list of %s are parsed, and the list is marked as truncated',
  async (_what, records) => {
    const client = await createListClient(records);
    const parse = vi.spyOn(JSON, 'parse');
    const { items, unreadableCount, isTruncated } = getData(await listProjects(client));
    const maxParsedLength = Math.max(...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(maxParsedLength).toBeLessThan(4.5 * MIB);
    expect(isTruncated).toBe(true);
    expect(items.length + unreadableCount).toBeGreaterThan(200);
    expect(items.length + unreadableCount).toBeLessThanOrEqual(MAX_LISTED_RECORDS);
  },
);

test('a list with exactly the maximum number of records isn’t truncated', async () => {
  const project = (index: number) => `{"Id":"p${index}"}`;
  const fullClient = await createListClient(
    Array.from({ length: MAX_LISTED_RECORDS }, (_, index) => project(index)),
  );
  expect(getData(await listProjects(fullClient))).toMatchObject({ unreadableCount: 0, isTruncated: false });
  const overfullClient = await createListClient(
    Array.from({ length: MAX_LISTED_RECORDS + 1 }, (_, index) => project(index)),
  );
  const { items, isTruncated } = getData(await listProjects(overfullClient));
  expect({ count: items.length, last: items.at(-1)?.id, isTruncated }).toEqual({
    count: MAX_LISTED_RECORDS,
    last: `p${MAX_LISTED_RECORDS - 1}`,
    isTruncated: true,
  });
});

test('a page with too many posts is truncated', async () => {
  const client = await createListClient(
    Array.from({ length: 600 }, (_, index) => `{"Id":"${index}","Content":"Hi"}`),
  );
  const { items, isTruncated } = getData(await listPosts(client, { projectId: 'p1' }));
  expect({ count: items.length, isTruncated }).toEqual({ count: 500, isTruncated: true });
});

test('a very deeply nested log line is unreadable, and the other log lines are read', async () => {
  const nestedLine = `{"details":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const client = await createListClient([nestedLine, '{"message":"Post created"}']);
  const { items, unreadableCount } = getData(await listLogs(client, 'p1'));
  expect({ items, unreadableCount }).toMatchObject({
    items: [{ message: 'Post created' }],
    unreadableCount: 1,
  });
});
