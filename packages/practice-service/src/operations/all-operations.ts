import type { Selectable } from 'kysely';
import { getText } from '../contract/narrowing.ts';
import { MAX_LOGS } from '../decisions.ts';
import { toPostRecord } from '../posts/to-post-record.ts';
import { formatRecordId, parseRecordId } from '../record-id.ts';
import type { ServiceSchema } from '../schema.ts';
import { writeLog } from '../write-log.ts';
import { createPost } from './create-post.ts';
import { requireFields } from './field-rules.ts';
import { listPosts } from './list-posts.ts';
import { answerDone, type Operation } from './operation.ts';
import { listSources, updateSource } from './sources.ts';
import { addNonPlatformUserToProject, updateProjectUser } from './users.ts';

const deleteWebhook: Operation = {
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

const listTemplates: Operation = {
  scope: 'project',
  run: async ({ db, projectId }) => {
    const templates = db.selectFrom('templates').selectAll().where('project_id', '=', projectId);
    return answerDone((await templates.orderBy('id', 'desc').execute()).map(toTemplateRecord));
  },
};

const getTemplate: Operation = {
  scope: 'project',
  run: async ({ db, projectId, request: { path } }) => {
    const id = parseRecordId('template', getText(path, 'template_id'));
    const templates = db.selectFrom('templates').selectAll().where('project_id', '=', projectId);
    const row = id === undefined ? undefined : await templates.where('id', '=', id).executeTakeFirst();
    return row === undefined ? { kind: 'absent', what: 'template' } : answerDone(toTemplateRecord(row));
  },
};

function toTemplateRecord(row: Selectable<ServiceSchema['templates']>) {
  return {
    Id: formatRecordId('template', row.id),
    ProjectId: formatRecordId('project', row.project_id),
    Name: row.name,
    Content: row.content,
    CreatedAt: row.created_at.toISOString(),
  };
}

const createPrompt: Operation = {
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

const listProjects: Operation = {
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

const listLogs: Operation = {
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

const MESSAGE = 'A file was to be deleted. The request has no way to say which, so nothing was deleted.';

const deleteFile: Operation = {
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

const getUpnextPost: Operation = {
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

/** The implementation of each operationId of the document. */
export const allOperations = {
  listProjects,
  listPosts,
  createPost,
  addNonPlatformUserToProject,
  updateProjectUser,
  createPrompt,
  listTemplates,
  getTemplate,
  listSources,
  updateSource,
  listLogs,
  getUpnextPost,
  deleteWebhook,
  deleteFile,
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationId = keyof typeof allOperations;

export function isOperationId(id: unknown): id is OperationId {
  return typeof id === 'string' && Object.hasOwn(allOperations, id);
}
