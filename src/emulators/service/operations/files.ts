import { writeLog } from '../write-log.ts';
import { answerDone, type Operation } from './operation.ts';

const MESSAGE = 'A file was to be deleted. The request has no way to say which, so nothing was deleted.';

export const deleteFile: Operation = {
  scope: 'everything',
  run: async ({ db, now }) => {
    // Files belong to no project, so every project gets a log entry.
    const projects = await db.selectFrom('projects').select('id').execute();
    const entries = projects.map(({ id }) => ({
      projectId: id,
      event: 'file.not-deleted',
      message: MESSAGE,
    }));
    await writeLog(db, now, ...entries);
    return answerDone(null);
  },
};
