import type { Selectable } from 'kysely';
import { getText } from '../contract/narrowing.ts';
import { formatRecordId, parseRecordId } from '../record-id.ts';
import type { ServiceSchema } from '../schema.ts';
import { answerDone, type Operation } from './operation.ts';

export const listTemplates: Operation = {
  scope: 'project',
  run: async ({ db, projectId }) => {
    const templates = db.selectFrom('templates').selectAll().where('project_id', '=', projectId);
    return answerDone((await templates.orderBy('id', 'desc').execute()).map(toTemplateRecord));
  },
};

export const getTemplate: Operation = {
  scope: 'project',
  run: async ({ db, projectId, request: { path } }) => {
    const id = parseRecordId('template', getText(path, 'template_id'));
    const templates = db.selectFrom('templates').selectAll().where('project_id', '=', projectId);
    const row = id === undefined ? undefined : await templates.where('id', '=', id).executeTakeFirst();
    return row === undefined ? { kind: 'absent', what: 'template' } : answerDone(toTemplateRecord(row));
  },
};

function toTemplateRecord(row: Selectable<ServiceSchema['templates']>) {
  return {
    Id: formatRecordId('template', row.id),
    ProjectId: formatRecordId('project', row.project_id),
    Name: row.name,
    Content: row.content,
    CreatedAt: row.created_at.toISOString(),
  };
}
