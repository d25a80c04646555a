import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiClient, createApiClient, createUnavailableClient } from '../../src/api/client.ts';
import { joinClients } from '../../src/api/join-clients.ts';
import { listProjects } from '../../src/api/projects.ts';
import { listTemplates } from '../../src/api/templates.ts';
import { createPrompt } from '../../src/features/prompts/prompts.ts';
import { data, json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

const UNCONNECTED = createUnavailableClient('not-connected', async () => ['U1']);
let service: ScriptedService;
const clients: ApiClient[] = [];

function createClientWithToken(token: string, baseUrl = service.url): ApiClient {
  const client = createApiClient({ baseUrl, token });
  clients.push(client);
  return client;
}

beforeAll(async () => {
  service = await startScriptedService();
});
beforeEach(() => {
  service.calls.length = 0;
  service.on('GET /projects', ({ authorization = '' }, response) => {
    const projectIds = { 'Bearer workspace-token': ['p1', 'p2'], 'Bearer project-token': ['p2', 'p3'] }[
      authorization
    ];
    const respond = projectIds
      ? data(projectIds.map((Id) => ({ Id, Name: `${Id} by ${authorization}` })))
      : json(401, {});
    void respond({ method: '', path: '', query: new URLSearchParams(), authorization, body: null }, response);
  });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await service.stop();
});

const listNames = (outcome: Awaited<ReturnType<typeof listProjects>>) =>
  outcome.kind === 'done' ? outcome.data.items.map(({ name }) => name) : outcome;
const P2 = { id: 'p2', name: 'p2 as it was called' };
/** The client of a workspace in which the project p2 has its own token. */
const join = (workspace: ApiClient | undefined, token = 'project-token') =>
  joinClients(workspace, [{ project: P2, client: createClientWithToken(token) }], UNCONNECTED);

test('calls about a project use the project’s own token, or the workspace’s token if there is none', async () => {
  const client = join(createClientWithToken('workspace-token'));
  await listTemplates(client, 'p1');
  await listTemplates(client, 'p2');
  await createPrompt(client, { projectId: 'p2', title: 't', promptText: 'x' });
  const tokens = service.calls.map(({ authorization }) => authorization);
  expect(tokens).toEqual(['Bearer workspace-token', 'Bearer project-token', 'Bearer project-token']);
});

test.each(['p/2', 'p%2F2', '../p2', 'p2?x', '__proto__', 'constructor', 'p2 '])(
  'a project id that only resembles another is a different project: %j',
  async (id) => {
    const client = join(createClientWithToken('workspace-token'));
    await listTemplates(client, id);
    expect(service.calls.map(({ authorization }) => authorization)).toEqual(['Bearer workspace-token']);
  },
);

test('List Projects has each project once, with the name from its own token', async () => {
  const client = join(createClientWithToken('workspace-token'));
  expect(listNames(await listProjects(client))).toEqual([
    'p1 by Bearer workspace-token',
    'p2 by Bearer project-token',
  ]);
});

test('List Projects has the number of projects that couldn’t be read', async () => {
  service.on('GET /projects', data([{ Id: 'p1' }, { Name: 'without an id' }, 17]));
  const client = join(createClientWithToken('workspace-token'));
  const records = { items: [{ id: 'p1', name: 'p1' }, P2], unreadableCount: 2, isReadable: true };
  expect(await listProjects(client)).toMatchObject({ kind: 'done', data: records });
});

test('the names of a hundred projects with their own tokens are requested four at a time', async () => {
  let openCount = 0;
  let maxOpenCount = 0;
  const call = async () => {
    openCount += 1;
    maxOpenCount = Math.max(maxOpenCount, openCount);
    await new Promise((resolve) => setImmediate(resolve));
    openCount -= 1;
    return { kind: 'done' as const, data: [], requestId: 'r' };
  };
  const projectClients = Array.from({ length: 100 }, (_, index) => ({
    project: { id: `p${index}`, name: `Project ${index}` },
    client: { address: '', credential: {}, call, close: async () => undefined },
  }));
  expect(listNames(await listProjects(joinClients(undefined, projectClients, UNCONNECTED)))).toHaveLength(
    100,
  );
  expect(maxOpenCount).toBe(4);
});

test('a project whose token is refused stays listed, and choosing it shows the reason', async () => {
  const client = join(createClientWithToken('workspace-token'), 'revoked');
  expect(listNames(await listProjects(client))).toEqual([
    'p1 by Bearer workspace-token',
    'p2 as it was called',
  ]);
});

test('if the workspace’s own token is refused, projects with their own tokens stay listed', async () => {
  const client = join(createClientWithToken('revoked'));
  expect(listNames(await listProjects(client))).toEqual(['p2 by Bearer project-token']);
});

test.each([
  [402, { message: 'Renew first.' }],
  [200, { success: false, data: null, message: 'Renew first.' }],
])(
  'if the list of the workspace’s own projects is refused, no incomplete list is shown: %d',
  async (status, body) => {
    service.on('GET /projects', json(status, body));
    const client = join(createClientWithToken('workspace-token'));
    expect(await listProjects(client)).toMatchObject({
      kind: 'refused',
      status,
      problems: [{ message: 'Renew first.' }],
    });
  },
);

test('if the workspace’s own service is unreachable, no incomplete list is shown', async () => {
  const client = join(createClientWithToken('workspace-token', 'http://127.0.0.1:1'));
  expect(await listProjects(client)).toMatchObject({ kind: 'not-applied', cause: 'connection-refused' });
});

test('if only one project is connected, calls about other projects end without a request', async () => {
  const client = join(undefined);
  expect(listNames(await listProjects(client))).toEqual(['p2 by Bearer project-token']);
  service.calls.length = 0;
  expect(await listTemplates(client, 'p1')).toMatchObject({
    kind: 'not-applied',
    cause: 'not-connected',
    contactIds: ['U1'],
  });
  expect(service.calls).toEqual([]);
});
