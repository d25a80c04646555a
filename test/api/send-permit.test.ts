import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createApiClient, withSendPermit } from '../../src/api/client.ts';
import { listProjects } from '../../src/api/projects.ts';
import { listenOnFreePort } from '../support/listening-port.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end();
});

/** Starts a service that records its connections and requests. */
async function startRecordingService() {
  const events: string[] = [];
  const server = createServer((_request, response) => {
    events.push('request');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"data":[]}');
  });
  const connected = once(server, 'connection').then(() => events.push('connection'));
  const api = createApiClient({
    baseUrl: `http://127.0.0.1:${await listenOnFreePort(server)}`,
    token: 'token',
  });
  cleanups.push(
    () => api.close(),
    () => new Promise((resolve) => server.close(resolve)),
  );
  return { api, events, connected };
}

test('a call isn’t sent if its send permit is refused after connecting', async () => {
  const { api, events, connected } = await startRecordingService();
  const outcome = await listProjects(withSendPermit(api, () => false));
  expect(outcome).toMatchObject({ kind: 'not-applied', cause: 'lease-too-short' });
  await connected;
  expect(events).toEqual(['connection']);
});

test('a call requests its send permit after connecting, and is sent if it gets the permit', async () => {
  const { api, events } = await startRecordingService();
  const outcome = await listProjects(
    withSendPermit(api, () => {
      events.push('permit');
      return true;
    }),
  );
  expect(outcome.kind).toBe('done');
  expect(events.filter((event) => event !== 'connection')).toEqual(['permit', 'request']);
});
