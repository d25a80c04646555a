import type { Selectable } from 'kysely';
import { formatRecordId } from '../record-id.ts';
import type { ServiceSchema } from '../schema.ts';

type PostRow = Selectable<ServiceSchema['posts']>;

/** A post as the API returns it. A due post is PUBLISHED even before that is stored. */
export function toPostRecord(row: PostRow, now: Date) {
  const due = row.status === 'SCHEDULED' && row.schedule_at !== null && row.schedule_at <= now;
  return {
    Id: formatRecordId('post', row.id),
    ProjectId: formatRecordId('project', row.project_id),
    Content: row.content,
    Media: row.media,
    TemplateId: row.template_id === null ? null : formatRecordId('template', row.template_id),
    PromptId: row.prompt_id === null ? null : formatRecordId('prompt', row.prompt_id),
    ScheduleDate: row.schedule_at?.toISOString() ?? null,
    Timezone: row.timezone,
    Platforms: row.platforms,
    Status: due ? 'PUBLISHED' : row.status,
    CreatedAt: row.created_at.toISOString(),
  };
}
