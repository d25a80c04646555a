import type { Project } from '../../../api/projects.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { renderMoment, toExcerpt } from '../../../posts/render-post.ts';
import { clip, sanitizeLine } from '../../../slack/escape.ts';
import { dateIn, dayText, timeText } from '../days.ts';
import { type PlannedPost, statusOf } from '../plan.ts';

/** How lines are rendered. All lines are plain text. */
export interface RenderOptions {
  zone: string;
  now: Date;
  /** Several projects, so that each line names its own. */
  isMixed: boolean;
}

const MAX_NAME_LENGTH = 60;
const MAX_EXCERPT_LENGTH = 80;
/** Characters of a post's text that are parsed: texts may be long, and a digest has hundreds of them. */
const MAX_PARSED_LENGTH = 400;
const MAX_NAMES = 3;

export function projectName({ name }: Project): string {
  return clip(sanitizeLine(name), MAX_NAME_LENGTH);
}

/** "Harbour Coffee", "A, B and C", "A, B and 4 more". */
export function projectNames(projects: readonly Project[]): string {
  const shown = projects.length > MAX_NAMES ? MAX_NAMES - 1 : MAX_NAMES;
  const names = projects.slice(0, shown).map(projectName);
  const rest = projects.length - names.length;
  const last = rest > 0 ? `${rest} more` : names.pop();
  return names.length === 0 ? (last ?? '') : `${names.join(', ')} and ${last}`;
}

export function postExcerpt({ post }: PlannedPost): string {
  const words = clip(
    toExcerpt(sanitizeLine(clip(post.content ?? '', MAX_PARSED_LENGTH))),
    MAX_EXCERPT_LENGTH,
  );
  return words === '' ? 'No text' : words;
}

/** "Fri 14:00": the day and the time in the digest's zone. */
export function shortMoment(at: Date, { zone }: Pick<RenderOptions, 'zone'>): string {
  return `${dayText(dateIn(at, zone))}, ${timeText(at, zone)}`;
}

/** "Fri 20 Nov, 14:00 · X and LinkedIn · Harbour Coffee · Our winter blend…" */
export function postLine(
  planned: PlannedPost,
  options: RenderOptions,
  as: { withDay: boolean } = { withDay: true },
): string {
  const when = as.withDay ? shortMoment(planned.at, options) : timeText(planned.at, options.zone);
  const parts = [
    statusOf(planned) === 'PUBLISHED' ? `✓ ${when}` : when,
    renderPlatformNames(
      planned.post.platforms.map((platform) => clip(sanitizeLine(platform), MAX_NAME_LENGTH)),
    ) || 'no platform yet',
    ...(options.isMixed ? [projectName(planned.project)] : []),
    postExcerpt(planned),
  ];
  return parts.join(' · ');
}

/** "Fri 20 Nov, 14:00 (Berlin)". */
export function fullMoment(at: Date, { zone, now }: Pick<RenderOptions, 'zone' | 'now'>): string {
  return renderMoment(at, zone, now);
}

/** "One post", "3 posts". */
export function formatCount(count: number, one: string, many: string): string {
  return count === 1 ? one : `${count.toLocaleString('en-GB')} ${many}`;
}
