import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type Control, isControlPath } from '../control/control.ts';
import type { Site } from '../site.ts';
import { findPersonOrOwner } from '../state/directory.ts';
import { answer } from './answer.ts';
import { serveAvatar } from './avatar-route.ts';
import { servePageSlackFile, servePageUpload, serveUpload, serveUrlPrivate } from './file-routes.ts';
import { findSite } from './find-site.ts';
import { serveAuthorize } from './oauth-route.ts';
import { exchangePageToken, hasPageAccess } from './page-access.ts';
import { serveIndex, servePageFile } from './page-files.ts';
import { servePage } from './page-socket.ts';
import { servePermalink } from './permalinks.ts';
import { BodyTooLarge } from './read-body.ts';
import { isHostOurs, isOriginOurs } from './request-origin.ts';
import { serveResponseUrl } from './response-route.ts';
import { serveWebApi } from './web-api-route.ts';

/** What the server needs. It exists only after the server has started to listen. */
export interface ServerContext {
  /** The first workspace. */
  site: Site;
  port: number;
  control: Control;
  reset: () => void;
}

/** With a page token, clients may use any name of this machine. */
function isAddressedToUs({ site, port }: ServerContext, request: IncomingMessage): boolean {
  return site.slack.pageToken !== undefined || isHostOurs(request, port);
}

/** Returns undefined for a request target that isn't a path (RFC 9112, "origin-form"). */
function parseUrl({ site }: ServerContext, { url = '' }: IncomingMessage): URL | undefined {
  return url.startsWith('/') ? (URL.parse(`${site.url}${url}`) ?? undefined) : undefined;
}

/** Profile pictures are public, and files need the app's token. */
const PATHS_WITHOUT_PAGE_TOKEN = /^\/(?:files-(?:pri|tmb)|avatars)\//;

async function serveRequest(
  context: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = parseUrl(context, request);
  if (!url) return answer(response, 400, 'Bad request', { Connection: 'close' });
  const site = findSite(context.site.slack, url);
  const path = url.pathname;
  const method = request.method ?? 'GET';
  if (path.startsWith('/api/')) {
    return serveWebApi(site, request, response, url);
  }
  if (method === 'POST' && path.startsWith('/response/')) {
    return serveResponseUrl(site, request, response, path.slice('/response/'.length));
  }
  if (method === 'POST' && path.startsWith('/upload/v1/')) {
    return serveUpload(site, request, response, path.slice('/upload/v1/'.length));
  }
  const token = site.slack.pageToken;
  if (isControlPath(path))
    return context.control.serve(request, response, url, hasPageAccess(request, token));
  if (token !== undefined && !PATHS_WITHOUT_PAGE_TOKEN.test(path) && !hasPageAccess(request, token)) {
    return exchangePageToken(response, url, token);
  }
  if (path === '/oauth/v2/authorize') return serveAuthorize(site, request, response, url);
  if (method === 'POST' && path === '/page/files') return servePageUpload(site, request, response, url);
  if (method === 'POST' && path === '/page/reset') {
    if (!isOriginOurs(request)) return answer(response, 403, 'This page may not do that.');
    context.reset();
    return answer(response, 200, 'ok');
  }
  return serveGet(site, request, response, url);
}

async function serveGet(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const path = url.pathname;
  if (request.method !== 'GET') return answer(response, 405, 'Method not allowed', { Allow: 'GET' });
  if (path === '/page/slack-file') return servePageSlackFile(site, response, url);
  if (path.startsWith('/avatars/')) return serveAvatar(site, response, path);
  if (/^\/files-(?:pri|tmb)\//.test(path)) return serveUrlPrivate(site, request, response, url);
  if (servePermalink(site, response, path)) return;
  if (path === '/') return serveIndex(response, request.headers.host ?? '');
  if (path.startsWith('/page/') && (await servePageFile(response, path.slice('/page/'.length)))) return;
  answer(response, 404, 'Not found');
}

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

function serveUpgrade(
  context: ServerContext,
  wss: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
) {
  if (!isAddressedToUs(context, request) || !isOriginOurs(request)) {
    return refuseUpgrade(socket, '403 Forbidden');
  }
  const url = parseUrl(context, request);
  if (!url) return refuseUpgrade(socket, '400 Bad Request');
  const site = findSite(context.site.slack, url);
  if (url.pathname === '/link') {
    const ticket = url.searchParams.get('ticket') ?? '';
    const app = site.apps.find(({ sockets }) => sockets?.takeTicket(ticket));
    if (app) return wss.handleUpgrade(request, socket, head, (ws) => app.sockets?.accept(ws));
  }
  if (url.pathname === '/page/live' && hasPageAccess(request, site.slack.pageToken)) {
    const person = findPersonOrOwner(site, url.searchParams.get('person') ?? '').id;
    return wss.handleUpgrade(request, socket, head, (ws) => servePage(site, ws, person));
  }
  return refuseUpgrade(socket, '404 Not Found');
}

/** Creates the HTTP server of a workspace. It listens only when the caller calls `listen`. */
export function createWorkspaceServer(getContext: () => ServerContext): {
  server: Server;
  sockets: WebSocketServer;
} {
  const wss = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 });
  // Java's HTTP client offers to upgrade each request to HTTP/2, and continues with HTTP/1.1 if the offer is ignored.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage) =>
    headers.upgrade?.toLowerCase() === 'websocket';
  const server = createServer({ shouldUpgradeCallback }, (request, response) => {
    if (!isAddressedToUs(getContext(), request)) {
      return answer(response, 403, 'Not an address of this workspace.');
    }
    serveRequest(getContext(), request, response).catch((error: unknown) => {
      if (error instanceof BodyTooLarge) return answer(response, 413, 'Too large', { Connection: 'close' });
      // The client hung up before its request was complete.
      if (error === request.errored) return;
      console.error('could not serve a request:', error);
      if (response.headersSent) return response.destroy();
      answer(response, 500, 'The workspace failed at this request.');
    });
  });
  server.on('upgrade', (request, socket, head) => {
    // Node's server has removed its own listener, and an error without a listener ends the process.
    socket.on('error', () => socket.destroy());
    try {
      serveUpgrade(getContext(), wss, request, socket, head);
    } catch (error) {
      console.error('could not open a WebSocket:', error);
      socket.destroy();
    }
  });
  return { server, sockets: wss };
}
