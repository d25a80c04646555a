import { type Fields, getText, getTexts, isBlank } from '../contract/narrowing.ts';
import type { Problem } from '../contract/problem.ts';
import { checkPost, getPostStatus, parseScheduledInstant } from '../posts/check-post.ts';
import { toPostRecord } from '../posts/to-post-record.ts';
import { formatRecordId, parseRecordId } from '../record-id.ts';
import { writeLog } from '../write-log.ts';
import { answerDone, type Operation, type ProjectCall } from './operation.ts';

export const createPost: Operation = {
  scope: 'project',
  rules: ({ body }, now) => checkPost(body, now),
  lookups: async (call) => [
    ...(await requireExisting(call, 'TemplateId', 'template')),
    ...(await requireExisting(call, 'PromptId', 'prompt')),
  ],
  run: async ({ db, projectId, publisher, request: { body }, now }) => {
    const values = { ...toPostRow(body), project_id: projectId, created_at: now };
    const row = await db.transaction().execute(async (transaction) => {
      const created = await transaction
        .insertInto('posts')
        .values(values)
        .returningAll()
        .executeTakeFirstOrThrow();
      const id = formatRecordId('post', created.id);
      await writeLog(transaction, now, {
        projectId,
        event: 'post.created',
        message: `${id} was created as ${created.status}.`,
      });
      return created;
    });
    if (row.status === 'SCHEDULED' && row.schedule_at !== null) publisher.expect(row.schedule_at);
    return answerDone(toPostRecord(row, now));
  },
};

function toPostRow(body: Fields) {
  return {
    content: getText(body, 'Content') ?? null,
    media: getText(body, 'Media') ?? null,
    template_id: parseRecordId('template', getText(body, 'TemplateId')) ?? null,
    prompt_id: parseRecordId('prompt', getText(body, 'PromptId')) ?? null,
    schedule_at: parseScheduledInstant(body) ?? null,
    timezone: getText(body, 'Timezone') ?? null,
    platforms: [...new Set(getTexts(body, 'Platforms'))],
    status: getPostStatus(body),
  };
}

async function requireExisting(
  call: ProjectCall,
  field: string,
  kind: 'template' | 'prompt',
): Promise<Problem[]> {
  const id = getText(call.request.body, field);
  if (id === undefined) return [];
  const problem = {
    loc: ['body', field],
    msg: `The project has no ${kind} with this id`,
    type: 'value_error',
  };
  const row = isBlank(id) ? undefined : parseRecordId(kind, id);
  if (row === undefined) return [problem];
  const found = await call.db
    .selectFrom(kind === 'template' ? 'templates' : 'prompts')
    .select('id')
    .where('id', '=', row)
    .where('project_id', '=', call.projectId)
    .executeTakeFirst();
  return found === undefined ? [problem] : [];
}
