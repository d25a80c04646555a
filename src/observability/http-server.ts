import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isKnownHost } from './known-host.ts';
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
  /** Where everybody reaches this app, if it is known. */
  publicUrl?: string;
  /** How long a request may take to come in, ms. */
  requestMs?: number;
}

interface Page {
  status: number;
  text: string;
  contentType?: string;
}

/** Slow senders hold a socket no longer than this (ms): Slack sends a request whole and at once. */
const REQUEST_MS = 10_000;
/** Slack's own headers are under 1 KB; a proxy adds some. */
const HEADER_BYTES = 8 * 1024;
/** A readiness check that hangs is a no. */
const READY_MS = 2_000;
/** Acknowledgements are out by then; who still sends is cut off. */
const CLOSE_MS = 3_000;

/**
 * `/health/live`, `/health/ready`, `/metrics` and Slack's requests on one port.
 * Rejects with the system's error (`EADDRINUSE` …) when it cannot listen.
 */
export async function startHttpServer(
  options: HttpServerOptions,
): Promise<{ port: number; close(): Promise<void> }> {
  const { publicUrl, slack, requestMs = REQUEST_MS } = options;
  const pages = new Map(Object.entries(pagesOf(options)));
  const ours = [options.host, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])];
  const limits = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    // Node looks for what is too slow only so often, and by default twice a minute.
    connectionsCheckingInterval: Math.min(1_000, requestMs),
    maxHeaderSize: HEADER_BYTES,
  };
  const server = createServer(limits, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const page = pages.get(path);
    // With one workspace nobody has told us our name: Slack's requests are known by their signature.
    const isNamed = page !== undefined || publicUrl !== undefined;
    if (isNamed && !isKnownHost(request.headers.host, ours)) return answer(response, UNKNOWN_HOST);
    if (page && request.method !== 'GET' && request.method !== 'HEAD') return answer(response, ONLY_GET);
    if (page)
      return void page().then(
        (found) => answer(response, found),
        () => answer(response, FAILED),
      );
    if (slack) return slack(request, response);
    answer(response, NOT_FOUND);
  });
  await listen(server, options.host, options.port);
  return { port: addressOf(server).port, close: () => close(server) };
}

const UNKNOWN_HOST: Page = { status: 421, text: 'not a name of this server: ask by its address\n' };
const ONLY_GET: Page = { status: 405, text: 'only GET\n' };
const FAILED: Page = { status: 500, text: 'failed\n' };
const NOT_FOUND: Page = { status: 404, text: 'not found\n' };

function pagesOf({ isReady, metrics }: HttpServerOptions): Record<string, () => Promise<Page>> {
  return {
    '/health/live': async () => ({ status: 200, text: 'live\n' }),
    '/health/ready': async () => {
      const late = delay(READY_MS, false, { ref: false });
      const ready = await Promise.race([isReady(), late]).catch(() => false);
      return ready ? { status: 200, text: 'ready\n' } : { status: 503, text: 'not ready\n' };
    },
    '/metrics': async () => ({ status: 200, ...(await metrics.read()) }),
  };
}

function answer(response: ServerResponse, page: Page): void {
  const { status, text, contentType = 'text/plain; charset=utf-8' } = page;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
    'content-security-policy':
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(status === 405 && { allow: 'GET, HEAD' }),
  });
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
  await Promise.race([closed, delay(CLOSE_MS, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
