import createHttp from 'openapi-fetch';
import type { ApiClient } from './client.ts';
import { writePath } from './http/exchange.ts';
import { OWN_PROJECTS_AT_ONCE } from './json/answer-limits.ts';
import { mapLimited } from './map-limited.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { listProjects, type Project } from './projects.ts';
import type { Records } from './records.ts';
import type { paths } from './schema.d.ts';

/** A project with its own client. Its name is shown if the service doesn't return one. */
interface OwnProject {
  project: Project;
  client: ApiClient;
}

/**
 * One client for a whole workspace. Calls about a project with its own client go through that client, all other calls
 * through `rest`, or through `none` if the workspace has no token. List Projects returns the projects of all clients.
 * `close` closes none of the clients.
 */
export function joinClients(
  rest: ApiClient | undefined,
  own: readonly OwnProject[],
  none: ApiClient,
): ApiClient {
  const byId = new Map(own.map(({ project, client }) => [project.id, client]));
  const [first] = own;
  return {
    address: (rest ?? first?.client ?? none).address,
    credential: {},
    async call(operation, send) {
      if (operation === 'listProjects') return listAll(rest, own);
      const project = await findProject(send);
      const client = (project === undefined ? undefined : byId.get(project)) ?? rest ?? none;
      return client.call(operation, send);
    },
    close: async () => undefined,
  };
}

type Send = Parameters<ApiClient['call']>[1];

const PROJECT = /^\/api\/v1\/projects\/([^/]+)/;

/** The id of the project that a call is about, read from the request that it builds. Nothing is sent. */
async function findProject(send: Send): Promise<string | undefined> {
  let path = '';
  const http = createHttp<paths>({ baseUrl: 'https://nowhere.invalid', pathSerializer: writePath });
  const fetch = async (request: Request): Promise<Response> => {
    path = new URL(request.url).pathname;
    throw new Error('this request is only built for its path');
  };
  // An id that isn't valid in a path fails the same way with every client.
  await send(http, { parseAs: 'text', fetch, headers: {} }).catch(() => undefined);
  const [, id] = PROJECT.exec(path) ?? [];
  return id === undefined ? undefined : decodeURIComponent(id);
}

/**
 * All projects, in the shape of the service's response. If the call with the workspace's token fails, the list would be
 * incomplete, so the failure is returned; a refused token adds no projects. A project with its own token stays in the
 * list even if that token fails: a person who chooses the project then gets the reason.
 */
async function listAll(rest: ApiClient | undefined, own: readonly OwnProject[]): Promise<Outcome<unknown>> {
  const [all, ownProjects] = await Promise.all([
    rest && listProjects(rest),
    mapLimited(own, OWN_PROJECTS_AT_ONCE, async ({ project, client }) =>
      withCurrentName(project, await listProjects(client)),
    ),
  ]);
  if (all && all.kind !== 'done' && all.kind !== 'refused') return all;
  if (all?.kind === 'done' && all.data.shape === 'unreadable') return mapDone(all, () => 'unreadable');
  const isOwn = new Set(own.map(({ project }) => project.id));
  const others = all?.kind === 'done' ? all.data.items.filter(({ id }) => !isOwn.has(id)) : [];
  const data = [...others, ...ownProjects].map(({ id, name }) => ({ Id: id, Name: name }));
  const isTruncated = all?.kind === 'done' && all.data.isTruncated;
  return { kind: 'done', data, ...(isTruncated && { isTruncated }), requestId: all?.requestId ?? '' };
}

/** The project with its current name, or with the name from when it was connected. */
function withCurrentName(project: Project, listed: Outcome<Records<Project>>): Project {
  const items = listed.kind === 'done' ? listed.data.items : [];
  return items.find(({ id }) => id === project.id) ?? project;
}
