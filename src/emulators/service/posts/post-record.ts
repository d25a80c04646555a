import type { Selectable } from 'kysely';
import { recordId } from '../record-id.ts';
import type { ServiceSchema } from '../schema.ts';

type PostRow = Selectable<ServiceSchema['posts']>;

/** A post as the API returns it. A due post is PUBLISHED even before that is stored. */
export function postRecord(row: PostRow, now: Date) {
  const due = row.status === 'SCHEDULED' && row.schedule_at !== null && row.schedule_at <= now;
  return {
    Id: recordId('post', row.id),
    ProjectId: recordId('project', row.project_id),
    Content: row.content,
    Media: row.media,
    TemplateId: row.template_id === null ? null : recordId('template', row.template_id),
    PromptId: row.prompt_id === null ? null : recordId('prompt', row.prompt_id),
    ScheduleDate: row.schedule_at?.toISOString() ?? null,
    Timezone: row.timezone,
    Platforms: row.platforms,
    Status: due ? 'PUBLISHED' : row.status,
    CreatedAt: row.created_at.toISOString(),
  };
}
