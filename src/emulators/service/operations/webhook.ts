import { writeLog } from '../write-log.ts';
import { answerDone, type Operation } from './operation.ts';

export const deleteWebhook: Operation = {
  scope: 'project',
  run: async ({ db, projectId, now }) => {
    const deleted = await db.transaction().execute(async (transaction) => {
      const webhooks = transaction.deleteFrom('webhooks').where('project_id', '=', projectId);
      const row = await webhooks.returning('project_id').executeTakeFirst();
      if (row === undefined) return false;
      const message = 'The webhook was deleted.';
      await writeLog(transaction, now, { projectId, event: 'webhook.deleted', message });
      return true;
    });
    return deleted ? answerDone(null) : { kind: 'absent', what: 'webhook' };
  },
};
