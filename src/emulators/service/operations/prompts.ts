import { getText } from '../contract/narrowing.ts';
import { formatRecordId } from '../record-id.ts';
import { writeLog } from '../write-log.ts';
import { requireFields } from './field-rules.ts';
import { answerDone, type Operation } from './operation.ts';

export const createPrompt: Operation = {
  scope: 'project',
  rules: ({ body }) => requireFields(body, ['Title', 'PromptText']),
  run: async ({ db, projectId, request: { body }, now }) => {
    const values = {
      project_id: projectId,
      title: getText(body, 'Title') ?? '',
      prompt_text: getText(body, 'PromptText') ?? '',
      description: getText(body, 'Description') ?? null,
      created_at: now,
    };
    const row = await db.transaction().execute(async (transaction) => {
      const created = await transaction
        .insertInto('prompts')
        .values(values)
        .returningAll()
        .executeTakeFirstOrThrow();
      const message = `${formatRecordId('prompt', created.id)} was created.`;
      await writeLog(transaction, now, { projectId, event: 'prompt.created', message });
      return created;
    });
    return answerDone({
      Id: formatRecordId('prompt', row.id),
      ProjectId: formatRecordId('project', projectId),
      Title: row.title,
      PromptText: row.prompt_text,
      Description: row.description,
      CreatedAt: row.created_at.toISOString(),
    });
  },
};
