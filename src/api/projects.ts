import type { ApiClient, ListedProject } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { readDate } from './posts.ts';
import { getFields, type Records, readRecords } from './records.ts';

export interface Project {
  /** Upnext's id, which says at which service the project is: see `buildProjectId`. */
  id: string;
  /** The id if the service returns no name. */
  name: string;
}

/** Names of the field that says when a project was made, as the contract doesn't describe projects. */
const CREATED_FIELDS = ['CreatedAt', 'CreatedOn', 'Created'];

function readProject(value: unknown): ListedProject | undefined {
  const fields = getFields(value);
  const id = fields?.getId('Id');
  if (!fields || id === undefined) return undefined;
  const createdAt = readCreatedAt(fields.getValue(...CREATED_FIELDS));
  return { id, name: fields.getText('name', 'Name', 'Title') ?? id, ...(createdAt && { createdAt }) };
}

/** Reads when a project was made. Undefined for a time without an offset, which isn't an instant. */
function readCreatedAt(value: unknown): Date | undefined {
  const at = readDate(value, undefined);
  // Services write the year 1 or 1970 for a time that isn't set, and the database has no year 10000.
  return at && at.getTime() > 0 && at.getUTCFullYear() < 10_000 ? at : undefined;
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
