import type { Project } from '../../../api/projects.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { toExcerpt } from '../../../posts/post-text.ts';
import { renderMoment } from '../../../posts/post-time.ts';
import { clip, sanitizeLine } from '../../../slack/blocks.ts';
import { getLocalDate, renderDay, renderTime } from '../days.ts';
import { getStatus, type PlannedPost } from '../plan.ts';

/** Options for rendering lines of plain text. */
export interface RenderOptions {
  zone: string;
  now: Date;
  /** Whether the digest covers several projects. Each line then names its project. */
  hasSeveralProjects: boolean;
}

const MAX_NAME_LENGTH = 60;
const MAX_EXCERPT_LENGTH = 80;
/** Maximum number of parsed characters of a post's text. Texts may be long, and a digest shows hundreds of posts. */
const MAX_PARSED_LENGTH = 400;
const MAX_NAMES = 3;

export function renderProjectName({ name }: Project): string {
  return clip(sanitizeLine(name), MAX_NAME_LENGTH);
}

/** Renders "Harbour Coffee", "A, B and C" or "A, B and 4 more". */
export function renderProjectNames(projects: readonly Project[]): string {
  const nameCount = projects.length > MAX_NAMES ? MAX_NAMES - 1 : MAX_NAMES;
  const names = projects.slice(0, nameCount).map(renderProjectName);
  const hiddenCount = projects.length - names.length;
  const lastName = hiddenCount > 0 ? `${hiddenCount} more` : names.pop();
  return names.length === 0 ? (lastName ?? '') : `${names.join(', ')} and ${lastName}`;
}

export function renderExcerpt({ post }: PlannedPost): string {
  const text = clip(toExcerpt(sanitizeLine(clip(post.content ?? '', MAX_PARSED_LENGTH))), MAX_EXCERPT_LENGTH);
  if (text !== '') return text;
  return post.templateId === undefined ? 'No text' : 'Text from a template';
}

/** Renders the day and the time in the digest's zone: "Fri 20 Nov, 14:00". */
export function renderShortMoment(at: Date, { zone }: Pick<RenderOptions, 'zone'>): string {
  return `${renderDay(getLocalDate(at, zone))}, ${renderTime(at, zone)}`;
}

/** Renders a post: "Fri 20 Nov, 14:00 · X and LinkedIn · Harbour Coffee · Our winter blend…" */
export function renderPostLine(
  planned: PlannedPost,
  options: RenderOptions,
  { showsDay }: { showsDay: boolean } = { showsDay: true },
): string {
  const moment = showsDay
    ? renderShortMoment(planned.scheduledAt, options)
    : renderTime(planned.scheduledAt, options.zone);
  const columns = [
    getStatus(planned) === 'PUBLISHED' ? `✓ ${moment}` : moment,
    renderPlatformNames(
      planned.post.platforms.map((platform) => clip(sanitizeLine(platform), MAX_NAME_LENGTH)),
    ) || 'no platform',
    ...(options.hasSeveralProjects ? [renderProjectName(planned.project)] : []),
    renderExcerpt(planned),
  ];
  return columns.join(' · ');
}

/** Renders a moment with its zone: "Fri 20 Nov, 14:00 (Berlin)". */
export function renderFullMoment(at: Date, { zone, now }: Pick<RenderOptions, 'zone' | 'now'>): string {
  return renderMoment(at, zone, now);
}

/** Renders a count: "One post", "3 posts". */
export function formatCount(count: number, singular: string, plural: string): string {
  return count === 1 ? singular : `${count.toLocaleString('en-GB')} ${plural}`;
}
