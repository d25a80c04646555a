import type { Kysely } from 'kysely';
import { parseRecordId } from './record-id.ts';
import type { ServiceSchema } from './schema.ts';
import { writeLog } from './write-log.ts';

/** The tables with records of a project. Posts come before what they refer to. */
const PROJECT_TABLES = ['posts', 'templates', 'prompts', 'sources', 'users', 'logs', 'webhooks'] as const;

/**
 * Deletes a project with everything in it, and makes another one with its id and its name, which is empty. Resolves with
 * the project's row number. Undefined if there is no such project.
 */
export function remakeProject(
  db: Kysely<ServiceSchema>,
  { id, now }: { id: string; now: Date },
): Promise<number | undefined> {
  const projectId = parseRecordId('project', id);
  if (projectId === undefined) return Promise.resolve(undefined);
  return db.transaction().execute(async (transaction) => {
    for (const table of PROJECT_TABLES)
      await transaction.deleteFrom(table).where('project_id', '=', projectId).execute();
    const remade = await transaction
      .updateTable('projects')
      .set({ created_at: now })
      .where('id', '=', projectId)
      .returning('id')
      .executeTakeFirst();
    if (!remade) return undefined;
    await writeLog(transaction, now, { projectId, event: 'project.created', message: `${id} was created.` });
    return projectId;
  });
}
