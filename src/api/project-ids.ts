import type { ApiClient, ListedProject, ProjectIds } from './client.ts';
import { CallFailed } from './http/connector.ts';
import { encodeSegment } from './http/exchange.ts';

/**
 * A project is its service and its id there, because two services can have a project with the same id. Everything that
 * Upnext stores about a project is stored by an id that contains both. The projects of a workspace's first service have
 * the ids of the service: `p1`. Those of any other service have the service's mark before it: `~2~p1`.
 *
 * No service can return an id that is another one's: an id of the first service that begins with the separator gets an
 * empty mark (`~~2~p1`), and marks don't contain the separator.
 */
const SEPARATOR = '~';

/** Builds Upnext's id of a project. `service`: the mark of its service; '' for the first one of the workspace. */
export function buildProjectId(service: string, serviceId: string): string {
  return service === '' && !serviceId.startsWith(SEPARATOR)
    ? serviceId
    : `${SEPARATOR}${service}${SEPARATOR}${serviceId}`;
}

/** Splits an id that `buildProjectId` has built. */
export function parseProjectId(projectId: string): { service: string; serviceId: string } {
  const end = projectId.startsWith(SEPARATOR) ? projectId.indexOf(SEPARATOR, 1) : -1;
  return { service: projectId.slice(1, Math.max(1, end)), serviceId: projectId.slice(end + 1) };
}

/** Returns the id that a project has at its service, for people and requests. */
export function getServiceId(projectId: string): string {
  return parseProjectId(projectId).serviceId;
}

/** Names a project by its id, while its name isn't known. */
export function nameById(id: string): Pick<ListedProject, 'id' | 'name'> {
  return { id, name: getServiceId(id) };
}

/** Returns the id of the project that a request is about, from the request's path. */
export function findProjectId({ url }: Request): string | undefined {
  const [, segment] = /\/api\/v1\/projects\/([^/]+)/.exec(new URL(url).pathname) ?? [];
  return segment === undefined ? undefined : decodeURIComponent(segment);
}

/** Whether a client with these ids reaches the project. */
export function hasProject(ids: Pick<ProjectIds, 'find'>, projectId: string): boolean {
  return ids.find(getServiceId(projectId)) === projectId;
}

/**
 * Wraps the client of a service, whose callers use Upnext's ids of projects. The service gets its own ids, and a call
 * about any project that isn't the service's ends as not found, without a request.
 */
export function withProjectIds(client: ApiClient, ids: ProjectIds): ApiClient {
  return {
    ...client,
    projectIds: ids,
    call: (operation, send) =>
      client.call(operation, (http, requestOptions) =>
        send(http, {
          ...requestOptions,
          fetch: async (request, mayBegin) => requestOptions.fetch(translate(request, ids), mayBegin),
        }),
      ),
  };
}

function translate(request: Request, ids: ProjectIds): Request {
  const projectId = findProjectId(request);
  if (projectId === undefined) return request;
  if (!hasProject(ids, projectId)) throw new CallFailed({ kind: 'refused', status: 404 });
  const serviceId = getServiceId(projectId);
  if (serviceId === projectId) return request;
  const url = request.url.replace(
    /(\/api\/v1\/projects\/)[^/]+/,
    (_, path: string) => `${path}${encodeSegment(serviceId)}`,
  );
  return new Request(url, request);
}
