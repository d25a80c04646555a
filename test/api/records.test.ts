import { describe, expect, test } from 'vitest';
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

describe('the next post', () => {
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
