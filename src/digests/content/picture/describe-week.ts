import { clip } from '../../../slack/blocks.ts';
import type { Week, WeekDay } from './week.ts';

/** Slack's limit for `alt_text` of an image block. https://docs.slack.dev/reference/block-kit/blocks/image-block */
const MAX_ALT_TEXT_LENGTH = 2000;
/** Candidates for the number of posts named per day. A full week names fewer posts, so that no day is missing. */
const NAMED_POSTS_PER_DAY = [8, 5, 3, 1, 0];

/** Describes a week for people who can't see the picture. Plain text. */
export function describeWeek(week: Week): string {
  const head = `Calendar of ${week.projects}, ${week.firstDay} to ${week.lastDay}, times in ${week.zone}.`;
  const candidates = NAMED_POSTS_PER_DAY.map((max) =>
    [
      head,
      ...week.days.map((day) => describeDay(day, { hasSeveralProjects: week.hasSeveralProjects, max })),
    ].join(' '),
  );
  return clip(
    candidates.find((text) => text.length <= MAX_ALT_TEXT_LENGTH) ?? candidates.at(-1) ?? head,
    MAX_ALT_TEXT_LENGTH,
  );
}

function describeDay(
  { title, clockChange, posts, count }: WeekDay,
  { hasSeveralProjects, max }: { hasSeveralProjects: boolean; max: number },
): string {
  const clockText = clockChange === undefined ? '' : ` (clocks change ${clockChange})`;
  if (count === 0) return `${title}${clockText}: nothing.`;
  const postTexts = posts.slice(0, max).map(({ time, offset, platforms, project, state }) => {
    const text = [time, offset, platforms.join(' and '), hasSeveralProjects ? `for ${project}` : undefined]
      .filter((part) => part !== undefined && part !== '')
      .join(' ');
    return state === 'scheduled' ? text : `${text} (${state === 'late' ? 'not out yet' : state})`;
  });
  const hiddenCount = count - postTexts.length;
  if (postTexts.length === 0)
    return `${title}${clockText}: ${count === 1 ? '1 post' : `${count.toLocaleString('en-GB')} posts`}.`;
  return `${title}${clockText}: ${postTexts.join(', ')}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ''}.`;
}
