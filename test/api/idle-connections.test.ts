import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import { listProjects } from '../../src/api/projects.ts';
import { listenOnFreePort } from '../support/listening-port.ts';

test('an idle connection is closed soon, although the service would keep it for ten minutes', async () => {
  let openCount = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'keep-alive': 'timeout=600' });
    response.end('{"success":true,"data":[]}');
  });
  server.keepAliveTimeout = 600_000;
  server.on('connection', (socket) => {
    openCount += 1;
    socket.on('close', () => {
      openCount -= 1;
    });
  });
  const port = await listenOnFreePort(server);
  const api = createApiClient({ baseUrl: `http://127.0.0.1:${port}`, token: 't' });
  expect(await listProjects(api)).toMatchObject({ kind: 'done' });
  expect(openCount).toBe(1);
  await expect.poll(() => openCount, { timeout: 15_000 }).toBe(0);
  await api.close();
  server.close();
});
