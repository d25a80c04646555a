import { MAX_LOGS } from '../decisions.ts';
import { formatRecordId } from '../record-id.ts';
import { answerDone, type Operation } from './operation.ts';

export const listLogs: Operation = {
  scope: 'project',
  run: async ({ db, projectId, publisher }) => {
    // A due post is read as PUBLISHED, so its log entry must exist by then.
    await publisher.publishDue();
    const rows = await db
      .selectFrom('logs')
      .selectAll()
      .where('project_id', '=', projectId)
      .orderBy('id', 'desc')
      .limit(MAX_LOGS)
      .execute();
    return answerDone(
      rows.map((row) => ({
        Id: formatRecordId('log', row.id),
        ProjectId: formatRecordId('project', row.project_id),
        Event: row.event,
        Message: row.message,
        CreatedAt: row.created_at.toISOString(),
      })),
    );
  },
};
