import { text } from '../contract/narrowing.ts';
import { recordId } from '../record-id.ts';
import { writeLog } from '../write-log.ts';
import { requireFields } from './field-rules.ts';
import { answerDone, type Operation } from './operation.ts';

export const createPrompt: Operation = {
  scope: 'project',
  rules: ({ body }) => requireFields(body, ['Title', 'PromptText']),
  run: async ({ db, projectId, request: { body }, now }) => {
    const values = {
      project_id: projectId,
      title: text(body, 'Title') ?? '',
      prompt_text: text(body, 'PromptText') ?? '',
      description: text(body, 'Description') ?? null,
      created_at: now,
    };
    const row = await db.transaction().execute(async (transaction) => {
      const created = await transaction
        .insertInto('prompts')
        .values(values)
        .returningAll()
        .executeTakeFirstOrThrow();
      const message = `${recordId('prompt', created.id)} was created.`;
      await writeLog(transaction, now, { projectId, event: 'prompt.created', message });
      return created;
    });
    return answerDone({
      Id: recordId('prompt', row.id),
      ProjectId: recordId('project', projectId),
      Title: row.title,
      PromptText: row.prompt_text,
      Description: row.description,
      CreatedAt: row.created_at.toISOString(),
    });
  },
};
