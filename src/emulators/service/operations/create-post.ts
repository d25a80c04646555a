import { type Fields, isBlank, text, texts } from '../contract/narrowing.ts';
import type { Problem } from '../contract/problem.ts';
import { postRecord } from '../posts/post-record.ts';
import { postRules, postStatus, scheduledInstant } from '../posts/post-rules.ts';
import { recordId, rowOf } from '../record-id.ts';
import { writeLog } from '../write-log.ts';
import { answerDone, type Operation, type ProjectCall } from './operation.ts';

export const createPost: Operation = {
  scope: 'project',
  rules: ({ body }, now) => postRules(body, now),
  lookups: async (call) => [
    ...(await requireExisting(call, 'TemplateId', 'template')),
    ...(await requireExisting(call, 'PromptId', 'prompt')),
  ],
  run: async ({ db, projectId, publisher, request: { body }, now }) => {
    const values = { ...rowFrom(body), project_id: projectId, created_at: now };
    const row = await db.transaction().execute(async (transaction) => {
      const created = await transaction
        .insertInto('posts')
        .values(values)
        .returningAll()
        .executeTakeFirstOrThrow();
      const id = recordId('post', created.id);
      await writeLog(transaction, now, {
        projectId,
        event: 'post.created',
        message: `${id} was created as ${created.status}.`,
      });
      return created;
    });
    if (row.status === 'SCHEDULED' && row.schedule_at !== null) publisher.expect(row.schedule_at);
    return answerDone(postRecord(row, now));
  },
};

function rowFrom(body: Fields) {
  return {
    content: text(body, 'Content') ?? null,
    media: text(body, 'Media') ?? null,
    template_id: rowOf('template', text(body, 'TemplateId')) ?? null,
    prompt_id: rowOf('prompt', text(body, 'PromptId')) ?? null,
    schedule_at: scheduledInstant(body) ?? null,
    timezone: text(body, 'Timezone') ?? null,
    platforms: [...new Set(texts(body, 'Platforms'))],
    status: postStatus(body),
  };
}

async function requireExisting(
  call: ProjectCall,
  field: string,
  kind: 'template' | 'prompt',
): Promise<Problem[]> {
  const id = text(call.request.body, field);
  if (id === undefined) return [];
  const problem = {
    loc: ['body', field],
    msg: `The project has no ${kind} with this id`,
    type: 'value_error',
  };
  const row = isBlank(id) ? undefined : rowOf(kind, id);
  if (row === undefined) return [problem];
  const found = await call.db
    .selectFrom(kind === 'template' ? 'templates' : 'prompts')
    .select('id')
    .where('id', '=', row)
    .where('project_id', '=', call.projectId)
    .executeTakeFirst();
  return found === undefined ? [problem] : [];
}
