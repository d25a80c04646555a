import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { getFields, type Records, readRecords } from './records.ts';

export interface Project {
  /** Upnext's id, which says at which service the project is: see `buildProjectId`. */
  id: string;
  /** The id if the service returns no name. */
  name: string;
}

function readProject(value: unknown): Project | undefined {
  const fields = getFields(value);
  const id = fields?.getId('Id');
  return id === undefined ? undefined : { id, name: fields?.getText('name', 'Name', 'Title') ?? id };
}

/** List Projects. Returns the projects that the token can access, with Upnext's ids. */
export async function listProjects(client: ApiClient): Promise<Outcome<Records<Project>>> {
  const outcome = await client.call('listProjects', (http, requestOptions) =>
    http.GET('/api/v1/projects', requestOptions),
  );
  // A scheduling service always has this list, so nothing is known of the projects of what answers at the address.
  if (outcome.kind === 'refused' && outcome.status === 404)
    return { kind: 'unknown', cause: 'unexpected-status', status: 404, requestId: outcome.requestId };
  const listed = mapDone(outcome, (data, meta) => readRecords(data, 'Project', readProject, meta));
  if (listed.kind !== 'done' || !client.projectIds) return listed;
  return { ...listed, data: await client.projectIds.receive(listed.data) };
}
