import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

interface HttpServerOptions {
  host: string;
  /** 0: any free one. */
  port: number;
  metrics: Metrics;
  /** Whether Slack's requests and people's work can be taken; liveness does not depend on it. */
  isReady: () => Promise<boolean>;
  /** Slack's requests in HTTP mode: everything else that is asked for. */
  slack?: RequestListener;
}

interface Page {
  status: number;
  text: string;
  contentType?: string;
}

/** Slow senders hold a socket no longer than this (ms): Slack sends a request whole and at once. */
const REQUEST_MS = 10_000;

/**
 * `/health/live`, `/health/ready`, `/metrics` and Slack's requests on one port.
 * Rejects with the system's error (`EADDRINUSE` …) when it cannot listen.
 */
export async function startHttpServer(
  options: HttpServerOptions,
): Promise<{ port: number; close(): Promise<void> }> {
  const pages = new Map(Object.entries(pagesOf(options)));
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
    (request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      const page = request.method === 'GET' ? pages.get(path) : undefined;
      if (page) {
        page().then(
          (found) => answer(response, found),
          () => answer(response, { status: 500, text: 'failed\n' }),
        );
      } else if (options.slack) options.slack(request, response);
      else answer(response, { status: 404, text: 'not found\n' });
    },
  );
  await listen(server, options.host, options.port);
  return { port: addressOf(server).port, close: () => close(server) };
}

function pagesOf({ isReady, metrics }: HttpServerOptions): Record<string, () => Promise<Page>> {
  return {
    '/health/live': async () => ({ status: 200, text: 'live\n' }),
    '/health/ready': async () => {
      const ready = await isReady().catch(() => false);
      return ready ? { status: 200, text: 'ready\n' } : { status: 503, text: 'not ready\n' };
    },
    '/metrics': async () => ({ status: 200, ...(await metrics.read()) }),
  };
}

function answer(response: ServerResponse, page: Page): void {
  const { status, text, contentType = 'text/plain; charset=utf-8' } = page;
  response.writeHead(status, { 'content-type': contentType, 'x-content-type-options': 'nosniff' });
  response.end(text);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await closed;
}
