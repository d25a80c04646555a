import { recordId } from '../record-id.ts';
import { done, type Operation } from './operation.ts';

export const listProjects: Operation = {
  scope: 'everything',
  run: async ({ db }) => {
    const rows = await db.selectFrom('projects').selectAll().orderBy('id', 'desc').execute();
    return done(
      rows.map((row) => ({
        Id: recordId('project', row.id),
        Name: row.name,
        Description: row.description,
        CreatedAt: row.created_at.toISOString(),
      })),
    );
  },
};
