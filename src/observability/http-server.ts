import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isKnownHost } from './known-host.ts';
import type { Metrics } from './metrics.ts';
import { refusePipelines } from './pipelining.ts';

/** The sources of the health checks and metrics. */
interface Health {
  metrics: Metrics;
  /** Whether requests can be handled. Liveness doesn't depend on it. */
  isReady: () => Promise<boolean>;
}

interface HttpServerOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Further host names of this server. `*.example.com` matches every name below it. */
  allowedHosts?: readonly string[];
  /** Undefined if health is served on another port. */
  health?: Health | undefined;
  /** Handles all other requests: Slack's, in HTTP mode. */
  slack?: RequestListener;
  /** The app's public address, if known. */
  publicUrl?: string;
  /** How long receiving a request may take, ms. Defaults to REQUEST_TIMEOUT_MS. */
  requestMs?: number;
  /** How long a readiness check or a read of the metrics is cached, ms. Defaults to READING_MS. */
  readingMs?: number;
}

interface Page {
  status: number;
  text: string;
  contentType?: string;
}

/** How long receiving a request may take. Slack sends a request at once; slow senders would occupy sockets. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Slack's headers are under 1 KB, and a proxy adds some. */
const MAX_HEADER_BYTES = 8 * 1024;
/** Generous: proxies and scrapers use a few dozen connections. */
const MAX_SOCKETS = 2_000;
/** Fresh enough for scrapers, whose shortest usual interval is 5 s. */
const READING_MS = 1_000;
/** A readiness check that takes longer counts as not ready. */
const READY_TIMEOUT_MS = 2_000;
/** Acknowledgements are sent within this time. Open connections are then destroyed. */
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * Serves `/health/live`, `/health/ready`, `/metrics` and Slack's requests on one port, or health on another. The port
 * may be public, so any number of requests causes at most one reading a second and a bounded number of sockets. Rejects
 * with the system's error (such as `EADDRINUSE`) if it can't listen.
 */
export async function startHttpServer(
  options: HttpServerOptions,
): Promise<{ port: number; close(): Promise<void> }> {
  const { publicUrl, slack, requestMs = REQUEST_TIMEOUT_MS } = options;
  const pages = new Map(options.health && Object.entries(createPages(options.health, options.readingMs)));
  const publicHosts = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const ownHosts = [options.host, ...publicHosts, ...(options.allowedHosts ?? [])];
  const limits = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    // Node enforces these timeouts at this interval, by default every 30 s.
    connectionsCheckingInterval: Math.min(1_000, requestMs),
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const headers = new Map(Object.entries({ ...HEADERS, ...(publicUrl?.startsWith('https:') && HTTPS_ONLY) }));
  const server = createServer(limits);
  const isPipelined = refusePipelines(server);
  server.on('request', (request, response) => {
    if (isPipelined(request, response)) return;
    response.setHeaders(headers);
    const [path = ''] = (request.url ?? '').split('?');
    const page = pages.get(path);
    // Without PUBLIC_URL the server doesn't know its public name. Slack's requests are then trusted by their signature.
    const isHostChecked = page !== undefined || publicUrl !== undefined;
    if (isHostChecked && !isKnownHost(request.headers.host, ownHosts)) return answer(response, UNKNOWN_HOST);
    if (page && request.method !== 'GET' && request.method !== 'HEAD') return answer(response, ONLY_GET);
    if (page)
      return void page().then(
        (found) => answer(response, found),
        () => answer(response, FAILED),
      );
    if (slack) return slack(request, response);
    answer(response, NOT_FOUND);
  });
  server.maxConnections = MAX_SOCKETS;
  await listen(server, options.host, options.port);
  return { port: addressOf(server).port, close: () => close(server) };
}

/** Headers of every answer: they forbid scripts, framing and caching. The install pages add their own. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
/** One year (https://www.rfc-editor.org/rfc/rfc6797), without subdomains, which may belong to others. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' };

const UNKNOWN_HOST: Page = {
  status: 421,
  text: 'unknown host: add it to ALLOWED_HOSTS, or use the IP address\n',
};
const ONLY_GET: Page = { status: 405, text: 'only GET is allowed\n' };
const FAILED: Page = { status: 500, text: 'failed\n' };
const NOT_FOUND: Page = { status: 404, text: 'not found\n' };

function createPages(
  { isReady, metrics }: Health,
  readingMs = READING_MS,
): Record<string, () => Promise<Page>> {
  return {
    '/health/live': async () => ({ status: 200, text: 'live\n' }),
    '/health/ready': shareReading(readingMs, async () => {
      const timeout = delay(READY_TIMEOUT_MS, false, { ref: false });
      const ready = await Promise.race([isReady(), timeout]).catch(() => false);
      return ready ? { status: 200, text: 'ready\n' } : { status: 503, text: 'not ready\n' };
    }),
    '/metrics': shareReading(readingMs, async () => ({ status: 200, ...(await metrics.read()) })),
  };
}

/** Shares one reading among all requests that arrive while it runs, or within `ms` of its start. */
function shareReading(ms: number, read: () => Promise<Page>): () => Promise<Page> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let reading: Promise<Page> | undefined;
  return () => {
    const now = performance.now();
    if (reading && (isRunning || now - startedAt < ms)) return reading;
    startedAt = now;
    isRunning = true;
    reading = read().finally(() => {
      isRunning = false;
    });
    return reading;
  };
}

function answer(response: ServerResponse, page: Page): void {
  const { status, text, contentType = 'text/plain; charset=utf-8' } = page;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
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
  await Promise.race([closed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
