import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../src/api/client.ts';
import { listPosts } from '../../src/api/posts.ts';
import { listProjects } from '../../src/api/projects.ts';
import { getTemplate } from '../../src/api/templates.ts';
import { restrictClient } from '../../src/app/narrowed-context.ts';
import { type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

let service: ScriptedService;
let client: ApiClient;
let restrictedClient: ApiClient;

beforeAll(async () => {
  service = await startScriptedService();
  client = createApiClient({ baseUrl: service.url, token: 'token' });
  restrictedClient = restrictClient(client, (_operation, project) => project === 'mine');
});
beforeEach(() => {
  service.calls.length = 0;
});
afterAll(async () => {
  await client.close();
  await service.stop();
});

test.each(['other', 'mine/../other', 'mine%2F..%2Fother', '', '..', 'MINE', 'mine '])(
  'a call about the project “%s” is refused as if it didn’t exist, and is never sent',
  async (projectId) => {
    expect(await listPosts(restrictedClient, { projectId })).toMatchObject({ kind: 'refused', status: 404 });
    expect(await getTemplate(restrictedClient, { projectId, templateId: 'mine' })).toMatchObject({
      kind: 'refused',
    });
    expect(service.calls).toEqual([]);
  },
);

test('the list of all projects is refused', async () => {
  expect(await listProjects(restrictedClient)).toMatchObject({ status: 404 });
  expect(service.calls).toEqual([]);
});

test('a call about a visible project is sent', async () => {
  expect(await listPosts(restrictedClient, { projectId: 'mine' })).toMatchObject({ kind: 'done' });
  await getTemplate(restrictedClient, { projectId: 'mine', templateId: '../../other/templates/x' });
  expect(service.calls.map(({ path }) => path)).toEqual([
    '/api/v1/projects/mine/posts',
    '/api/v1/projects/mine/templates/..%2F..%2Fother%2Ftemplates%2Fx',
  ]);
});
