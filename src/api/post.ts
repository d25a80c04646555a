import { fieldsOf } from './record-fields.ts';
import { readScheduleDate } from './schedule-date.ts';

/** A post as the service returned it. */
export interface Post {
  id?: string | undefined;
  content?: string | undefined;
  media?: string | undefined;
  scheduleDate?: Date | undefined;
  timezone?: string | undefined;
  platforms: readonly string[];
  status?: string | undefined;
  templateId?: string | undefined;
  promptId?: string | undefined;
  /** Fields that were there and could not be read, so that nobody takes them for absent. */
  unread?: readonly string[] | undefined;
}

function readPlatforms(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : undefined;
}

/** Reads a post; undefined when `value` has none of a post's own fields. */
export function readPost(value: unknown): Post | undefined {
  const fields = fieldsOf(value);
  if (!fields?.has('Id', 'Content', 'ScheduleDate', 'Platforms')) return undefined;
  const timezone = fields.text('Timezone');
  const date = fields.text('ScheduleDate');
  const post = {
    content: fields.text('Content'),
    media: fields.text('Media'),
    scheduleDate: date === undefined ? undefined : readScheduleDate(date, timezone),
    timezone,
    platforms: readPlatforms(fields.value('Platforms')),
    status: fields.text('Status'),
    templateId: fields.id('TemplateId'),
    promptId: fields.id('PromptId'),
  };
  const id = fields.id('Id');
  const unread = Object.entries(post)
    .map(([key, value]) => ({ name: key.charAt(0).toUpperCase() + key.slice(1), value }))
    .filter(({ name, value }) => value === undefined && (fields.value(name) ?? '') !== '')
    .map(({ name }) => name);
  return { id, ...post, platforms: post.platforms ?? [], ...(unread.length > 0 && { unread }) };
}
