import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import { within } from '../promises.ts';
import { limitConnections } from './connections.ts';
import type { Metrics } from './metrics.ts';

/** The sources of the health checks and metrics. */
interface Health {
  metrics: Metrics;
  /** Whether requests can be handled. Only readiness depends on it, and not liveness. */
  isReady: () => Promise<boolean>;
}

interface Page {
  status: number;
  text: string;
  contentType?: string;
}

/** How long a client may take to send a request. Slack sends a request at once; slow clients would occupy sockets. */
const REQUEST_TIMEOUT_MS = 10_000;
/**
 * How long an idle connection stays open. It is short, because anybody may connect. After a signed request, the
 * listener of Slack's requests keeps the connection for longer.
 */
const KEEP_ALIVE_MS = 5_000;
/** Slack's headers are under 1 KB, and a proxy adds some. */
const MAX_HEADER_BYTES = 8 * 1024;
/**
 * How long a client may take to read anything of an answer that doesn't fit into the system's buffers. Longer than any
 * handler works on an answer: the exchange of an OAuth code takes two calls of Slack, 10 s each.
 */
const ANSWER_TIMEOUT_MS = 30_000;
/** Short enough for scrapers, whose shortest usual interval is 5 s. */
const CACHE_MS = 1_000;
/** A readiness check that takes longer counts as not ready. */
const READY_TIMEOUT_MS = 2_000;
/** How long a close waits for open connections. All acknowledgements are sent within this time. */
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * Serves Slack's requests, and `/health/live` and `/health/ready` if `health` is set; `/metrics` too, but not on the
 * port for Slack's requests. The port may be public. However many requests arrive, there is at most one readiness check
 * and one read of the metrics a second, and the number of connections is bounded. Rejects with the system's error (such as
 * `EADDRINUSE`) if it can't listen.
 */
