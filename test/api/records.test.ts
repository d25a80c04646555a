import { describe, expect, test } from 'vitest';
import { getUpnextPost } from '../../src/api/dashboard.ts';
import { listLogs } from '../../src/api/logs.ts';
import type { Outcome } from '../../src/api/outcome.ts';
import { listPosts } from '../../src/api/posts.ts';
import { listProjects } from '../../src/api/projects.ts';
import { listSources } from '../../src/api/sources.ts';
import { getTemplate, listTemplates } from '../../src/api/templates.ts';
import { answering, clientOf, say } from './answering-server.ts';

/** A client of a service that returns `data`; as JSON text if the digits of numbers matter. */
async function serviceWith(data: unknown) {
  const json = typeof data === 'string' ? data : JSON.stringify(data);
  const { url } = await answering(say(200, `{"success": true, "data": ${json}}`));
  return clientOf(url).client;
}

function done<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') throw new Error(`Not done: ${JSON.stringify(outcome)}`);
  return outcome.data;
}

const posts = async (data: unknown) => done(await listPosts(await serviceWith(data), { projectId: 'p1' }));
const upnext = async (data: unknown) => done(await getUpnextPost(await serviceWith(data), 'p1'));

describe('the place of the records in the response', () => {
  const post = { Id: 'a', Content: 'Hi' };
  const places: Record<string, unknown> = {
    'a list': [post],
    'the record itself': post,
    '{items}': { items: [post], total: 1 },
    '{posts}': { posts: [post] },
    '{data}': { data: [post] },
    '{Posts}': { Posts: [post] },
    'an envelope in an envelope': { data: { items: [post] } },
  };
  for (const [name, data] of Object.entries(places)) {
    test(`${name} is found`, async () => {
      expect(await posts(data)).toMatchObject({
        shape: 'read',
        items: [{ id: 'a', content: 'Hi' }],
        unreadable: 0,
      });
    });
  }

  for (const data of [null, [], { items: [] }, { posts: null }]) {
    test(`${JSON.stringify(data)} has no records`, async () => {
      expect(await posts(data)).toEqual({ shape: 'read', items: [], unreadable: 0, isTruncated: false });
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
    test(`${JSON.stringify(data)} is unreadable, which isn’t the same as no records`, async () => {
      expect(await posts(data)).toEqual({
        shape: 'unreadable',
        items: [],
        unreadable: 0,
        isTruncated: false,
      });
    });
  }

  test('unreadable records are counted, and the others are returned', async () => {
    const { items, unreadable } = await posts([post, null, 'x', 3, [post], { Colour: 'red' }]);
    expect(items).toHaveLength(1);
    expect(unreadable).toBe(5);
  });
});

describe('a post', () => {
  const full = {
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
  const pascal = {
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
  const camel = { ...full, scheduleDate: '2026-12-01T09:00:00+01:00', promptId: 7, secret: 'kept out' };
  const { templateId, promptId, scheduleDate, id, ...rest } = camel;
  const snake = {
    ...rest,
    _id: id,
    template_id: templateId,
    prompt_id: promptId,
    schedule_date: scheduleDate,
  };
  for (const [name, data] of Object.entries({ PascalCase: pascal, camelCase: camel, snake_case: snake })) {
    test(`is read in ${name}, without fields that aren't a post's`, async () => {
      expect((await posts([data])).items).toEqual([full]);
    });
  }

  test('names its unreadable fields', async () => {
    const odd = { Id: {}, Content: 5, ScheduleDate: 'NaN', Platforms: 'X', Media: '', Status: null };
    expect((await posts([odd])).items).toMatchObject([
      {
        content: undefined,
        scheduleDate: undefined,
        platforms: [],
        unreadableFields: ['Content', 'ScheduleDate', 'Platforms'],
      },
    ]);
  });

  test('preserves every digit of an id beyond 2^53', async () => {
    const { items } = await posts('[{"Id": 9007199254740993}, {"Id": "18446744073709551616"}, {"Id": 42}]');
    expect(items.map((post) => post.id)).toEqual(['9007199254740993', '18446744073709551616', '42']);
  });

  test('has no id if the value can’t be an id', async () => {
    const { items } = await posts('[{"Id": 1.5}, {"Id": 1e300}, {"Id": {}}, {"Id": ""}, {"Id": true}]');
    expect(items.map((post) => post.id)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  test('with field names that every object has is read like any other', async () => {
    const data = '[{"__proto__": {"Content": "no"}, "constructor": 1, "Id": "a"}]';
    expect((await posts(data)).items).toMatchObject([{ id: 'a', content: undefined }]);
  });
});

describe('the next post', () => {
  test('exists, doesn’t exist, or is unreadable', async () => {
    expect(await upnext({ Id: 'a', Content: 'Hi' })).toMatchObject({ post: { id: 'a' }, shape: 'read' });
    expect(await upnext({ post: { Content: 'Hi' } })).toMatchObject({
      post: { content: 'Hi' },
      shape: 'read',
    });
    expect(await upnext([{ Id: 'a' }, { Id: 'b' }])).toMatchObject({ post: { id: 'a' }, shape: 'read' });
    expect(await upnext(null)).toEqual({ post: undefined, shape: 'read' });
    expect(await upnext([])).toEqual({ post: undefined, shape: 'read' });
    for (const data of ['"soon"', {}, [null], 4]) {
      expect(await upnext(data)).toEqual({ post: undefined, shape: 'unreadable' });
    }
  });
});

describe('the other records', () => {
  test('a project without a name is shown by its id, and one without an id is unreadable', async () => {
    const client = await serviceWith([{ _id: 1, name: 'Harbour' }, { Id: 'p2' }, { Name: 'No id' }]);
    expect(done(await listProjects(client))).toEqual({
      shape: 'read',
      items: [
        { id: '1', name: 'Harbour' },
        { id: 'p2', name: 'p2' },
      ],
      unreadable: 1,
      isTruncated: false,
    });
  });

  test('a source is read with a nested or a plain value', async () => {
    const client = await serviceWith([
      { Id: 's1', Description: 'Blog', Source: { Source: 'https://blog.example' } },
      { id: 's2', source: 'https://feed.example' },
    ]);
    expect(done(await listSources(client, 'p1')).items).toMatchObject([
      { id: 's1', description: 'Blog', value: 'https://blog.example' },
      { id: 's2', value: 'https://feed.example' },
    ]);
  });

  test('templates and log lines are read', async () => {
    const templates = await serviceWith([{ Id: 't1', Title: 'Launch', Content: 'We are live' }]);
    const template = { id: 't1', name: 'Launch', content: 'We are live' };
    expect(done(await listTemplates(templates, 'p1')).items).toEqual([template]);
    const one = await getTemplate(templates, { projectId: 'p1', templateId: 't1' });
    expect(done(one)).toEqual({ template, shape: 'read' });
    const logs = await serviceWith([
      { Id: 1, CreatedAt: '2026-11-20T08:00:00Z', Kind: 'post', Message: 'Made' },
    ]);
    expect(done(await listLogs(logs, 'p1')).items).toEqual([
      { id: '1', at: new Date('2026-11-20T08:00:00Z'), kind: 'post', message: 'Made' },
    ]);
  });
});
