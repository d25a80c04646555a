import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isKnownHost } from './known-host.ts';
import type { Metrics } from './metrics.ts';
import { refusePipelines } from './pipelining.ts';

/** What operators ask for. */
interface Health {
  metrics: Metrics;
  /** Whether Slack's requests and people's work can be taken; liveness does not depend on it. */
  isReady: () => Promise<boolean>;
}

interface HttpServerOptions {
  host: string;
  /** 0: any free one. */
  port: number;
  /** Further names that it answers under; `*.example.com` is every name below it. */
  allowedHosts?: readonly string[];
  /** Undefined where it is served on another port. */
  health?: Health | undefined;
  /** Slack's requests in HTTP mode: everything else that is asked for. */
  slack?: RequestListener;
  /** Where everybody reaches this app, if it is known. */
  publicUrl?: string;
  /** How long a request may take to come in, ms. */
  requestMs?: number;
  /** How long one reading of health or figures is good for everybody who asks, ms. */
  readingMs?: number;
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
/** Proxies and scrapers keep a few dozen connections. */
const MAX_SOCKETS = 2_000;
/** A busy scraper's interval is 5 s: none needs fresher figures. */
const READING_MS = 1_000;
/** A readiness check that hangs is a no. */
const READY_MS = 2_000;
/** Acknowledgements are out by then; who still sends is cut off. */
const CLOSE_MS = 3_000;

/**
 * `/health/live`, `/health/ready`, `/metrics` and Slack's requests on one port, or health on another. Whoever reaches
 * the port can ask, so no number of requests costs more than a reading a second and a bounded number of sockets.
 * Rejects with the system's error (`EADDRINUSE` …) when it cannot listen.
 */
export async function startHttpServer(
  options: HttpServerOptions,
): Promise<{ port: number; close(): Promise<void> }> {
  const { publicUrl, slack, requestMs = REQUEST_MS } = options;
  const pages = new Map(options.health && Object.entries(pagesOf(options.health, options.readingMs)));
  const named = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const ours = [options.host, ...named, ...(options.allowedHosts ?? [])];
  const limits = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    // Node looks for what is too slow only so often, and by default twice a minute.
    connectionsCheckingInterval: Math.min(1_000, requestMs),
    maxHeaderSize: HEADER_BYTES,
  };
  const headers = new Map(Object.entries({ ...HEADERS, ...(publicUrl?.startsWith('https:') && HTTPS_ONLY) }));
  const server = createServer(limits);
  const isPipelined = refusePipelines(server);
  server.on('request', (request, response) => {
    if (isPipelined(request, response)) return;
    response.setHeaders(headers);
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
  server.maxConnections = MAX_SOCKETS;
  await listen(server, options.host, options.port);
  return { port: addressOf(server).port, close: () => close(server) };
}

/** On every answer; a page of its own says more. Nothing runs, nobody frames it or keeps it. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
/** For a year (https://www.rfc-editor.org/rfc/rfc6797); of subdomains Upnext knows nothing. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' };

const UNKNOWN_HOST: Page = { status: 421, text: 'not a name of this server: ask by its address\n' };
const ONLY_GET: Page = { status: 405, text: 'only GET\n' };
const FAILED: Page = { status: 500, text: 'failed\n' };
const NOT_FOUND: Page = { status: 404, text: 'not found\n' };

function pagesOf({ isReady, metrics }: Health, readingMs = READING_MS): Record<string, () => Promise<Page>> {
  return {
    '/health/live': async () => ({ status: 200, text: 'live\n' }),
    '/health/ready': shared(readingMs, async () => {
      const late = delay(READY_MS, false, { ref: false });
      const ready = await Promise.race([isReady(), late]).catch(() => false);
      return ready ? { status: 200, text: 'ready\n' } : { status: 503, text: 'not ready\n' };
    }),
    '/metrics': shared(readingMs, async () => ({ status: 200, ...(await metrics.read()) })),
  };
}

/** One reading for all who ask while it is under way, or within `ms` of its beginning. */
function shared(ms: number, read: () => Promise<Page>): () => Promise<Page> {
  let began = Number.NEGATIVE_INFINITY;
  let isUnderWay = false;
  let reading: Promise<Page> | undefined;
  return () => {
    const now = performance.now();
    if (reading && (isUnderWay || now - began < ms)) return reading;
    began = now;
    isUnderWay = true;
    reading = read().finally(() => {
      isUnderWay = false;
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
  await Promise.race([closed, delay(CLOSE_MS, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
