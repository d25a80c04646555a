import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Exchange } from '../acting/app-traffic.ts';
import { Team } from '../acting/team.ts';
import { answerJson, BodyTooLarge, type HttpCall, readBody } from '../http/answer.ts';
import { isOriginOurs } from '../http/page-access.ts';
import { isRecord, parseJson } from '../json.ts';
import type { Site } from '../site.ts';
import { isSameSecret } from '../state/ids.ts';
import type { Workspace } from '../workspace.ts';
import { ACTING_ROUTES } from './acting-routes.ts';
import { DIRECTORY_ROUTES } from './directory-routes.ts';
import { buildOpenApiDocument } from './open-api.ts';
import { ControlError, defineRoute, describeError, getStatus, type Route, readWait } from './route.ts';
import { appName, exchangeShape, timeoutMs } from './schemas.ts';
import { WORKSPACE_ROUTES } from './workspace-routes.ts';

function describeExchange({ at, durationMs, answer, ...rest }: Exchange): z.infer<typeof exchangeShape> {
  return {
    ...rest,
    at: new Date(at).toISOString(),
    ...(answer !== undefined && { answer }),
    ...(durationMs !== undefined && { duration_ms: durationMs }),
  };
}

const APP_ROUTES: readonly Route[] = [
  defineRoute('App', 'get /app/calls', 'listCalls', {
    summary: 'List the calls by the app, oldest first',
    query: z.object({
      method: z.string().exactOptional().describe('Such as chat.postMessage.'),
      app: appName,
    }),
    answer: z.strictObject({ calls: z.array(exchangeShape) }),
    run: ({ team, query }) => ({ calls: team.trafficOf(query).calls(query.method).map(describeExchange) }),
  }),
  defineRoute('App', 'get /app/requests', 'listRequests', {
    summary: 'List the requests to the app, oldest first',
    query: z.object({ kind: z.string().exactOptional().describe('Such as view_submission.'), app: appName }),
    answer: z.strictObject({ requests: z.array(exchangeShape) }),
    run: ({ team, query }) => ({
      requests: team.trafficOf(query).requests(query.kind).map(describeExchange),
    }),
  }),
  defineRoute('App', 'post /app/wait-for-call', 'waitForCall', {
    summary: 'Wait until a call of a method is answered, and read the newest one. Earlier calls count, too.',
    body: z.strictObject({ method: z.string(), app: appName, timeout_ms: timeoutMs }),
    answer: exchangeShape,
    run: async ({ team, body }) =>
      describeExchange(await team.trafficOf(body).waitForCall(body.method, readWait(body))),
  }),
  defineRoute('App', 'post /app/wait-for-connection', 'waitForConnection', {
    summary: 'Wait until the app is connected. An app over HTTP counts as connected.',
    body: z.strictObject({ app: appName, timeout_ms: timeoutMs }),
    run: ({ team, body }) => team.trafficOf(body).waitUntilConnected(readWait(body)),
  }),
];

const ROUTES: readonly Route[] = [...ACTING_ROUTES, ...DIRECTORY_ROUTES, ...APP_ROUTES, ...WORKSPACE_ROUTES];
const PREFIX = '/control';
const DOCUMENT = '/openapi.json';

const MATCHERS = ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

export const isControlPath = (path: string): boolean => path === PREFIX || path.startsWith(`${PREFIX}/`);

/**
 * Allows programs on this machine or, if the workspace listens on another address, clients with the token of the printed
 * address. Refuses pages of other origins, whose requests have an Origin header.
 */
function requireAccess(request: IncomingMessage, token: string | undefined, hasPageAccess: boolean): void {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (token !== undefined && !hasPageAccess && !isSameSecret(given, token)) {
    const message = 'Send the token of the printed address in the header “Authorization: Bearer TOKEN”.';
    throw new ControlError('token_required', message);
  }
  if (!isOriginOurs(request)) throw new ControlError('foreign_origin', 'This page may not do that.');
}

function findRoute(method: string, path: string) {
  for (const { route, pattern } of MATCHERS) {
    const match = route.method === method.toLowerCase() ? pattern.exec(path) : null;
    if (match) {
      const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decode(value)]);
      return { route, params: Object.fromEntries(params) };
    }
  }
  const message = `There is no ${method} ${PREFIX}${path}. ${PREFIX}${DOCUMENT} lists all routes.`;
  throw new ControlError('unknown_route', message);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await readBody(request);
  if (text === '') return undefined;
  const body = parseJson(text, () => {
    throw new ControlError('invalid_request', 'The body is not JSON.');
  });
  // The schemas would leave it out.
  if (namesPrototype(body)) throw new ControlError('invalid_request', 'A field can’t be named “__proto__”.');
  return body;
}

export class Control {
  readonly #workspace: Workspace;
  readonly #sites: readonly Site[];
  readonly #teams = new WeakMap<Site, Team>();

  constructor(workspace: Workspace, sites: readonly Site[]) {
    this.#workspace = workspace;
    this.#sites = sites;
    const [first] = sites;
    if (first) this.#teams.set(first, workspace.team);
  }

  /** Serves a request below `/control`. `hasPageAccess`: whether a browser with access to the page sent it. */
  async serve({ request, response, url }: HttpCall, hasPageAccess: boolean): Promise<void> {
    try {
      const token = this.#sites[0]?.slack.pageToken;
      requireAccess(request, token, hasPageAccess);
      const path = url.pathname.slice(PREFIX.length);
      if (path === DOCUMENT) {
        const document = buildOpenApiDocument(ROUTES, `${this.#workspace.url}${PREFIX}`, token !== undefined);
        return answerJson(response, 200, document);
      }
      answerJson(response, 200, await this.#run(request, path, url.searchParams));
    } catch (error) {
      if (error instanceof BodyTooLarge || error === request.errored) throw error;
      const body = describeError(error);
      answerJson(response, getStatus(body.error.code), body);
    }
  }

  async #run(request: IncomingMessage, path: string, query: URLSearchParams): Promise<unknown> {
    const { route, params } = findRoute(request.method ?? 'GET', path);
    const { team: id, ...given } = Object.fromEntries(query);
    const site = id === undefined ? this.#sites[0] : this.#sites.find(({ state }) => state.team.id === id);
    if (!site) throw new ControlError('unknown_team', `There is no workspace ${id}.`);
    const team = this.#teams.get(site) ?? new Team(site);
    this.#teams.set(site, team);
    const body = await readJson(request);
    return route.run({ workspace: this.#workspace, team, site, params, body, query: given });
  }
}

function namesPrototype(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesPrototype);
  return (
    isRecord(value) &&
    Object.entries(value).some(([name, each]) => name === '__proto__' || namesPrototype(each))
  );
}
