import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import { createPost, listPosts } from '../../src/api/posts.ts';
import { buildProjectId, getServiceId, parseProjectId, withProjectIds } from '../../src/api/project-ids.ts';
import { listProjects } from '../../src/api/projects.ts';
import { createProjectIds } from '../../src/workspaces/known-projects.ts';
import { data, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

let service: ScriptedService;
beforeAll(async () => {
  service = await startScriptedService();
});
beforeEach(() => {
  service.calls.length = 0;
});
afterAll(() => service.stop());

const MARKS = ['', '2', '3', '.1', '2.1'];
/** Ids that a service may choose to impersonate a project of another one. */
const SERVICE_IDS = ['p1', '~2~p1', '~~p1', '~~2~p1', '~', '~~', '~2', '2~p1', '~2.1~p1', ' ', 'p~1'];

test('no two projects have the same id, whatever ids their services choose', () => {
  const pairs = MARKS.flatMap((mark) => SERVICE_IDS.map((id) => [mark, id] as const));
  const ids = pairs.map(([mark, id]) => buildProjectId(mark, id));
  expect(new Set(ids).size).toBe(pairs.length);
  expect(ids.map(parseProjectId)).toEqual(pairs.map(([mark, serviceId]) => ({ service: mark, serviceId })));
});

test('the projects of the first service have its ids', () => {
  expect(buildProjectId('', 'p1')).toBe('p1');
  expect(getServiceId('p1')).toBe('p1');
});

const createClient = (mark: string) =>
  withProjectIds(
    createApiClient({ baseUrl: service.url, token: 'token' }),
    createProjectIds(mark, [], async () => new Set()),
  );

describe('the client of a further service', () => {
  test('lists the projects with Upnext’s ids, and sends the service’s', async () => {
    const client = createClient('2');
    const outcome = await listProjects(client);
    expect(outcome).toMatchObject({ data: { items: [{ id: '~2~p1', name: 'Harbour Coffee' }] } });
    const post = { projectId: '~2~p1', content: 'Hello', platforms: ['X'], status: 'DRAFT' } as const;
    expect((await createPost(client, post)).kind).toBe('done');
    expect((await listPosts(client, { projectId: '~2~p1', limit: 5 })).kind).toBe('done');
    expect(service.calls.slice(1)).toMatchObject([
      { path: '/api/v1/projects/p1/posts', body: { Content: 'Hello' } },
      { path: '/api/v1/projects/p1/posts', query: new URLSearchParams({ limit: '5' }) },
    ]);
  });

  test.each(['p1', '~3~p1', '~~p1', '~2.1~p1', '~2', '~2~', '~2~..'])(
    'sends no request about %j',
    async (projectId) => {
      expect(await listPosts(createClient('2'), { projectId })).toMatchObject({
        kind: 'refused',
        status: 404,
      });
      expect(service.calls).toEqual([]);
    },
  );

  test('encodes an id that has parts of an address', async () => {
    await listPosts(createClient('2'), { projectId: '~2~a/b?c' });
    expect(service.calls).toMatchObject([{ path: '/api/v1/projects/a%2Fb%3Fc/posts' }]);
  });
});

test('a service whose id looks like one of another service gets requests with its own id only', async () => {
  service.on('GET /projects', data([{ Id: '~2~p1', Name: 'Hostile' }]));
  const client = createClient('');
  expect(await listProjects(client)).toMatchObject({ data: { items: [{ id: '~~~2~p1', name: 'Hostile' }] } });
  expect(await listPosts(client, { projectId: '~2~p1' })).toMatchObject({ kind: 'refused', status: 404 });
  await listPosts(client, { projectId: '~~~2~p1' });
  expect(service.calls.map(({ path }) => path)).toEqual(['/api/v1/projects', '/api/v1/projects/~2~p1/posts']);
});
