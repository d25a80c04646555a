import { clip } from '../../../slack/clip.ts';
import type { Week, WeekDay } from './week.ts';

/** Slack's limit for `alt_text` of an image block. https://docs.slack.dev/reference/block-kit/blocks/image-block */
const ALT_TEXT = 2000;
/** Of a full week fewer posts of each day are named, so that no day is missing. */
const NAMED_A_DAY = [8, 5, 3, 1, 0];

/** The week for who does not see the picture: plain text. */
export function weekWords(week: Week): string {
  const head = `Calendar of ${week.projects}, ${week.from} to ${week.to}, times in ${week.zone}.`;
  const tellings = NAMED_A_DAY.map((most) =>
    [head, ...week.days.map((day) => dayWords(day, { isMixed: week.isMixed, most }))].join(' '),
  );
  return clip(tellings.find((words) => words.length <= ALT_TEXT) ?? tellings.at(-1) ?? head, ALT_TEXT);
}

function dayWords(
  { title, change, posts, count }: WeekDay,
  { isMixed, most }: { isMixed: boolean; most: number },
): string {
  const clocks = change === undefined ? '' : ` (clocks change ${change})`;
  if (count === 0) return `${title}${clocks}: nothing.`;
  const named = posts.slice(0, most).map(({ time, offset, platforms, project, state }) => {
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
