import { describe, expect, test, vi } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { MAX_LISTED_RECORDS } from '../../src/api/json/response-limits.ts';
import { listLogs } from '../../src/api/logs.ts';
import type { Outcome } from '../../src/api/outcome.ts';
import { getUpnextPost, listPosts } from '../../src/api/posts.ts';
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
  const responses: Record<string, unknown> = {
    'a list': [post],
    'the record itself': post,
    '{items}': { items: [post], total: 1 },
    '{posts}': { posts: [post] },
    '{data}': { data: [post] },
    '{Posts}': { Posts: [post] },
    'an envelope in an envelope': { data: { items: [post] } },
  };
  for (const [name, data] of Object.entries(responses)) {
    test(`the records are found in this response: ${name}`, async () => {
      expect(await readPosts(data)).toMatchObject({
        isReadable: true,
        items: [{ id: 'a', content: 'Hi' }],
        unreadableCount: 0,
      });
    });
  }

  for (const data of [null, [], { items: [] }, { posts: null }]) {
    test(`a response with ${JSON.stringify(data)} has no records`, async () => {
      expect(await readPosts(data)).toEqual({
        isReadable: true,
        items: [],
        unreadableCount: 0,
        isTruncated: false,
      });
    });
  }

  for (const data of [
    '"text"',
    7,
    true,
    {},
    { total: 3 },
    { items: 'three' },
    { data: { data: { data: { data: {} } } } },
  ]) {
    test(`a response with ${JSON.stringify(data)} is unreadable, unlike a response without records`, async () => {
      expect(await readPosts(data)).toMatchObject({ isReadable: false, items: [], unreadableCount: 0 });
    });
  }

  test('unreadable records are counted, and the others are returned', async () => {
    const { items, unreadableCount } = await readPosts([post, null, 'x', 3, [post], { Colour: 'red' }]);
    expect(items).toHaveLength(1);
    expect(unreadableCount).toBe(5);
  });
});

describe('a post', () => {
  const expectedPost = {
    id: 'a',
    content: 'Hi',
    media: 'cat.png',
    scheduleDate: new Date('2026-12-01T08:00:00Z'),
    timezone: 'Europe/Berlin',
    platforms: ['X', 'MYSPACE'],
    status: 'SCHEDULED',
    templateId: 't1',
    promptId: '7',
  };
  const pascalCasePost = {
    Id: 'a',
    Content: 'Hi',
    Media: 'cat.png',
    ScheduleDate: '2026-12-01T09:00:00',
    Timezone: 'Europe/Berlin',
    Platforms: ['X', 'MYSPACE'],
    Status: 'SCHEDULED',
    TemplateId: 't1',
    PromptId: 7,
  };
  const camelCasePost = {
    ...expectedPost,
    scheduleDate: '2026-12-01T09:00:00+01:00',
    promptId: 7,
    secret: 'never read',
  };
  const { templateId, promptId, scheduleDate, id, ...otherFields } = camelCasePost;
  const snakeCasePost = {
    ...otherFields,
    _id: id,
    template_id: templateId,
    prompt_id: promptId,
    schedule_date: scheduleDate,
  };
  for (const [name, data] of Object.entries({
    PascalCase: pascalCasePost,
    camelCase: camelCasePost,
    snake_case: snakeCasePost,
  })) {
    test(`a post is read in ${name}, without unknown fields`, async () => {
      expect((await readPosts([data])).items).toEqual([expectedPost]);
    });
  }

  test('a post has its status and platforms in the contract’s spelling', async () => {
    const { items } = await readPosts([{ Id: 'a', Status: ' published', Platforms: ['x', 'LinkedIn'] }]);
    expect(items).toMatchObject([{ status: 'PUBLISHED', platforms: ['X', 'LINKEDIN'] }]);
  });

  test('a post names its unreadable fields', async () => {
    const unreadablePost = {
      Id: {},
      Content: 5,
      ScheduleDate: 'NaN',
      Platforms: [{}],
      Media: '',
      Status: null,
    };
    expect((await readPosts([unreadablePost])).items).toMatchObject([
      {
        content: undefined,
        scheduleDate: undefined,
        platforms: [],
        unreadableFields: ['Content', 'ScheduleDate', 'Platforms'],
      },
    ]);
  });

  test('every digit of a post id beyond 2^53 is preserved', async () => {
    const { items } = await readPosts(
      '[{"Id": 9007199254740993}, {"Id": "18446744073709551616"}, {"Id": 42}]',
    );
    expect(items.map((post) => post.id)).toEqual(['9007199254740993', '18446744073709551616', '42']);
  });

  test('a post has no id if the value can’t be an id', async () => {
    const { items } = await readPosts('[{"Id": 1.5}, {"Id": 1e300}, {"Id": {}}, {"Id": ""}, {"Id": true}]');
    expect(items.map((post) => post.id)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  test('a post with field names that every object inherits is read like any other', async () => {
    const data = '[{"__proto__": {"Content": "no"}, "constructor": 1, "Id": "a"}]';
    expect((await readPosts(data)).items).toMatchObject([{ id: 'a', content: undefined }]);
  });
});

test('the next post exists, doesn’t exist, or is unreadable', async () => {
  expect(await readNextPost({ Id: 'a', Content: 'Hi' })).toMatchObject({
    post: { id: 'a' },
    isReadable: true,
  });
  expect(await readNextPost({ post: { Content: 'Hi' } })).toMatchObject({
    post: { content: 'Hi' },
    isReadable: true,
  });
  expect(await readNextPost([{ Id: 'a' }, { Id: 'b' }])).toMatchObject({
    post: { id: 'a' },
    isReadable: true,
  });
  expect(await readNextPost(null)).toEqual({ post: undefined, isReadable: true });
  expect(await readNextPost([])).toEqual({ post: undefined, isReadable: true });
  for (const data of ['"soon"', {}, [null], 4]) {
    expect(await readNextPost(data)).toEqual({ post: undefined, isReadable: false });
  }
});

describe('the other records', () => {
  test('a project without a name is shown by its id, and a project without an id is unreadable', async () => {
    const client = await createClientWithData([{ _id: 1, name: 'Harbour' }, { Id: 'p2' }, { Name: 'No id' }]);
    expect(getData(await listProjects(client))).toEqual({
      isReadable: true,
      items: [
        { id: '1', name: 'Harbour' },
        { id: 'p2', name: 'p2' },
      ],
      unreadableCount: 1,
      isTruncated: false,
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
    expect(getData(outcome)).toEqual({ template, isReadable: true });
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
