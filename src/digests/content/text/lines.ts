import type { SectionBlock } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import { describePost } from '../../../posts/describe-post.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { HELD_STATUSES, STATUS_EMOJI } from '../../../posts/post-status.ts';
import { renderExcerpt as renderPostExcerpt } from '../../../posts/post-text.ts';
import { renderMoment } from '../../../posts/post-time.ts';
import { clip, escapeFormatting, escapeText, sanitizeLine, section } from '../../../slack/blocks.ts';
import { zoneName } from '../../../when/zones.ts';
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
  return clipAtWord(renderPostExcerpt(post), MAX_EXCERPT_LENGTH);
}

/** Cuts a text to `limit` characters after a whole word. Cuts inside the first word if that alone is longer. */
export function clipAtWord(text: string, limit: number): string {
  const clipped = clip(text, limit);
  if (clipped === text) return text;
  const isCutInWord = text.charAt(clipped.length - 1) !== ' ';
  const wholeWords = isCutInWord ? clipped.replace(/(\S)\s+\S*…$/, '$1…') : clipped;
  return wholeWords.replace(/[.,;:…]+…$/, '…');
}

/** Renders the day and the time in the digest's zone: "Fri 20 Nov, 14:00". */
export function renderDayAndTime(at: Date, { zone }: Pick<RenderOptions, 'zone'>): string {
  return `${renderDay(getLocalDate(at, zone))}, ${renderTime(at, zone)}`;
}

/** Renders "Today", "Tomorrow, Sat 21 Nov" or "Sun 22 Nov". */
export function renderDayHeading(date: LocalDate, { date: today }: RenderOptions): string {
  if (date === today) return 'Today';
  return date === addDays(today, 1) ? `Tomorrow, ${renderDay(date)}` : renderDay(date);
}

/** Whether a post's time is rendered with its day: "14:00", or "Fri 20 Nov, 14:00". */
type TimeFormat = 'time' | 'day and time';

function renderPostTime({ scheduledAt }: PlannedPost, options: RenderOptions, format: TimeFormat): string {
  return format === 'time' ? renderTime(scheduledAt, options.zone) : renderDayAndTime(scheduledAt, options);
}

/** Renders a post in one block, like the rows of lists: its time, status and platforms, and an excerpt below. */
export function renderPostRow(
  planned: PlannedPost,
  options: RenderOptions,
  { heading = '', format, notes }: { heading?: string; format: TimeFormat; notes: readonly string[] },
): SectionBlock {
  const { project } = planned;
  const { zone, now } = options;
  const { post, scheduledAt: at, facts = { status: post.status, readAt: now } } = planned;
  const columns = [
    ...notes.map(escapeText),
    describePost({ at, ...facts, zone }, { viewers: { zone }, now }).status,
    escapeText(renderPlatforms(planned)),
    ...(options.hasSeveralProjects ? [escapeText(renderProjectName(project))] : []),
  ];
  const time = `*${heading}${escapeText(renderPostTime(planned, options, format))}*`;
  const excerpt = escapeFormatting(renderExcerpt(planned));
  return section(`${[time, ...columns].join(' · ')}\n${excerpt}`.trim());
}

/** The statuses that a line of a thread shows. The others are scheduled posts. */
const LINE_STATUSES = ['PUBLISHED', ...HELD_STATUSES] as const;

/** Renders a post as plain text: "Fri 20 Nov, 14:00 · X and LinkedIn · Harbour Coffee · Our winter blend…" */
export function renderPostLine(planned: PlannedPost, options: RenderOptions, format: TimeFormat): string {
  const time = renderPostTime(planned, options, format);
  const status = LINE_STATUSES.find((candidate) => candidate === getStatus(planned));
  const columns = [
    status ? `${STATUS_EMOJI[status]} ${time}` : time,
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

/** Renders the zone of all times in a digest: "Times in Berlin". Plain text. */
export function renderZone({ zone }: Pick<RenderOptions, 'zone'>): string {
  return `Times in ${zoneName(zone)}`;
}

/** Renders a moment with its zone, for a text that doesn't state the zone otherwise: "Fri 20 Nov, 14:00 (Berlin)". */
export function renderFullMoment(at: Date, { zone, now }: Pick<RenderOptions, 'zone' | 'now'>): string {
  return renderMoment(at, zone, now);
}

/** Renders a count: "One post", "3 posts". */
export function formatCount(count: number, singular: string, plural: string): string {
  return count === 1 ? singular : `${count.toLocaleString('en-GB')} ${plural}`;
}
