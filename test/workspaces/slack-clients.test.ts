import { expect, test } from 'vitest';
import { createSlackClients } from '../../src/workspaces/workspaces.ts';

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
