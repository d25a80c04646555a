import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Control, isControlPath } from '../control/control.ts';
import { applyFault, type HttpAnswer } from '../faults/apply-fault.ts';
import { RESPONSE_URL } from '../faults/slack-faults.ts';
import { act } from '../interactions/act.ts';
import { respond } from '../interactions/respond.ts';
import { isRecord, type Json, parseJson, parseJsonOrText } from '../json.ts';
import { pageRequestSchema } from '../page-request.ts';
import type { ServerMessage } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site, Slack } from '../site.ts';
import { AVATAR_SIZES, drawAvatar, ICON_SIZES } from '../state/avatar.ts';
import { findPerson, findPersonOrOwner } from '../state/directory.ts';
import { useResponseUrl } from '../state/triggers-and-response-urls.ts';
import { SLACKBOT } from '../state/user-object.ts';
import { recordCall } from '../traffic/record-call.ts';
import { answer, answerJson, BodyTooLarge, type HttpCall, readBody } from './answer.ts';
import { servePageSlackFile, servePageUpload, serveUpload, serveUrlPrivate } from './file-routes.ts';
import { serveAuthorize } from './oauth-route.ts';
import { exchangePageToken, hasPageAccess, isHostOurs, isOriginOurs } from './page-access.ts';
import { serveIndex, servePageFile } from './page-files.ts';
import { buildSnapshot } from './snapshot.ts';
import { serveWebApi } from './web-api-route.ts';

/** Errors of the address, with status 404. */
const ADDRESS_ERRORS = new Set(['invalid_url', 'used_url', 'expired_url']);

/** `POST /response/<secret>`: the response_url of a command or interaction. */
async function serveResponseUrl({ site, request, response }: HttpCall, secret: string): Promise<void> {
  const body = await readBody(request);
  const run = () => answerResponse(site, secret, body);
  const rule = site.faults.pickForCall(RESPONSE_URL, () => false);
  const description = { kind: 'response_url', label: 'response_url', payload: parseJsonOrText(body) };
  const result = await recordCall(site, description, () =>
    rule ? applyFault(rule, response, RESPONSE_URL, run) : run(),
  );
  if (!result || response.destroyed) return;
  if (result.retryAfter !== undefined) response.setHeader('Retry-After', result.retryAfter);
  if (typeof result.body === 'string') answer(response, result.status, result.body);
  else answerJson(response, result.status, result.body);
}

