import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../src/api/client.ts';
import { listProjects } from '../../src/api/projects.ts';
import { data, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

// Responses with an unexpected structure that the tests of the client don't contain.

let service: ScriptedService;
let client: ApiClient;
beforeAll(async () => {
  service = await startScriptedService();
  client = createApiClient({ baseUrl: service.url, token: 'a-token' });
});
afterAll(async () => {
  await client.close();
  await service.stop();
});

test('a nested list is counted as an unreadable record, and the other records are read', async () => {
  service.on('GET /projects', data([[{ Id: 'p1', Name: 'Harbour' }], { Id: 'p2', Name: 'Books' }]));
  expect(await listProjects(client)).toMatchObject({
    kind: 'done',
    data: { items: [{ id: 'p2', name: 'Books' }], unreadableCount: 1 },
  });
});
