import { describe, expect, test, vi } from 'vitest';
import { MAX_LISTED_RECORDS } from '../../src/api/json/response-limits.ts';
import { listLogs } from '../../src/api/logs.ts';
import type { Outcome } from '../../src/api/outcome.ts';
import { computePostFingerprint, getUpnextPost, listPosts } from '../../src/api/posts.ts';
import { listProjects } from '../../src/api/projects.ts';
import { listSources } from '../../src/api/sources.ts';
import { getTemplate, listTemplates } from '../../src/api/templates.ts';
import { createResponder, createTestClient, startServer } from './scripted-server.ts';

/** Creates a client of a service that returns `data`, which is JSON text if the digits of numbers matter. */
async function createClientWithData(data: unknown) {
  const json = typeof data === 'string' ? data : JSON.stringify(data);
  const { url } = await startServer(createResponder(200, `{"success": true, "data": ${json}}`));
  return createTestClient(url).client;
}

function getData<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') throw new Error(`Not done: ${JSON.stringify(outcome)}`);
  return outcome.data;
}

const readPosts = async (data: unknown) =>
  getData(await listPosts(await createClientWithData(data), { projectId: 'p1' }));
const readNextPost = async (data: unknown) =>
  getData(await getUpnextPost(await createClientWithData(data), 'p1'));

describe('the position of the records in the response', () => {
  const post = { Id: 'a', Content: 'Hi' };
  const ofOne = { isReadable: true, items: [{ id: 'a', content: 'Hi' }], unreadableCount: 0 };
  const ofNone = { isReadable: true, items: [], unreadableCount: 0, isTruncated: false };
  const unreadable = { isReadable: false, items: [], unreadableCount: 0 };

  test.each<readonly [data: unknown, expected: object]>([
    ...[[post], post, { items: [post], total: 1 }, { posts: [post] }].map((data) => [data, ofOne] as const),
    ...[{ data: [post] }, { Posts: [post] }, { data: { items: [post] } }].map(
      (data) => [data, ofOne] as const,
    ),
    ...[null, [], { items: [] }, { posts: null }].map((data) => [data, ofNone] as const),
    ...['"text"', 7, true, {}, { total: 3 }, { items: 'three' }].map((data) => [data, unreadable] as const),
    [{ data: { data: { data: { data: {} } } } }, unreadable],
  ])('the response %j has its records, none, or can’t be read', async (data, expected) => {
    expect(await readPosts(data)).toMatchObject(expected);
  });

  test('unreadable records are counted, and the others are returned', async () => {
    const { items, unreadableCount } = await readPosts([post, null, 'x', 3, [post], { Colour: 'red' }]);
    expect(items).toHaveLength(1);
    expect(unreadableCount).toBe(5);
  });
});

