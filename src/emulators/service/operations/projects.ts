import { formatRecordId } from '../record-id.ts';
import { answerDone, type Operation } from './operation.ts';

export const listProjects: Operation = {
  scope: 'everything',
  run: async ({ db }) => {
    const rows = await db.selectFrom('projects').selectAll().orderBy('id', 'desc').execute();
    return answerDone(
      rows.map((row) => ({
        Id: formatRecordId('project', row.id),
        Name: row.name,
        Description: row.description,
        CreatedAt: row.created_at.toISOString(),
      })),
    );
  },
};