export async function startHttpServer(options: {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Additional host names of this server. `*.example.com` matches every name below `example.com`. */
  allowedHosts?: readonly string[];
  /** Undefined if health is served on another port. */
  health?: Health | undefined;
  /** Handles all other requests: Slack's, in HTTP mode. */
  handleSlackRequest?: RequestListener;
  /** Serves the files of posts, under `/media/`. */
  serveMedia?: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
  /** Serves the pages behind personal links, under `/w/`. */
  serveWeb?: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
  /** The app's public address, if known. */
  publicUrl?: string;
  /** Addresses and networks of the proxies that name their clients in X-Forwarded-For. Defaults to none. */
  trustedProxies?: readonly string[];
  /** How long a client may take to send a request. Defaults to REQUEST_TIMEOUT_MS. */
  requestTimeoutMs?: number;
  /** How long an idle connection stays open. Defaults to KEEP_ALIVE_MS. */
  keepAliveMs?: number;
  /** Open connections of clients that aren't verified. Defaults to 1,000. */
  maxConnections?: number;
  /** How long a readiness check or the text of the metrics is cached. Defaults to CACHE_MS. */
  cacheMs?: number;
}): Promise<HttpServer> {
  const { publicUrl, handleSlackRequest, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const doors = [
    ['/media/', options.serveMedia],
    ['/w/', options.serveWeb],
  ] as const;
  const pageLoaders = new Map(
    options.health && Object.entries(createPageLoaders(options.health, options.cacheMs)),
  );
  // The port for Slack's requests is public, and a proxy in front of it may pass on every path.
  if (handleSlackRequest) pageLoaders.delete('/metrics');
  const publicHosts = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const ownHosts = [options.host, ...publicHosts, ...(options.allowedHosts ?? [])];
  const limits = {
    requestTimeout: requestTimeoutMs,
    // It doesn't end an idle connection: Node counts it from the first byte of a request.
    headersTimeout: requestTimeoutMs,
    keepAliveTimeout: options.keepAliveMs ?? KEEP_ALIVE_MS,
    // The interval at which Node enforces these timeouts. Defaults to 30 s.
    connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const headers = new Map(Object.entries({ ...HEADERS, ...(publicUrl?.startsWith('https:') && HTTPS_ONLY) }));
  const server = createServer(limits);
  let isDraining = false;
  server.timeout = ANSWER_TIMEOUT_MS;
  const exceedsPipelineLimit = createPipelineLimit(server);
  const beginRequest = limitConnections(server, options);
  // Node's own answer to an unknown expectation isn't counted among the pipelined requests.
  server.on('checkExpectation', (request, response) => {
    if (!exceedsPipelineLimit(request, response)) response.writeHead(417, { connection: 'close' }).end();
  });
  server.on('request', (request, response) => {
    if (exceedsPipelineLimit(request, response) || !beginRequest(request, response)) return;
    response.setHeaders(headers);
    // The proxy's next request needs a connection to another instance.
    if (isDraining) response.setHeader('connection', 'close');
    const [path = ''] = (request.url ?? '').split('?');
    const loadPage = pageLoaders.get(path);
    // Without PUBLIC_URL the server doesn't know its public name. Slack's requests are then checked by their signature
    // only.
    const isHostChecked = loadPage !== undefined || publicUrl !== undefined;
    if (isHostChecked && !isKnownHost(request.headers.host, ownHosts))
      return sendPage(response, UNKNOWN_HOST);
    if (loadPage && request.method !== 'GET' && request.method !== 'HEAD')
      return sendPage(response, ONLY_GET);
    if (loadPage)
      return void loadPage().then(
        (page) => sendPage(response, page),
        () => sendPage(response, FAILED),
      );
    const [, serve] = doors.find(([beginning]) => path.startsWith(beginning)) ?? [];
    if (serve) return void serve(request, response).catch(() => sendPage(response, FAILED));
    if (handleSlackRequest) return handleSlackRequest(request, response);
    sendPage(response, NOT_FOUND);
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: getAddress(server).port,
    drain() {
      isDraining = true;
    },
    close: () => closeServer(server),
  };
}

interface HttpServer {
  port: number;
  /** Closes each connection after its next answer, and accepts new ones until `close`. */
  drain(): void;
  close(): Promise<void>;
}

/** Headers of every response. They forbid scripts, framing and caching. The install pages replace some of them. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
/** One year (https://www.rfc-editor.org/rfc/rfc6797). Without subdomains, because they may belong to other servers. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' };

const UNKNOWN_HOST: Page = {
  status: 421,
  text: 'unknown host: add it to ALLOWED_HOSTS, or use the IP address\n',
};
const ONLY_GET: Page = { status: 405, text: 'only GET is allowed\n' };
const FAILED: Page = { status: 500, text: 'failed\n' };
const NOT_FOUND: Page = { status: 404, text: 'not found\n' };

function createPageLoaders(
  { isReady, metrics }: Health,
  cacheMs = CACHE_MS,
): Record<string, () => Promise<Page>> {
  return {
    '/health/live': async () => ({ status: 200, text: 'live\n' }),
    '/health/ready': shareResult(cacheMs, async () => {
      const isReadyNow = await within(READY_TIMEOUT_MS, isReady(), false).catch(() => false);
      return isReadyNow ? { status: 200, text: 'ready\n' } : { status: 503, text: 'not ready\n' };
    }),
    '/metrics': shareResult(cacheMs, async () => ({ status: 200, ...(await metrics.read()) })),
  };
}

/** Shares one result among all requests that arrive while `read` runs, or within `cacheMs` of its start. */
function shareResult(cacheMs: number, read: () => Promise<Page>): () => Promise<Page> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let result: Promise<Page> | undefined;
  return () => {
    const now = performance.now();
    if (result && (isRunning || now - startedAt < cacheMs)) return result;
    startedAt = now;
    isRunning = true;
    result = read().finally(() => {
      isRunning = false;
    });
    return result;
  };
}

function sendPage(response: ServerResponse, page: Page): void {
  const { status, text, contentType = 'text/plain; charset=utf-8' } = page;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
    ...(status === 405 && { allow: 'GET, HEAD' }),
  });
  response.end(text);
}

function getAddress(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await within(CLOSE_TIMEOUT_MS, closed);
  server.closeAllConnections();
  await closed;
}

