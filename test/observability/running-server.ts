import { type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { startHttpServer } from '../../src/observability/http-server.ts';
import { createMetrics } from '../../src/observability/metrics.ts';

type Options = Partial<Parameters<typeof startHttpServer>[0]>;

/** Starts a server on a free port. It is closed after the test. A concurrent test passes its context. */
export async function startTestServer(
  {
    metrics = createMetrics({}),
    isReady = async () => true,
    ...options
  }: Options & Partial<NonNullable<Options['health']>> = {},
  context = { onTestFinished },
) {
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    health: { metrics, isReady },
    cacheMs: 0,
    ...options,
  });
  context.onTestFinished(server.close);
  return { ...server, get: (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`) };
}

/** Requests a page with this `Host` header, which fetch can't set. Sends no such header if `host` is undefined. */
export function getWithHost(port: number, host: string | undefined, path = '/metrics', method = 'GET') {
  return new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, setHost: host !== undefined });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    });
    outgoing.end();
  });
}
