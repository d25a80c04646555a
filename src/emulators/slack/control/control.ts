import type { IncomingMessage, ServerResponse } from 'node:http';
import { Team } from '../acting/team.ts';
import { answerJson } from '../http/answer.ts';
import { BodyTooLarge, readBody } from '../http/read-body.ts';
import { isOriginOurs } from '../http/request-origin.ts';
import type { Site } from '../site.ts';
import { isSameSecret } from '../web-api/is-same-secret.ts';
import type { Workspace } from '../workspace.ts';
import { ACTING_ROUTES } from './acting-routes.ts';
import { ANSWERING_ROUTES } from './answering-routes.ts';
import { APP_ROUTES } from './app-routes.ts';
import { ControlError, describeError, getStatus } from './control-errors.ts';
import { DIRECTORY_ROUTES } from './directory-routes.ts';
import { buildOpenApiDocument } from './open-api.ts';
import type { Route } from './route.ts';
import { TEAM_ROUTES } from './team-routes.ts';
import { WORKSPACE_ROUTES } from './workspace-routes.ts';

const ROUTES: readonly Route[] = [
  ...ACTING_ROUTES,
  ...ANSWERING_ROUTES,
  ...DIRECTORY_ROUTES,
  ...TEAM_ROUTES,
  ...APP_ROUTES,
  ...WORKSPACE_ROUTES,
];
const PREFIX = '/control';
const DOCUMENT = '/openapi.json';

const MATCHERS = ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

export function isControlPath(path: string): boolean {
  return path === PREFIX || path.startsWith(`${PREFIX}/`);
}

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
  try {
    return JSON.parse(text);
  } catch {
    throw new ControlError('invalid_request', 'The body is not JSON.');
  }
}

/** Serves the control API of a workspace. */
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
  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    hasPageAccess: boolean,
  ): Promise<void> {
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
