import type { ApiClient, Operation } from './client.ts';
import { mapDone } from './outcome.ts';
import { fieldsOf } from './records.ts';

/** The project that a call is about stands in its path, whatever the call. */
const PROJECT = /\/api\/v1\/projects\/([^/?#]+)/;

/**
 * The same client for somebody who may not see everything. What `allows` refuses (`project` undefined: a call about
 * none) is not there for them, which is what 404 says; projects that `sees` refuses are not listed.
 */
export function guardedClient(
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
      return operation === 'listProjects' ? mapDone(outcome, (data) => seenAmong(data, guard.sees)) : outcome;
    },
  };
}

/** The same data without records of projects that are not seen, and without what cannot be read as one. */
function seenAmong(data: unknown, sees: (project: string) => boolean, depth = 0): unknown {
  if (Array.isArray(data)) {
    return data.filter((one) => {
      const id = fieldsOf(one)?.id('Id');
      return id !== undefined && sees(id);
    });
  }
  const fields = fieldsOf(data);
  if (!fields) return data;
  // Deeper than records are looked for.
  if (depth > 3) return undefined;
  const id = fields.id('Id');
  if (id !== undefined) return sees(id) ? data : [];
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, seenAmong(value, sees, depth + 1)]),
  );
}
