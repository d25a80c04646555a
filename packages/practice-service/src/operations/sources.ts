import type { Selectable } from 'kysely';
import { getOwn, getText, isBlank } from '../contract/narrowing.ts';
import { formatRecordId, parseRecordId } from '../record-id.ts';
import type { ServiceSchema } from '../schema.ts';
import { writeLog } from '../write-log.ts';
import { requireAny } from './field-rules.ts';
import { answerDone, type Operation } from './operation.ts';

export const listSources: Operation = {
  scope: 'project',
  run: async ({ db, projectId }) => {
    const sources = db.selectFrom('sources').selectAll().where('project_id', '=', projectId);
    return answerDone((await sources.orderBy('id', 'desc').execute()).map(toSourceRecord));
  },
};

export const updateSource: Operation = {
  scope: 'project',
  rules: ({ body }) => [
    ...requireAny(body, ['Description', 'Source']),
    ...checkValue(getOwn(body, 'Source')),
  ],
  run: async ({ db, projectId, request: { path, body }, now }) => {
    const id = parseRecordId('source', getText(path, 'source_id'));
    if (id === undefined) return { kind: 'absent', what: 'source' };
    const [description, source] = [getText(body, 'Description'), getText(getOwn(body, 'Source'), 'Source')];
    const row = await db.transaction().execute(async (transaction) => {
      const changed = await transaction
        .updateTable('sources')
        .set({
          updated_at: now,
          ...(description !== undefined && { description }),
          ...(source !== undefined && { source }),
        })
        .where('id', '=', id)
        .where('project_id', '=', projectId)
        .returningAll()
        .executeTakeFirst();
      if (changed === undefined) return undefined;
      const message = `${formatRecordId('source', id)} was updated.`;
      await writeLog(transaction, now, { projectId, event: 'source.updated', message });
      return changed;
    });
    return row === undefined ? { kind: 'absent', what: 'source' } : answerDone(toSourceRecord(row));
  },
};

/** A source needs a value: a blank one would leave the project without content. */
function checkValue(source: unknown) {
  if (source === undefined || !isBlank(getText(source, 'Source'))) return [];
  const loc = ['body', 'Source', 'Source'];
  return getText(source, 'Source') === undefined
    ? [{ loc, msg: 'Field required', type: 'missing' }]
    : [{ loc, msg: 'Source should not be blank', type: 'string_too_short' }];
}

function toSourceRecord(row: Selectable<ServiceSchema['sources']>) {
  return {
    Id: formatRecordId('source', row.id),
    ProjectId: formatRecordId('project', row.project_id),
    Description: row.description,
    Source: { Source: row.source },
    CreatedAt: row.created_at.toISOString(),
    UpdatedAt: row.updated_at.toISOString(),
  };
}
