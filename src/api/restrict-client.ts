import type { ApiClient, Operation } from './client.ts';
import { mapDone } from './outcome.ts';
import { fieldsOf } from './records.ts';

/** Every call about a project has the project's id in its path. */
const PROJECT = /\/api\/v1\/projects\/([^/?#]+)/;

/**
 * A client for a person who may not see everything. Calls that `allows` refuses end as 404 (`project` is undefined in a
 * call that isn't about a project). Lists contain only projects for which `sees` returns true.
 */
export function restrictClient(
  client: ApiClient,
  guard: {
    allows(operation: Operation, project: string | undefined): boolean;
    sees(project: string): boolean;
  },
): ApiClient {
  return {
    ...client,
    async call(operation, send) {
      const outcome = await client.call(operation, (http, call) =>
        send(http, {
          ...call,
          fetch: async (request) => {
            const [, segment] = PROJECT.exec(new URL(request.url).pathname) ?? [];
            const project = segment === undefined ? undefined : decodeURIComponent(segment);
            return operation === 'listProjects' || guard.allows(operation, project)
              ? call.fetch(request)
              : new Response(null, { status: 404 });
          },
        }),
      );
      return operation === 'listProjects'
        ? mapDone(outcome, (data) => filterProjects(data, guard.sees))
        : outcome;
    },
  };
}

/** Removes the projects that the person may not see, and list entries that can't be read as a project. */
function filterProjects(data: unknown, sees: (project: string) => boolean, depth = 0): unknown {
  if (Array.isArray(data)) {
    return data.filter((one) => {
      const id = fieldsOf(one)?.id('Id');
      return id !== undefined && sees(id);
    });
  }
  const fields = fieldsOf(data);
  if (!fields) return data;
  // `readRecords` doesn't look deeper.
  if (depth > 3) return undefined;
  const id = fields.id('Id');
  if (id !== undefined) return sees(id) ? data : [];
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, filterProjects(value, sees, depth + 1)]),
  );
}