function answerResponse(site: Site, secret: string, body: string): HttpAnswer {
  try {
    const to = useResponseUrl(site, secret);
    const refuse = () => {
      throw new Refusal('invalid_payload');
    };
    respond(site, to, parseJson(body, refuse));
    return { status: 200, body: 'ok' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const refusal: Json = { ok: false, error: error.code, ...error.details };
    return { status: ADDRESS_ERRORS.has(error.code) ? 404 : 400, body: refusal };
  }
}

/** Redirects permalinks of messages to the page, and those of files to their bytes. Returns false for other paths. */
function servePermalink(site: Site, response: ServerResponse, path: string): boolean {
  const [, channel, seconds, micros] = /^\/archives\/([A-Z0-9]+)\/p(\d+)(\d{6})$/.exec(path) ?? [];
  const team = site === site.slack.sites[0] ? {} : { team: site.state.team.id };
  if (channel === undefined && !/^\/files\/[A-Z0-9]+\/F[A-Z0-9]+\//.test(path)) return false;
  const location =
    channel === undefined
      ? `/page/slack-file?${new URLSearchParams({ url: `${site.url}${path}` })}`
      : `/?${new URLSearchParams({ ...team, channel, message: `${seconds}.${micros}` })}`;
  answer(response, 302, '', { Location: location });
  return true;
}

/** Paths that contain an id or secret of a workspace, and whether a workspace contains it. */
const PATHS: readonly [path: RegExp, contains: (site: Site, id: string) => boolean][] = [
  [/^\/response\/(\w+)$/, ({ state }, id) => state.responseUrls.some(({ secret }) => secret === id)],
  [/^\/upload\/v1\/(\w+)$/, ({ state }, id) => Object.values(state.files).some((file) => file.ticket === id)],
  [/^\/archives\/([A-Z0-9]+)\//, ({ state }, id) => state.channels.some((channel) => channel.id === id)],
  [/^\/files(?:-(?:pri|tmb)\/[A-Z0-9]+-|\/[A-Z0-9]+\/)(F[A-Z0-9]+)\//, ({ state }, id) => id in state.files],
];

/** Finds the workspace of an address by the id or secret in its path, or by `team`. Defaults to the first. */
function findSite(slack: Slack, url: URL): Site {
  const { sites } = slack;
  const [first] = sites;
  if (!first) throw new Error('The local Slack has no workspace');
  const team = url.searchParams.get('team');
  const file = url.searchParams.get('id') ?? '';
  const address = URL.parse(url.searchParams.get('url') ?? '')?.pathname ?? url.pathname;
  const apps = sites.flatMap((site) => site.apps);
  const matches = PATHS.flatMap(([path, contains]) => {
    const id = path.exec(address)?.[1];
    return id === undefined ? [] : (apps.find((site) => contains(site, id)) ?? []);
  });
  return (
    matches[0] ??
    sites.find(({ state }) => state.team.id === team) ??
    (url.pathname === '/page/slack-file' ? sites.find(({ state }) => file in state.files) : undefined) ??
    first
  );
}

const SIZES = new Set<number>([...AVATAR_SIZES, ...ICON_SIZES]);

/** `GET /avatars/U123-72.png`. Profile pictures are public, as in Slack. */
function serveAvatar({ slack }: Site, response: ServerResponse, path: string): void {
  const [, id = '', digits] = /^\/avatars\/(\w+)-(\d+)\.png$/.exec(path) ?? [];
  const size = Number(digits);
  const found = slack.sites.map((site) => findPerson(site, id)).find((each) => each !== undefined);
  const person = id === SLACKBOT.id ? SLACKBOT : found;
  if (!person || !SIZES.has(size)) {
    answer(response, 404, 'Not found');
    return;
  }
  answer(response, 200, drawAvatar(person, size), {
    'Content-Type': 'image/png',
    'Cache-Control': 'max-age=3600',
    // Pages of other origins may show it.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
}

/** What the server needs. It exists only after the server has started to listen. */
export interface ServerContext {
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
  const call: HttpCall = { site, request, response, url };
  const path = url.pathname;
  const isPost = request.method === 'POST';
  if (path.startsWith('/api/')) return serveWebApi(call);
  if (isPost && path.startsWith('/response/')) return serveResponseUrl(call, path.slice('/response/'.length));
  if (isPost && path.startsWith('/upload/v1/')) return serveUpload(call, path.slice('/upload/v1/'.length));
  const token = site.slack.pageToken;
  const hasAccess = hasPageAccess(request, token);
  if (isControlPath(path)) return context.control.serve(call, hasAccess);
  if (token !== undefined && !PATHS_WITHOUT_PAGE_TOKEN.test(path) && !hasAccess)
    return exchangePageToken(response, url, token);
  if (path === '/oauth/v2/authorize') return serveAuthorize(call);
  if (isPost && path === '/page/files') return servePageUpload(call);
  if (isPost && path === '/page/reset') {
    if (!isOriginOurs(request)) return answer(response, 403, 'This page may not do that.');
    context.reset();
    return answer(response, 200, 'ok');
  }
  return serveGet(call);
}

async function serveGet(call: HttpCall): Promise<void> {
  const { site, request, response, url } = call;
  const path = url.pathname;
  if (request.method !== 'GET') return answer(response, 405, 'Method not allowed', { Allow: 'GET' });
  if (path === '/page/slack-file') return servePageSlackFile(call);
  if (path.startsWith('/avatars/')) return serveAvatar(site, response, path);
  if (/^\/files-(?:pri|tmb)\//.test(path)) return serveUrlPrivate(call);
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
  if (!isAddressedToUs(context, request) || !isOriginOurs(request))
    return refuseUpgrade(socket, '403 Forbidden');
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

/**
 * How long an idle connection stays open. After Node's 5 s, a process that was busy for so long would close it while the
 * app sends its next call.
 */
const KEEP_ALIVE_MS = 60_000;

/** Creates the HTTP server of a workspace. It listens only when the caller calls `listen`. */
export function createWorkspaceServer(getContext: () => ServerContext) {
  const wss = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 });
  // Java's HTTP client offers to upgrade each request to HTTP/2, and continues with HTTP/1.1 if the offer is ignored.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage) =>
    headers.upgrade?.toLowerCase() === 'websocket';
  const server = createServer({ shouldUpgradeCallback }, (request, response) => {
    if (!isAddressedToUs(getContext(), request))
      return answer(response, 403, 'Not an address of this workspace.');
    serveRequest(getContext(), request, response).catch((error: unknown) => {
      if (error instanceof BodyTooLarge) return answer(response, 413, 'Too large', { Connection: 'close' });
      // The client hung up before its request was complete.
      if (error === request.errored) return;
      console.error('could not serve a request:', error);
      if (response.headersSent) return response.destroy();
      answer(response, 500, 'The workspace failed at this request.');
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
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

async function answerRequest(site: Site, person: string, text: string): Promise<ServerMessage | undefined> {
  const json = parseJson(text, () => undefined);
  const id = isRecord(json) && typeof json.id === 'number' ? json.id : undefined;
  if (id === undefined) return undefined;
  const request = pageRequestSchema.safeParse(json);
  if (!request.success) return { type: 'result', id, ok: false, error: 'invalid_arguments' };
  try {
    const data = await act(site, person, request.data);
    return { type: 'result', id, ok: true, ...(data === undefined ? {} : { data }) };
  } catch (error) {
    if (error instanceof Refusal) return { type: 'result', id, ok: false, error: error.code };
    console.error('could not serve a request of a page:', error);
    return { type: 'result', id, ok: false, error: 'internal_error' };
  }
}

function serialize(message: ServerMessage): string | undefined {
  try {
    return JSON.stringify(message);
  } catch (error) {
    console.error(`could not send a message of type ${message.type} to a page:`, error);
    return undefined;
  }
}

/** Serves an open page: sends a snapshot, the inspector's records and then each change, and answers requests. */
function servePage(site: Site, socket: WebSocket, person: string): void {
  socket.on('error', () => socket.terminate());
  // A failure here must not affect the person or app that caused the change.
  const send = (message: ServerMessage) => {
    const text = serialize(message);
    if (text !== undefined) socket.send(text, () => undefined);
  };
  send(buildSnapshot(site, person));
  const records = site.apps.flatMap(({ traffic }) => traffic.records);
  for (const record of records.toSorted((one, other) => one.at - other.at)) send({ type: 'traffic', record });
  const leave = site.audience.subscribe(person, send);
  socket.on('close', leave);
  socket.on('message', (text) => {
    answerRequest(site, person, String(text)).then(
      (result) => {
        if (result) send(result);
      },
      (error: unknown) => {
        console.error('could not read a request of a page:', error);
        socket.terminate();
      },
    );
  });
}
