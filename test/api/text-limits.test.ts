import { expect, test } from 'vitest';
import { listLogs } from '../../src/api/logs.ts';
import type { Outcome } from '../../src/api/outcome.ts';
import { computePostFingerprint, listPosts } from '../../src/api/posts.ts';
import { listProjects } from '../../src/api/projects.ts';
import { listSources } from '../../src/api/sources.ts';
import { listTemplates } from '../../src/api/templates.ts';
import { TEXT_LIMITS } from '../../src/text-limits.ts';
import { createResponder, createTestClient, startServer } from './scripted-server.ts';

type TestClient = Awaited<ReturnType<typeof createTestClient>>['client'];

/** Reads a list of the service that returns these records. */
async function readList<T>(
  read: (client: TestClient) => Promise<Outcome<T>>,
  ...records: object[]
): Promise<T> {
  const { url } = await startServer(createResponder(200, JSON.stringify({ success: true, data: records })));
  const outcome = await read(createTestClient(url).client);
  if (outcome.kind !== 'done') throw new Error(`Not done: ${JSON.stringify(outcome)}`);
  return outcome.data;
}

const readPosts = (...records: object[]) =>
  readList((client) => listPosts(client, { projectId: 'p1' }), ...records);

const exceed = (field: keyof typeof TEXT_LIMITS) => 'é'.repeat(TEXT_LIMITS[field].max + 1);
const fill = (field: keyof typeof TEXT_LIMITS) => 'é'.repeat(TEXT_LIMITS[field].max);

test('a name is cut to its limit, and ends with an ellipsis', async () => {
  const { items } = await readList(
    listProjects,
    { Id: 'p1', Name: exceed('name') },
    { Id: 'p2', Name: fill('name') },
  );
  expect(items).toEqual([
    { id: 'p1', name: `${'é'.repeat(TEXT_LIMITS.name.max - 1)}…` },
    { id: 'p2', name: fill('name') },
  ]);
});

test('a record whose id is too long is unreadable, because a part of it may be the id of another record', async () => {
  const records = [
    { Id: exceed('id'), Name: 'One', Content: 'One' },
    { Id: fill('id'), Name: 'Two', Content: 'Two' },
  ];
  const expected = { items: [{ id: fill('id') }], unreadableCount: 1 };
  expect(await readList(listProjects, ...records)).toMatchObject(expected);
  expect(await readPosts(...records)).toMatchObject(expected);
  expect(await readList((client) => listTemplates(client, 'p1'), ...records)).toMatchObject(expected);
  expect(await readList((client) => listSources(client, 'p1'), ...records)).toMatchObject(expected);
});

test('a text of a post that is too long is unreadable and never compared as if it were whole', async () => {
  const { items } = await readPosts(
    { Id: 'a', Content: exceed('content'), Media: exceed('content'), TemplateId: exceed('id') },
    { Id: 'b', Content: fill('content') },
  );
  expect(items).toMatchObject([
    {
      content: undefined,
      media: undefined,
      templateId: undefined,
      unreadableFields: ['Content', 'Media', 'TemplateId'],
    },
    { content: fill('content') },
  ]);
});

test('a post whose text is too long isn’t recognised as one without a text', async () => {
  const { items } = await readPosts({ Id: 'a', Content: exceed('content') }, { Id: 'b' });
  const [unreadable, empty] = items.map((post) => computePostFingerprint('p1', post, false));
  expect(unreadable).not.toBe(empty);
});

test('the status, the zone, the date and the platforms of a post are limited', async () => {
  const { items } = await readPosts(
    {
      Id: 'a',
      Status: exceed('name'),
      Timezone: exceed('date'),
      ScheduleDate: exceed('date'),
      Platforms: exceed('platformList'),
    },
    { Id: 'b', Platforms: [exceed('name')] },
    { Id: 'c', Platforms: Array(101).fill('X') },
  );
  expect(items).toMatchObject([
    {
      status: `${'É'.repeat(TEXT_LIMITS.name.max - 1)}…`,
      platforms: [],
      unreadableFields: ['ScheduleDate', 'Timezone', 'Platforms'],
    },
    { platforms: [`${'É'.repeat(TEXT_LIMITS.name.max - 1)}…`] },
    { platforms: [], unreadableFields: ['Platforms'] },
  ]);
});

test('a template or a source with a text that is too long is unreadable', async () => {
  const template = { Id: 't', Content: exceed('content') };
  expect(await readList((client) => listTemplates(client, 'p1'), template)).toMatchObject({
    items: [],
    unreadableCount: 1,
  });
  const sources = [
    { Id: 'a', Description: exceed('content') },
    { Id: 'b', Source: { Source: exceed('content') } },
  ];
  expect(await readList((client) => listSources(client, 'p1'), ...sources)).toMatchObject({
    items: [],
    unreadableCount: 2,
  });
});

test('the texts of a log line are cut to their limits', async () => {
  const records = [
    {
      Message: exceed('logText'),
      User: { Name: exceed('name') },
      Kind: exceed('name'),
      Extra: exceed('logText'),
    },
  ];
  const { items } = await readList((client) => listLogs(client, 'p1'), ...records);
  const [line] = items;
  expect(line?.message).toHaveLength(TEXT_LIMITS.logText.max);
  expect(line?.actor).toHaveLength(TEXT_LIMITS.name.max);
  expect(line?.kind).toHaveLength(TEXT_LIMITS.name.max);
  expect(line?.details).toHaveLength(TEXT_LIMITS.logText.max);
});