describe('a post', () => {
  const plain = {
    ...{ id: 'a', content: 'Hi', media: 'cat.png', timezone: 'Europe/Berlin' },
    ...{ platforms: ['X', 'MYSPACE'], status: 'SCHEDULED' },
  };
  const date = '2026-12-01T09:00:00';
  const camelCase = { ...plain, scheduleDate: `${date}+01:00`, templateId: 't1', promptId: 7, secret: 'x' };
  const { id: _id, ...others } = plain;
  const snakeCase = { ...others, _id, template_id: 't1', prompt_id: 7, schedule_date: `${date}+01:00` };
  const pascalCase = Object.fromEntries(
    Object.entries({ ...camelCase, scheduleDate: date }).map(([name, value]) => [
      name.charAt(0).toUpperCase() + name.slice(1),
      value,
    ]),
  );
  test.each([
    ['PascalCase', pascalCase],
    ['camelCase', camelCase],
    ['snake_case', snakeCase],
  ])('a post is read in %s, without unknown fields', async (_name, data) => {
    const scheduleDate = new Date('2026-12-01T08:00:00Z');
    expect((await readPosts([data])).items).toEqual([
      { ...plain, scheduleDate, templateId: 't1', promptId: '7' },
    ]);
  });

  test('a post has its status and platforms in the contract’s spelling', async () => {
    const { items } = await readPosts([{ Id: 'a', Status: ' published', Platforms: ['x', 'LinkedIn'] }]);
    expect(items).toMatchObject([{ status: 'PUBLISHED', platforms: ['X', 'LINKEDIN'] }]);
  });

  test('a post names its unreadable fields', async () => {
    const unreadable = { Id: {}, Content: 5, ScheduleDate: 'NaN', Platforms: [{}], Media: '', Status: null };
    const unreadableFields = ['Content', 'ScheduleDate', 'Platforms'];
    expect((await readPosts([unreadable])).items).toMatchObject([
      { content: undefined, scheduleDate: undefined, platforms: [], unreadableFields },
    ]);
  });

  test('a post whose service writes an empty list or object for no media is one without media', async () => {
    const post = { Id: 'a', Content: 'Open today', Platforms: ['X'], Status: 'SCHEDULED' };
    const { items } = await readPosts([post, { ...post, Media: [] }, { ...post, Media: {} }]);
    const fingerprints = items.map((item) => computePostFingerprint('p1', item, false));
    expect(new Set(fingerprints).size).toBe(1);
  });

  test('every digit of a post id beyond 2^53 is preserved, and a value that can’t be an id is none', async () => {
    const readIds = async (...values: string[]) =>
      (await readPosts(`[${values.map((value) => `{"Id": ${value}}`)}]`)).items.map(({ id }) => id);
    const digits = ['9007199254740993', '18446744073709551616', '42'];
    expect(await readIds('9007199254740993', '"18446744073709551616"', '42')).toEqual(digits);
    expect(new Set(await readIds('1.5', '1e300', '{}', '""', 'true'))).toEqual(new Set([undefined]));
  });

  test('a post with field names that every object inherits is read like any other', async () => {
    const data = '[{"__proto__": {"Content": "no"}, "constructor": 1, "Id": "a"}]';
    expect((await readPosts(data)).items).toMatchObject([{ id: 'a', content: undefined }]);
  });
});

test('the next post exists, doesn’t exist, or is unreadable', async () => {
  for (const data of [{ Id: 'a' }, { post: { Id: 'a' } }, [{ Id: 'a' }, { Id: 'b' }]])
    expect(await readNextPost(data)).toMatchObject({ post: { id: 'a' }, isReadable: true });
  for (const data of [null, []])
    expect(await readNextPost(data)).toEqual({ post: undefined, isReadable: true });
  for (const data of ['"soon"', {}, [null], 4])
    expect(await readNextPost(data)).toEqual({ post: undefined, isReadable: false });
});

describe('the other records', () => {
  test('a project without a name is shown by its id, and a project without an id is unreadable', async () => {
    const client = await createClientWithData([{ _id: 1, name: 'Harbour' }, { Id: 'p2' }, { Name: 'No id' }]);
    const [harbour, unnamed] = [
      { id: '1', name: 'Harbour' },
      { id: 'p2', name: 'p2' },
    ];
    expect(getData(await listProjects(client))).toMatchObject({
      items: [harbour, unnamed],
      unreadableCount: 1,
    });
  });

  test('a source is read with a nested or a plain value', async () => {
    const client = await createClientWithData([
      { Id: 's1', Description: 'Blog', Source: { Source: 'https://blog.example' } },
      { id: 's2', source: 'https://feed.example' },
    ]);
    expect(getData(await listSources(client, 'p1')).items).toMatchObject([
      { id: 's1', description: 'Blog', value: 'https://blog.example' },
      { id: 's2', value: 'https://feed.example' },
    ]);
  });

  test('templates and log lines are read', async () => {
    const templates = await createClientWithData([{ Id: 't1', Title: 'Launch', Content: 'We are live' }]);
    const template = { id: 't1', name: 'Launch', content: 'We are live' };
    expect(getData(await listTemplates(templates, 'p1')).items).toEqual([template]);
    const outcome = await getTemplate(templates, { projectId: 'p1', templateId: 't1' });
    expect(getData(outcome)).toEqual(template);
    const logs = await createClientWithData([
      { Id: 1, CreatedAt: '2026-11-20T08:00:00Z', Kind: 'post', Message: 'Made' },
    ]);
    expect(getData(await listLogs(logs, 'p1')).items).toEqual([
      { id: '1', at: new Date('2026-11-20T08:00:00Z'), kind: 'post', message: 'Made' },
    ]);
  });
});

