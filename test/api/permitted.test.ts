import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createApiClient, withSendPermit } from '../../src/api/client.ts';
import { listProjects } from '../../src/api/projects.ts';
import { listeningPort } from '../support/listening-port.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end();
});

/** Starts a service that records its connections and requests. */
async function startRecordingService() {
  const seen: string[] = [];
  const server = createServer((_request, response) => {
    seen.push('request');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"data":[]}');
  });
  const connected = once(server, 'connection').then(() => seen.push('connection'));
  const api = createApiClient({ baseUrl: `http://127.0.0.1:${await listeningPort(server)}`, token: 'token' });
  cleanups.push(
    () => api.close(),
    () => new Promise((resolve) => server.close(resolve)),
  );
  return { api, seen, connected };
}

test('a call whose permit is refused after connecting is not sent', async () => {
  const { api, seen, connected } = await startRecordingService();
  const outcome = await listProjects(withSendPermit(api, () => false));
  expect(outcome).toMatchObject({ kind: 'not-applied', cause: 'lease-too-short' });
  await connected;
  expect(seen).toEqual(['connection']);
});

test('a call requests its permit after connecting, and is sent if it gets the permit', async () => {
  const { api, seen } = await startRecordingService();
  const outcome = await listProjects(
    withSendPermit(api, () => {
      seen.push('permit');
      return true;
    }),
  );
  expect(outcome.kind).toBe('done');
  expect(seen.filter((event) => event !== 'connection')).toEqual(['permit', 'request']);
});
