import { clip } from '../../../slack/blocks.ts';
import { clipAtWord } from '../text/lines.ts';
import type { Week, WeekDay, WeekPost } from './week.ts';

/** Slack's limit for `alt_text` of an image block. https://docs.slack.dev/reference/block-kit/blocks/image-block */
const MAX_ALT_TEXT_LENGTH = 2000;
/** Candidates for the maximum length of an excerpt. Long names of platforms and projects leave less for excerpts. */
const EXCERPT_LENGTHS = [40, 20, 0];

/** Describes a week's picture for people who can't see it. Plain text. */
export function describeWeek(week: Week): string {
  const candidates = EXCERPT_LENGTHS.map((maxLength) =>
    [
      `Calendar of ${week.projects}, ${week.range}. ${week.zoneText}.`,
      ...week.days.map((day) => describeDay(day, { hasSeveralProjects: week.hasSeveralProjects, maxLength })),
    ].join(' '),
  );
  const description =
    candidates.find((text) => text.length <= MAX_ALT_TEXT_LENGTH) ?? candidates.at(-1) ?? '';
  return clip(description, MAX_ALT_TEXT_LENGTH);
}

interface Detail {
  hasSeveralProjects: boolean;
  /** Maximum length of an excerpt. 0 leaves out all excerpts. */
  maxLength: number;
}

function describeDay({ title, clockChange, posts, hiddenCount, isPartial }: WeekDay, detail: Detail): string {
  const clockText = clockChange === undefined ? '' : ` (clocks ${clockChange})`;
  const emptyText = isPartial ? 'no more posts' : 'no posts';
  const postsText = posts.map((post) => describePost(post, detail)).join('; ') || emptyText;
  const hiddenText = hiddenCount > 0 ? `; ${hiddenCount.toLocaleString('en-GB')} more` : '';
  return `${title}${clockText}: ${postsText}${hiddenText}.`;
}

function describePost(
  { time, offset, platforms, project, state, excerpt }: WeekPost,
  { hasSeveralProjects, maxLength }: Detail,
): string {
  const parts = [
    time,
    offset ?? '',
    platforms.join(', '),
    hasSeveralProjects ? `for ${project}` : '',
    maxLength > 0 ? `“${clipAtWord(excerpt, maxLength)}”` : '',
    state === 'scheduled' ? '' : `(${state})`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
