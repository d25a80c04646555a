import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { getFields, type Records, readRecords } from './records.ts';

export interface Source {
  id: string;
  name?: string | undefined;
  description?: string | undefined;
  /** The field `Source`. If it is an object, the field `Source` of this object. */
  value?: string | undefined;
}

function readSource(value: unknown): Source | undefined {
  const fields = getFields(value);
  const id = fields?.getId('Id');
  if (!fields || id === undefined) return undefined;
  const inner = getFields(fields.getValue('Source'));
  // A form compares both texts with what it has shown, so a part of one isn't enough.
  const isTooLong = [
    fields.isTooLong('content', 'Description'),
    (inner ?? fields).isTooLong('content', 'Source'),
  ];
  if (isTooLong.includes(true)) return undefined;
  return {
    id,
    name: fields.getText('name', 'Name', 'Title'),
    description: fields.getText('content', 'Description'),
    value: (inner ?? fields).getText('content', 'Source'),
  };
}

export async function listSources(client: ApiClient, projectId: string): Promise<Outcome<Records<Source>>> {
  const path = { project_id: projectId };
  const outcome = await client.call('listSources', (http, requestOptions) =>
    http.GET('/api/v1/projects/{project_id}/sources', { ...requestOptions, params: { path } }),
  );
  return mapDone(outcome, (data, meta) => readRecords(data, 'Source', readSource, meta));
}

/** Update Source. The request contains only the fields that `change` has. */
export async function updateSource(
  client: ApiClient,
  change: { projectId: string; sourceId: string } & Pick<Source, 'description' | 'value'>,
): Promise<Outcome<undefined>> {
  const { projectId, sourceId, description, value } = change;
  const body = {
    ...(description !== undefined && { Description: description }),
    ...(value !== undefined && { Source: { Source: value } }),
  };
  const outcome = await client.call('updateSource', (http, requestOptions) =>
    http.PUT('/api/v1/projects/{project_id}/sources/{source_id}', {
      ...requestOptions,
      params: { path: { project_id: projectId, source_id: sourceId } },
      body,
    }),
  );
  return mapDone(outcome, () => undefined);
}
