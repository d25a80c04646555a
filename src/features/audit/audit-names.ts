import { z } from 'zod';
import type { RecordRow } from '../../access/access.ts';
import type { Call } from '../../app/call.ts';
import { namedRecord } from '../../forms/field.ts';
import type { Reader } from '../../forms/form-context.ts';
import { readContent } from '../../submissions/content.ts';
import { listSubmissionsById } from '../../submissions/sql/lists.ts';
import { createExcerpt } from '../../submissions/text/render-submission.ts';
import type { AuditNames, RecordedSubmission } from './deed-parts.ts';
import { renderClockTime, renderDate } from './render-time.ts';

/** Project names by id. */
type ProjectNames = Pick<AuditNames, 'projects' | 'areProjectsComplete'>;

/** Reads the names of all projects. If the service doesn't answer, uses the names that it returned last. */
export async function readProjectNames({ context }: Pick<Call, 'context'>): Promise<ProjectNames> {
  const { reads, api } = context;
  const outcome = await reads.listProjects(api);
  const projectList = outcome.kind === 'done' ? outcome.data : reads.getLastProjects(api);
  const namedProjects = (projectList?.items ?? []).filter(({ id, name }) => name !== id);
  return {
    projects: new Map(namedProjects.map(({ id, name }) => [id, name])),
    areProjectsComplete:
      outcome.kind === 'done' &&
      outcome.data.isReadable &&
      !outcome.data.isTruncated &&
      outcome.data.unreadableCount === 0 &&
      namedProjects.length === outcome.data.items.length,
  };
}

/** The parts of a submission that a sentence may contain. Titles of prompts and names of users are text from people. */
const contentParts = z
  .object({
    email: z.string(),
    title: z.string(),
    user: namedRecord,
    source: namedRecord,
    values: z.object({ status: z.string() }),
  })
  .partial();

/** Reads the submissions that these rows record, by id. Deleted submissions are absent. */
export async function readRecordedSubmissions(
  { context, actor }: Pick<Call, 'context' | 'actor'>,
  rows: readonly RecordRow[],
  reader: Reader,
): Promise<ReadonlyMap<string, RecordedSubmission>> {
  const ids = rows.filter(({ action }) => action.startsWith('send ')).map(({ target }) => target);
  const submissions = await listSubmissionsById(context.db, { workspace: actor.workspace, ids });
  const { context: submissionContext } = context.submissions;
  return new Map(
    submissions.map((row) => {
      const kind = submissionContext.findKind(row.kind);
      const content = readContent(submissionContext, kind, {
        ...row,
        content: row.content ?? row.summary,
      })?.content;
      const { email, title, user, source, values } = contentParts.safeParse(content).data ?? {};
      const record = user ?? source;
      const projectName = content === undefined ? undefined : kind?.getProject(content)?.name;
      const submission: RecordedSubmission = {
        state: row.state,
        projectName,
        subject: email ?? title ?? (record && record.name !== record.id ? record.name : undefined),
        time: row.publish_at
          ? `${renderDate(row.publish_at, reader)}, ${renderClockTime(row.publish_at, reader)}`
          : undefined,
        isDraft: values?.status === 'DRAFT',
        excerpt: kind?.toPost && content !== undefined ? createExcerpt(kind.copy.getText(content)) : '',
        retryCount: Math.max(0, row.attempts - 1),
      };
      return [row.id, submission] as const;
    }),
  );
}
