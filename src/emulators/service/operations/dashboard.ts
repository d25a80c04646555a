import { toPostRecord } from '../posts/to-post-record.ts';
import { answerDone, type Operation } from './operation.ts';

export const getUpnextPost: Operation = {
  scope: 'project',
  run: async ({ db, projectId, now }) => {
    const row = await db
      .selectFrom('posts')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('status', '=', 'SCHEDULED')
      .where('schedule_at', '>', now)
      .orderBy('schedule_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    return answerDone(row === undefined ? null : toPostRecord(row, now));
  },
};