const MIB = 2 ** 20;

/** Creates a client of a service that lists these records, which are given as JSON text. */
async function createListClient(records: readonly string[]) {
  const { url } = await startServer(createResponder(200, `{"data":[${records.join(',')}],"success":true}`));
  // A busy machine takes longer for 16 MiB than the usual limit of a call.
  return createTestClient(url, { maxCallMs: 120_000 }).client;
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
  const list = async (length: number) => {
    const records = Array.from({ length }, (_, index) => `{"Id":"p${index}"}`);
    return getData(await listProjects(await createListClient(records)));
  };
  expect(await list(MAX_LISTED_RECORDS)).toMatchObject({ unreadableCount: 0, isTruncated: false });
  const { items, isTruncated } = await list(MAX_LISTED_RECORDS + 1);
  expect(isTruncated).toBe(true);
  expect([items.length, items.at(-1)?.id]).toEqual([MAX_LISTED_RECORDS, `p${MAX_LISTED_RECORDS - 1}`]);
});

test('a page with too many posts is truncated', async () => {
  const client = await createListClient(
    Array.from({ length: 600 }, (_, index) => `{"Id":"${index}","Content":"Hi"}`),
  );
  const { items, isTruncated } = getData(await listPosts(client, { projectId: 'p1' }));
  expect({ count: items.length, isTruncated }).toEqual({ count: 500, isTruncated: true });
});

test('a list is read up to a very deeply nested log line', async () => {
  const nestedLine = `{"details":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const client = await createListClient(['{"message":"Post created"}', nestedLine]);
  const { items, isTruncated } = getData(await listLogs(client, 'p1'));
  expect({ items, isTruncated }).toMatchObject({ items: [{ message: 'Post created' }], isTruncated: true });
});

/** Creates the client of a service whose answer to everything is `body`, as far as it is read. */
async function createClientOf(body: string) {
  const { url } = await startServer(createResponder(200, body));
  return createTestClient(url, { maxCallMs: 120_000 }).client;
}

const manyProblems = JSON.stringify(Array.from({ length: 2_500 }, () => ({ reason: 'no' })));

test.each([
  ['unreadable-response', `{"message":"Bad gateway","violations":${manyProblems}}`],
  ['unreadable-response', `{"errors":${manyProblems},"success":false,"message":"failed"}`],
  ['unreadable-response', `{"included":${manyProblems},"data":[{"Id":"p1"}],"success":true}`],
  ['unreadable-response', `{"success":true,"included":${manyProblems},"data":[{"Id":"p1"}]}`],
  ['success-false', `{"success":false,"errors":${manyProblems}}`],
])('an answer that is cut in a list before its data is %s', async (cause, body) => {
  expect(await listProjects(await createClientOf(body))).toMatchObject({ kind: 'unknown', cause });
});

test('a whole list is read if what follows it is too large', async () => {
  const tail = 'x'.repeat(4.2 * MIB);
  for (const body of [
    `{"success":true,"data":[{"Id":"p1"}],"raw":"${tail}"}`,
    `{"success":true,"data":{"items":[{"Id":"p1"}],"warnings":[]},"raw":"${tail}"}`,
  ])
    expect(getData(await listProjects(await createClientOf(body)))).toMatchObject({
      items: [{ id: 'p1' }],
      isTruncated: true,
    });
});

async function readLogs(...data: unknown[]) {
  return getData(await listLogs(await createClientWithData(data), 'p1'));
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
