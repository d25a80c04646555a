import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createUnavailableClient } from '../../src/api/client.ts';
import { listProjects } from '../../src/api/projects.ts';
import type { Credential, Credentials } from '../../src/workspaces/credentials.ts';
import type { ServiceRecords } from '../../src/workspaces/known-projects.ts';
import { createServices } from '../../src/workspaces/services.ts';
import { createSlackClients } from '../../src/workspaces/workspaces.ts';
import { listenOnFreePort } from '../support/listening-port.ts';
import { createScriptedLookup, startTlsFront } from '../support/tls-front.ts';

const loaded = (...credentials: Credential[]) => ({ credentials, services: new Map(), exceptions: [] });
const records: ServiceRecords = {
  addService: async () => '',
  settleProject: async () => undefined,
  createWatch: () => async () => new Set(),
};

test('a workspace has the same client, although thousands of other workspaces use theirs', async () => {
  const connection = {
    url: 'https://service.example',
    token: 'token',
    connectedBy: 'U1',
    connectedAt: new Date(),
  };
  const credentials: Credentials = {
    load: async (workspace) => loaded({ id: workspace, ...connection }),
    save: async () => undefined,
    remove: async () => true,
  };
  const services = createServices({ credentials, records, addressRules: { allowPrivate: false } });
  const { api } = await services.resolveService('T0');
  for (let index = 1; index < 5_000; index += 1) await services.resolveService(`T${index}`);
  expect((await services.resolveService('T0')).api).toBe(api);
});

test('a workspace whose projects have connections of their own doesn’t only use the service in the settings', async () => {
  const connection = { token: 'token', connectedBy: 'U1', connectedAt: new Date() };
  const project = { id: 'p1', name: 'Harbour Coffee' };
  const credentials: Credentials = {
    load: async (workspace) =>
      workspace === 'T1'
        ? loaded()
        : loaded({ id: 'c1', url: 'https://service.example', project, ...connection }),
    save: async () => undefined,
    remove: async () => true,
  };
  const settings = { api: createUnavailableClient('not-connected'), servesWorkspace: () => true };
  const services = createServices({ credentials, records, settings, addressRules: { allowPrivate: false } });
  expect((await services.resolveService('T1')).isDefault).toBe(true);
  expect((await services.resolveService('T2')).isDefault).toBe(false);
});

const bot = (token: string, isOrgWide = false) => ({ token, isOrgWide });

test('requests and background work share a client, and a new token gets a new client', () => {
  const clients = createSlackClients({});
  const client = clients.get('T1', bot('xoxb-1'));
  expect(clients.get('T1', bot('xoxb-1'))).toBe(client);
  const newClient = clients.get('T1', bot('xoxb-2'));
  expect(newClient.token).toBe('xoxb-2');
  expect(clients.get('T2', bot('xoxb-2', true))).not.toBe(newClient);
});

test('however many workspaces are active, only the clients of a thousand are stored', () => {
  const clients = createSlackClients({});
  const first = clients.get('T1', bot('xoxb-1'));
  for (let index = 0; index < 1_000; index += 1) clients.get(`T1${index}`, bot('xoxb-1'));
  expect(clients.get('T1', bot('xoxb-1'))).not.toBe(first);
});

/** A service that answers with `status`, except to the token "new". */
async function startRefusingService(status: number, now = () => Date.now()) {
  const server = createServer((request, response) => {
    const isNew = request.headers.authorization === 'Bearer new';
    response.writeHead(isNew ? 200 : status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: true, data: [] }));
  });
  const front = await startTlsFront(`http://127.0.0.1:${await listenOnFreePort(server)}`);
  const { lookup } = createScriptedLookup(['127.0.0.1']);
  const stored = { token: 'old', readCount: 0 };
  const credentials: Credentials = {
    async load() {
      stored.readCount += 1;
      const { token } = stored;
      return loaded({ id: token, url: front.url, token, connectedBy: 'U1', connectedAt: new Date() });
    },
    save: async () => undefined,
    remove: async () => true,
  };
  const refused: object[] = [];
  const onRefused = (of: object) => void refused.push(of);
  const addressRules = { allowPrivate: true, lookup, ca: front.ca };
  const services = createServices({ credentials, records, onRefused, addressRules, now });
  onTestFinished(async () => {
    await services.close();
    await front.close();
    server.close();
  });
  const list = async () => (await listProjects((await services.resolveService('T1')).api)).kind;
  return { services, stored, refused, list };
}

test('a token that another instance has replaced isn’t called refused, and the new one is used at once', async () => {
  const { stored, refused, list } = await startRefusingService(401);
  expect(await list()).toBe('refused');
  await expect.poll(() => refused).toEqual([{ workspace: 'T1' }]);
  stored.token = 'new';
  expect(await list()).toBe('refused');
  await expect.poll(list).toBe('done');
  expect(refused).toHaveLength(1);
});

test('a token that is replaced during a call is used next, also if the old one was read meanwhile', async () => {
  const clock = { ms: 0 };
  const { services, stored, refused } = await startRefusingService(401, () => clock.ms);
  const client = await services.findApi('T1');
  const answered = listProjects((await services.resolveService('T1')).api);
  // The cached credentials expire.
  clock.ms += 60_000;
  await services.findApi('T1');
  stored.token = 'new';
  expect((await answered).kind).toBe('refused');
  expect((await services.findApi('T1'))?.credential).not.toBe(client?.credential);
  expect(refused).toEqual([]);
});

test('after a refused right, a token that another instance has replaced is used at once', async () => {
  const { services, stored, refused, list } = await startRefusingService(403);
  const client = await services.findApi('T1');
  stored.token = 'new';
  expect(await list()).toBe('refused');
  // A refused submission is paused only if its client is still current.
  expect((await services.findApi('T1'))?.credential).not.toBe(client?.credential);
  expect(await list()).toBe('done');
  expect(refused).toEqual([]);
});

test.each([401, 403])('credentials are read once after many refused calls at a time (%i)', async (status) => {
  const { services, stored, list } = await startRefusingService(status);
  await services.resolveService('T1');
  await Promise.all(Array.from({ length: 20 }, list));
  await services.resolveService('T1');
  expect(stored.readCount).toBe(2);
});
