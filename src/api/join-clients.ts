import createHttp from 'openapi-fetch';
import { mapLimited } from '../promises.ts';
import type { ApiClient } from './client.ts';
import { fillPath } from './http/exchange.ts';
import { MAX_CONCURRENT_NAME_READS } from './json/response-limits.ts';
import { isAccessRefusal, mapDone, type Outcome } from './outcome.ts';
import { findProjectId, hasProject } from './project-ids.ts';
import { listProjects, type Project } from './projects.ts';
import type { Records } from './records.ts';
import type { paths } from './schema.d.ts';

/** A project that has its own token, with the client for this token. */
interface ProjectWithClient {
  project: Project;
  client: ApiClient;
}

/**
 * Joins the clients of a workspace to one client. Calls about a project with its own client go through this client. All
 * other calls go through `workspaceClient`, or through `unavailableClient` if the workspace has no token. List Projects
 * returns the projects of all clients. `close` closes none of the clients.
 */
export function joinClients(
  workspaceClient: ApiClient | undefined,
  projectClients: readonly ProjectWithClient[],
  unavailableClient: ApiClient,
): ApiClient {
  const clientsByProject = new Map(projectClients.map(({ project, client }) => [project.id, client]));
  const [firstProject] = projectClients;
  return {
    address: (workspaceClient ?? firstProject?.client ?? unavailableClient).address,
    credential: {},
    ...(workspaceClient?.credentialId !== undefined && { credentialId: workspaceClient.credentialId }),
    projectIds: workspaceClient?.projectIds && {
      find: workspaceClient.projectIds.find,
      // The joined clients have done that.
      receive: async (projects) => projects,
    },
    async call(operation, send) {
      if (operation === 'listProjects') return listAllProjects(workspaceClient, projectClients);
      const project = await findProjectOfCall(send);
      const client =
        (project === undefined ? undefined : clientsByProject.get(project)) ??
        workspaceClient ??
        unavailableClient;
      return client.call(operation, send);
    },
    close: async () => undefined,
  };
}

/** Finds the id of the project that a call is about. Builds the request to read its path, and doesn't send it. */
async function findProjectOfCall(send: Parameters<ApiClient['call']>[1]): Promise<string | undefined> {
  let project: string | undefined;
  const http = createHttp<paths>({ baseUrl: 'https://nowhere.invalid', pathSerializer: fillPath });
  const fetch = async (request: Request): Promise<Response> => {
    project = findProjectId(request);
    throw new Error('this request is only built for its path');
  };
  // `fetch` always throws. An id that isn't valid in a path throws too, and then the client of the call reports the
  // error.
  await send(http, { parseAs: 'text', fetch, headers: {} }).catch(() => undefined);
  return project;
}

/**
 * Lists all projects, in the shape of the service's response. If the service refuses the workspace's token, lists only
 * the projects with their own token. Returns any other failure of the call with the workspace's token, because the list
 * would be incomplete. A project whose own token fails stays in the list, so that people who choose it see why it
 * fails.
 */
async function listAllProjects(
  workspaceClient: ApiClient | undefined,
  projectClients: readonly ProjectWithClient[],
): Promise<Outcome<unknown>> {
  const [workspaceProjects, ownProjects] = await Promise.all([
    workspaceClient && listProjects(workspaceClient),
    mapLimited(
      projectClients,
      async ({ project, client }) => {
        const current = updateName(project, await listProjects(client));
        // It was gone or made again, so nobody can use it yet.
        return client.projectIds && !hasProject(client.projectIds, project.id) ? [] : [current];
      },
      MAX_CONCURRENT_NAME_READS,
    ),
  ]);
  const isTokenRefused = workspaceProjects?.kind === 'refused' && isAccessRefusal(workspaceProjects.status);
  if (workspaceProjects && workspaceProjects.kind !== 'done' && !isTokenRefused) return workspaceProjects;
  if (workspaceProjects?.kind === 'done' && !workspaceProjects.data.isReadable)
    return mapDone(workspaceProjects, () => 'unreadable');
  const ownIds = new Set(projectClients.map(({ project }) => project.id));
  const otherProjects =
    workspaceProjects?.kind === 'done'
      ? workspaceProjects.data.items.filter(({ id }) => !ownIds.has(id))
      : [];
  const unreadableCount = workspaceProjects?.kind === 'done' ? workspaceProjects.data.unreadableCount : 0;
  const data = [
    ...[...otherProjects, ...ownProjects.flat()].map(({ id, name }) => ({ Id: id, Name: name })),
    ...Array.from({ length: unreadableCount }, () => null),
  ];
  const isTruncated = workspaceProjects?.kind === 'done' && workspaceProjects.data.isTruncated;
  return {
    kind: 'done',
    data,
    ...(isTruncated && { isTruncated }),
    requestId: workspaceProjects?.requestId ?? '',
  };
}

/** Returns the project with its current name, or with its stored name if the current name is unknown. */
function updateName(project: Project, listed: Outcome<Records<Project>>): Project {
  const items = listed.kind === 'done' ? listed.data.items : [];
  return items.find(({ id }) => id === project.id) ?? project;
}