/**
 * Endings that nobody can register (RFC 6761, and ICANN's reservation for private networks). `.local` isn't among them,
 * because any machine in a network can claim such a name (RFC 6762). A `.local` name must therefore be in the settings.
 */
const PRIVATE_ENDINGS = ['.localhost', '.internal'];

/**
 * Whether a request's Host header may name this server. This protects against DNS rebinding, in which a hostile page's
 * name resolves to this server and the browser sends that name. An attacker can't register an address, a name without
 * dots or a private name, so these are accepted. A request without a Host is accepted too, because browsers always send
 * one.
 *
 * `ownHosts`: the names in the settings. `*.example.com` matches every name below `example.com`.
 */
function isKnownHost(host: string | undefined, ownHosts: readonly string[]): boolean {
  if (host === undefined) return true;
  const url = URL.parse(`http://${host}`);
  if (url?.username !== '' || url.pathname !== '/' || url.search !== '') return false;
  const name = url.hostname.replace(/\.$/, '');
  if (isIP(name) !== 0 || name.startsWith('[') || !name.includes('.')) return true;
  const ownEndings = ownHosts.flatMap((own) => (own.startsWith('*.') ? own.slice(1) : []));
  const endings = [...PRIVATE_ENDINGS, ...ownEndings];
  return ownHosts.includes(name) || endings.some((ending) => name.endsWith(ending));
}

/** Requests on one socket that wait for their responses. Generous: no known client pipelines requests. */
const MAX_PIPELINED = 8;
/**
 * Lines that are read from a socket at once, 64 KB at most. Slack's heads have a dozen, and its bodies one. In a chunked
 * body, each chunk has two.
 */
const MAX_LINES = 1_000;
const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';

/**
 * Limits pipelined requests, and chunks of a few bytes. The returned function reports whether a request exceeds the
 * limit. If it does, its socket is destroyed.
 *
 * Destroying the socket isn't enough, because Node still parses everything that it has read (64 KB, over a thousand
 * requests or ten thousand chunks), and all other clients wait meanwhile. Therefore, after the first violation or the
 * first chunked body, which Slack doesn't send, what every socket sends is counted before it is parsed. Before, it isn't
 * counted, because that costs a tenth of the throughput.
 */
function createPipelineLimit(
  server: Server,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const waitingCounts = new WeakMap<Socket, number>();
  const openSockets = new Set<Socket>();
  let isAttacked = false;
  function defend(): void {
    isAttacked = true;
    for (const socket of openSockets) countBeforeParsing(socket);
    openSockets.clear();
  }
  server.on('connection', (socket) => {
    if (isAttacked) return countBeforeParsing(socket);
    openSockets.add(socket);
    socket.once('close', () => openSockets.delete(socket));
  });
  return ({ socket, headers }, response) => {
    const count = (waitingCounts.get(socket) ?? 0) + 1;
    const isExceeded = count > MAX_PIPELINED;
    if (isExceeded || headers['transfer-encoding'] !== undefined) defend();
    if (isExceeded) {
      socket.destroy();
      return true;
    }
    waitingCounts.set(socket, count);
    response.once('close', () => waitingCounts.set(socket, (waitingCounts.get(socket) ?? 1) - 1));
    return false;
  };
}

/** Destroys the socket if a chunk contains too many requests (empty lines, which Slack's bodies don't have) or lines. */
function countBeforeParsing(socket: Socket): void {
  const parsers = socket.listeners('data');
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    if (exceeds(chunk, HEAD_END, MAX_PIPELINED) || exceeds(chunk, LINE_END, MAX_LINES)) socket.destroy();
    else for (const parse of parsers) parse.call(socket, chunk);
  });
}

/** Whether `chunk` contains `text` more than `max` times. */
function exceeds(chunk: Buffer, text: string, max: number): boolean {
  let count = 0;
  for (let index = chunk.indexOf(text); index >= 0 && count <= max; count += 1) {
    index = chunk.indexOf(text, index + text.length);
  }
  return count > max;
}
