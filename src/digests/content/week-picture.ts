import { clip } from '../../slack/blocks.ts';
import type { Picture } from '../composer.ts';
import { createRasterizer, type Rasterizer } from './picture/rasterizer.ts';
import { buildWeek, type Week, type WeekDay, type WeekPost } from './picture/week.ts';
import { renderWeekSvg } from './picture/week-svg.ts';
import { clipAtWord } from './text/lines.ts';

/** A week's picture that isn't drawn yet. */
export interface WeekPicture {
  /** Weeks with equal pictures and descriptions have the same key. */
  key: string;
  /** Describes the picture for people who can't see it. */
  alt: string;
  hasPosts: boolean;
  draw(): Promise<Picture>;
}

/** Draws all pictures of the process, so that only a few are drawn concurrently. */
const SHARED_RASTERIZER = createRasterizer();

/** Plans the picture of the week that starts at `date`. */
export function planWeekPicture(
  ...[plan, findings, options, rasterizer = SHARED_RASTERIZER]: [
    ...Parameters<typeof buildWeek>,
    rasterizer?: Rasterizer,
  ]
): WeekPicture {
  const week = buildWeek(plan, findings, options);
  const alt = describeWeek(week);
  return {
    key: JSON.stringify(week),
    alt,
    hasPosts: week.days.some(({ posts }) => posts.length > 0),
    draw: async () => ({
      png: await rasterizer.rasterize(renderWeekSvg(week)),
      alt,
      name: `week-${options.date}.png`,
    }),
  };
}

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
