import { clip } from '../../../slack/escape.ts';
import type { Week, WeekDay } from './week.ts';

/** Slack's limit for `alt_text` of an image block. https://docs.slack.dev/reference/block-kit/blocks/image-block */
const MAX_ALT_TEXT_LENGTH = 2000;
/** Candidates for the number of posts named per day: a full week names fewer of each day, so that no day is missing. */
const POSTS_NAMED_PER_DAY = [8, 5, 3, 1, 0];

/** Describes a week for people who can't see the picture. Plain text. */
export function describeWeek(week: Week): string {
  const head = `Calendar of ${week.projects}, ${week.from} to ${week.to}, times in ${week.zone}.`;
  const candidates = POSTS_NAMED_PER_DAY.map((max) =>
    [head, ...week.days.map((day) => dayText(day, { isMixed: week.isMixed, max }))].join(' '),
  );
  return clip(
    candidates.find((words) => words.length <= MAX_ALT_TEXT_LENGTH) ?? candidates.at(-1) ?? head,
    MAX_ALT_TEXT_LENGTH,
  );
}

function dayText(
  { title, change, posts, count }: WeekDay,
  { isMixed, max }: { isMixed: boolean; max: number },
): string {
  const clocks = change === undefined ? '' : ` (clocks change ${change})`;
  if (count === 0) return `${title}${clocks}: nothing.`;
  const named = posts.slice(0, max).map(({ time, offset, platforms, project, state }) => {
    const words = [time, offset, platforms.join(' and '), isMixed ? `for ${project}` : undefined]
      .filter((part) => part !== undefined && part !== '')
      .join(' ');
    return state === 'scheduled' ? words : `${words} (${state === 'late' ? 'not out yet' : state})`;
  });
  const rest = count - named.length;
  if (named.length === 0)
    return `${title}${clocks}: ${count === 1 ? '1 post' : `${count.toLocaleString('en-GB')} posts`}.`;
  return `${title}${clocks}: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
