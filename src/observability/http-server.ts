import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

export interface HttpServerOptions {
  host: string;
  /** 0: any free one. */
  port: number;
  metrics: Metrics;
  /** Whether Slack's requests and people's work can be taken; liveness does not depend on it. */
  isReady: () => Promise<boolean>;
  /** Slack's requests in HTTP mode: everything else that is asked for. */
  slack?: RequestListener;
}

/** Slow senders hold a socket no longer than this (ms): Slack sends a request whole and at once. */
const REQUEST_MS = 10_000;

function answer(response: Parameters<RequestListener>[1], status: number, text: string, type = 'text/plain') {
  response.writeHead(status, {
    'content-type': type.includes('charset') ? type : `${type}; charset=utf-8`,
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}

/**
 * `/health/live`, `/health/ready`, `/metrics` and Slack's requests on one port.
 * Rejects with the system's error (`EADDRINUSE` …) when it cannot listen.
 */
export async function startHttpServer(
  options: HttpServerOptions,
): Promise<{ port: number; close(): Promise<void> }> {
  const routes: Record<string, RequestListener> = {
    '/health/live': (_request, response) => answer(response, 200, 'live\n'),
    '/health/ready': async (_request, response) => {
      const ready = await options.isReady().catch(() => false);
      answer(response, ready ? 200 : 503, ready ? 'ready\n' : 'not ready\n');
    },
    '/metrics': async (_request, response) => {
      const { text, contentType } = await options.metrics.read();
      answer(response, 200, text, contentType);
    },
  };
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
    (request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      const route = request.method === 'GET' && Object.hasOwn(routes, path) ? routes[path] : options.slack;
      if (route) route(request, response);
      else answer(response, 404, 'not found\n');
    },
  );
  await listen(server, options.host, options.port);
  return { port: addressOf(server).port, close: () => close(server) };
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
