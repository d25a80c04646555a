import type { KnownBlock } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { renderPostStatus } from '../../../posts/post-status.ts';
import { renderExcerpt as renderPostExcerpt, toExcerpt } from '../../../posts/post-text.ts';
import { renderMoment } from '../../../posts/post-time.ts';
import { clip, escapeText, plainSection, sanitizeLine, section } from '../../../slack/blocks.ts';
import { addDays, getLocalDate, type LocalDate, renderDay, renderTime } from '../days.ts';
import { getStatus, type PlannedPost } from '../plan.ts';

/** Options for rendering posts and times. */
export interface RenderOptions {
  /** The digest's zone. */
  zone: string;
  now: Date;
  /** The digest's date in its zone. */
  date: LocalDate;
  /** Whether the digest covers several projects. Each line then names its project. */
  hasSeveralProjects: boolean;
}

const MAX_NAME_LENGTH = 60;
const MAX_EXCERPT_LENGTH = 80;
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
  return toExcerpt(renderPostExcerpt(post), MAX_EXCERPT_LENGTH);
}

/** Renders the day and the time in the digest's zone: "Fri 20 Nov, 14:00". */
export function renderShortMoment(at: Date, { zone }: Pick<RenderOptions, 'zone'>): string {
  return `${renderDay(getLocalDate(at, zone))}, ${renderTime(at, zone)}`;
}

/** Renders "Today", "Tomorrow, Sat 21 Nov" or "Sun 22 Nov". */
export function renderDayHeading(date: LocalDate, { date: today }: RenderOptions): string {
  if (date === today) return 'Today';
  return date === addDays(today, 1) ? `Tomorrow, ${renderDay(date)}` : renderDay(date);
}

/**
 * Renders a post in two blocks. Slack shows the time in each reader's zone, in a `format` such as "{time}":
 * https://docs.slack.dev/messaging/formatting-message-text/#date-formatting
 */
export function renderPostRow(
  planned: PlannedPost,
  options: RenderOptions,
  { heading = '', format, notes }: { heading?: string; format: string; notes: readonly string[] },
): KnownBlock[] {
  const { scheduledAt, post, project } = planned;
  const seconds = Math.floor(scheduledAt.getTime() / 1000);
  const fallback =
    format === '{time}' ? renderTime(scheduledAt, options.zone) : renderFullMoment(scheduledAt, options);
  const facts = [
    ...notes,
    renderPostStatus(post.status),
    renderPlatforms(planned),
    ...(options.hasSeveralProjects ? [renderProjectName(project)] : []),
  ];
  const time = `*${heading}<!date^${seconds}^${format}|${escapeText(fallback)}>*`;
  return [section([time, ...facts.map(escapeText)].join(' · ')), plainSection(renderExcerpt(planned))];
}

/** How a line of plain text shows the time: "14:00", or "Fri 20 Nov, 14:00 (Berlin)". */
type TimeFormat = 'time' | 'full';

/** Renders a post as plain text: "Fri 20 Nov, 14:00 (Berlin) · X and LinkedIn · Harbour Coffee · Our winter blend…" */
export function renderPostLine(planned: PlannedPost, options: RenderOptions, format: TimeFormat): string {
  const { scheduledAt } = planned;
  const time =
    format === 'full' ? renderFullMoment(scheduledAt, options) : renderTime(scheduledAt, options.zone);
  const columns = [
    getStatus(planned) === 'PUBLISHED' ? `✅ ${time}` : time,
    renderPlatforms(planned),
    ...(options.hasSeveralProjects ? [renderProjectName(planned.project)] : []),
    renderExcerpt(planned),
  ];
  return columns.join(' · ');
}

function renderPlatforms({ post }: PlannedPost): string {
  const names = post.platforms.map((platform) => clip(sanitizeLine(platform), MAX_NAME_LENGTH));
  return renderPlatformNames(names) || 'No platform';
}

/** Renders a moment with its zone: "Fri 20 Nov, 14:00 (Berlin)". */
export function renderFullMoment(at: Date, { zone, now }: Pick<RenderOptions, 'zone' | 'now'>): string {
  return renderMoment(at, zone, now);
}

/** Renders a count: "One post", "3 posts". */
export function formatCount(count: number, singular: string, plural: string): string {
  return count === 1 ? singular : `${count.toLocaleString('en-GB')} ${plural}`;
}
