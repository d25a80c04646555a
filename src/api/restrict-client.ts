import type { ApiClient, Operation } from './client.ts';
import { mapDone } from './outcome.ts';
import { getFields } from './records.ts';

/** Matches the path of a call about a project, which contains the id of the project. */
const PROJECT_PATH = /\/api\/v1\/projects\/([^/?#]+)/;

/**
 * Returns a client with the permissions of one person. A call for which `mayCall` returns false ends as 404. `project`
 * is undefined for a call that isn't about a project. List Projects returns only projects for which `maySee` returns
 * true.
 */
export function restrictClient(
  client: ApiClient,
  guard: {
    mayCall(operation: Operation, project: string | undefined): boolean;
    maySee(project: string): boolean;
  },
): ApiClient {
  return {
    ...client,
    async call(operation, send) {
      const outcome = await client.call(operation, (http, requestOptions) =>
        send(http, {
          ...requestOptions,
          fetch: async (request) => {
            const [, segment] = PROJECT_PATH.exec(new URL(request.url).pathname) ?? [];
            const project = segment === undefined ? undefined : decodeURIComponent(segment);
            return operation === 'listProjects' || guard.mayCall(operation, project)
              ? requestOptions.fetch(request)
              : new Response(null, { status: 404 });
          },
        }),
      );
      return operation === 'listProjects'
        ? mapDone(outcome, (data) => filterProjects(data, guard.maySee))
        : outcome;
    },
  };
}

/** Removes projects for which `maySee` returns false, and list entries that can't be read as a project. */
function filterProjects(data: unknown, maySee: (project: string) => boolean, depth = 0): unknown {
  if (Array.isArray(data)) {
    return data.filter((entry) => {
      const id = getFields(entry)?.getId('Id');
      return id !== undefined && maySee(id);
    });
  }
  const fields = getFields(data);
  if (!fields) return data;
  // `readRecords` doesn't search deeper levels.
  if (depth > 3) return undefined;
  const id = fields.getId('Id');
  if (id !== undefined) return maySee(id) ? data : [];
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, filterProjects(value, maySee, depth + 1)]),
  );
}
