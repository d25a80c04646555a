import createHttp from 'openapi-fetch';
import type { ApiClient } from './client.ts';
import { writePath } from './http/exchange.ts';
import { OWN_PROJECTS_AT_ONCE } from './json/answer-limits.ts';
import { mapLimited } from './map-limited.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { listProjects, type Project } from './projects.ts';
import type { Records } from './records.ts';
import type { paths } from './schema.d.ts';

/** A project that is reached in a way of its own; the name stands where the service does not say it just now. */
interface OwnProject {
  project: Project;
  client: ApiClient;
}

/**
 * One client for all of a workspace: what is about a project that has a client of its own goes through that, all else
 * through `rest`. List Projects joins them. It closes none of them.
 */
export function joinedClient(
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
      if (operation === 'listProjects') return joined(rest, own);
      const project = await projectOf(send);
      const client = (project === undefined ? undefined : byId.get(project)) ?? rest ?? none;
      return client.call(operation, send);
    },
    close: async () => undefined,
  };
}

type Send = Parameters<ApiClient['call']>[1];

const PROJECT = /^\/api\/v1\/projects\/([^/]+)/;

/** The project that a call is about: its request is made, and goes nowhere. */
async function projectOf(send: Send): Promise<string | undefined> {
  let path = '';
  const http = createHttp<paths>({ baseUrl: 'https://nowhere.invalid', pathSerializer: writePath });
  const fetch = async (request: Request): Promise<Response> => {
    path = new URL(request.url).pathname;
    throw new Error('only its address was asked for');
  };
  // An id that no address can carry fails the same way with every client.
  await send(http, { parseAs: 'text', fetch, headers: {} }).catch(() => undefined);
  const [, id] = PROJECT.exec(path) ?? [];
  return id === undefined ? undefined : decodeURIComponent(id);
}

/**
 * All projects, as the service would list them. While the workspace's own token cannot be asked, there is no list that
 * is complete; one that is refused has none to add. A project of its own stays listed when its token fails: who
 * chooses it is told why.
 */
async function joined(rest: ApiClient | undefined, own: readonly OwnProject[]): Promise<Outcome<unknown>> {
  const [all, ones] = await Promise.all([
    rest && listProjects(rest),
    mapLimited(own, OWN_PROJECTS_AT_ONCE, async ({ project, client }) =>
      named(project, await listProjects(client)),
    ),
  ]);
  if (all && all.kind !== 'done' && all.kind !== 'refused') return all;
  if (all?.kind === 'done' && all.data.shape === 'unreadable') return mapDone(all, () => 'unreadable');
  const isOwn = new Set(own.map(({ project }) => project.id));
  const others = all?.kind === 'done' ? all.data.items.filter(({ id }) => !isOwn.has(id)) : [];
  const data = [...others, ...ones].map(({ id, name }) => ({ Id: id, Name: name }));
  const isTruncated = all?.kind === 'done' && all.data.isTruncated;
  return { kind: 'done', data, ...(isTruncated && { isTruncated }), requestId: all?.requestId ?? '' };
}

/** As the service calls it now, else as it was called when it was connected. */
function named(project: Project, listed: Outcome<Records<Project>>): Project {
  const items = listed.kind === 'done' ? listed.data.items : [];
  return items.find(({ id }) => id === project.id) ?? project;
}
