import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { getFields, type Records, readRecord, readRecords } from './records.ts';

export interface Template {
  id: string;
  /** The id if the service returns no name. */
  name: string;
  content?: string | undefined;
}

const CONTENT_FIELDS = ['Content', 'Text', 'Body'];

function readTemplate(value: unknown): Template | undefined {
  const fields = getFields(value);
  const id = fields?.getId('Id');
  if (!fields || id === undefined) return undefined;
  if (fields.isTooLong('content', ...CONTENT_FIELDS)) return undefined;
  return {
    id,
    name: fields.getText('name', 'Name', 'Title') ?? id,
    content: fields.getText('content', ...CONTENT_FIELDS),
  };
}

export async function listTemplates(
  client: ApiClient,
  projectId: string,
): Promise<Outcome<Records<Template>>> {
  const path = { project_id: projectId };
  const outcome = await client.call('listTemplates', (http, requestOptions) =>
    http.GET('/api/v1/projects/{project_id}/templates', { ...requestOptions, params: { path } }),
  );
  return mapDone(outcome, (data, meta) => readRecords(data, 'Template', readTemplate, meta));
}

/** Get Template. Undefined if there is none, or if it is unreadable. */
export async function getTemplate(
  client: ApiClient,
  { projectId, templateId }: { projectId: string; templateId: string },
): Promise<Outcome<Template | undefined>> {
  const outcome = await client.call('getTemplate', (http, requestOptions) =>
    http.GET('/api/v1/projects/{project_id}/templates/{template_id}', {
      ...requestOptions,
      params: { path: { project_id: projectId, template_id: templateId } },
    }),
  );
  return mapDone(outcome, (data) => readRecord(data, 'Template', readTemplate).record);
}
