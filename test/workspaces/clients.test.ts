import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createUnavailableClient } from '../../src/api/client.ts';
import { listProjects } from '../../src/api/projects.ts';
import type { Credentials } from '../../src/workspaces/credentials.ts';
import { createServices } from '../../src/workspaces/services.ts';
import { createSlackClients } from '../../src/workspaces/workspaces.ts';
import { listenOnFreePort } from '../support/listening-port.ts';
import { createScriptedLookup, startTlsFront } from '../support/tls-front.ts';

test('a workspace has the same client, although thousands of other workspaces use theirs', async () => {
  const connection = {
    url: 'https://service.example',
    token: 'token',
    connectedBy: 'U1',
    connectedAt: new Date(),
  };
  const credentials: Credentials = {
    list: async (workspace) => [{ id: workspace, ...connection }],
    save: async () => undefined,
    remove: async () => true,
  };
  const services = createServices({ credentials, addressRules: { allowPrivate: false } });
  const { api } = await services.resolveService('T0');
  for (let index = 1; index < 5_000; index += 1) await services.resolveService(`T${index}`);
  expect((await services.resolveService('T0')).api).toBe(api);
});

test('a workspace whose projects have connections of their own doesn’t only use the service in the settings', async () => {
  const connection = { token: 'token', connectedBy: 'U1', connectedAt: new Date() };
  const project = { id: 'p1', name: 'Harbour Coffee' };
  const credentials: Credentials = {
    list: async (workspace) =>
      workspace === 'T1' ? [] : [{ id: 'c1', url: 'https://service.example', project, ...connection }],
    save: async () => undefined,
    remove: async () => true,
  };
  const settings = { api: createUnavailableClient('not-connected'), servesWorkspace: () => true };
  const services = createServices({ credentials, settings, addressRules: { allowPrivate: false } });
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

test('a token that another instance has replaced isn’t called refused, and the new one is used at once', async () => {
  const server = createServer((request, response) => {
    const isNew = request.headers.authorization === 'Bearer new';
    response.writeHead(isNew ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: true, data: [] }));
  });
  const front = await startTlsFront(`http://127.0.0.1:${await listenOnFreePort(server)}`);
  const { lookup } = createScriptedLookup(['127.0.0.1']);
  const addressRules = { allowPrivate: true, lookup, ca: front.ca };
  let token = 'old';
  const credentials: Credentials = {
    list: async () => [{ id: token, url: front.url, token, connectedBy: 'U1', connectedAt: new Date() }],
    save: async () => undefined,
    remove: async () => true,
  };
  const refused: object[] = [];
  const onRefused = (of: object) => void refused.push(of);
  const services = createServices({ credentials, onRefused, addressRules });
  const list = async () => (await listProjects((await services.resolveService('T1')).api)).kind;
  expect(await list()).toBe('refused');
  await expect.poll(() => refused).toEqual([{ workspace: 'T1' }]);
  token = 'new';
  expect(await list()).toBe('refused');
  await expect.poll(list).toBe('done');
  expect(refused).toHaveLength(1);
  await services.close();
  await front.close();
  server.close();
});
