import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { startHttpServer } from '../../src/observability/http-server.ts';
import { createMetrics } from '../../src/observability/metrics.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(options: Partial<Parameters<typeof startHttpServer>[0]> = {}) {
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    metrics: createMetrics(),
    isReady: async () => true,
    ...options,
  });
  closing.push(server.close);
  return { ...server, get: (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`) };
}

test('a process that is up is live, and ready only when its parts are', async () => {
  let ready = false;
  const { get } = await start({ isReady: async () => ready });
  expect((await get('/health/live')).status).toBe(200);
  expect((await get('/health/ready')).status).toBe(503);
  ready = true;
  expect((await get('/health/ready')).status).toBe(200);
});

test('a readiness check that fails means not ready, and not a crash', async () => {
  const { get } = await start({ isReady: () => Promise.reject(new Error('the database is gone')) });
  expect((await get('/health/ready')).status).toBe(503);
});

test('calls to the service are counted by operation and outcome', async () => {
  const metrics = createMetrics();
  const { get } = await start({ metrics });
  metrics.serviceCall({ operation: 'createPost', outcome: 'done', ms: 120 });
  metrics.serviceCall({ operation: 'createPost', outcome: 'unknown', ms: 15_000 });
  const text = await (await get('/metrics')).text();
  expect(text).toContain('upnext_service_calls_total{operation="createPost",outcome="unknown"} 1');
  expect(text).toContain('upnext_service_call_seconds_bucket{le="0.25",operation="createPost"} 1');
});

test('without Slack over HTTP nothing else is answered', async () => {
  const { get } = await start();
  expect((await get('/slack/events')).status).toBe(404);
});

test('a taken port is told as the system says it', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  taken.close();
});
