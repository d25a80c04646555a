import type { KnownBlock } from '@slack/types';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { toExcerpt } from '../../posts/post-text.ts';
import { renderMoment } from '../../posts/post-time.ts';
import {
  button,
  clip,
  context,
  escapeText,
  plain,
  plainSection,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { zoneName } from '../../when/when.ts';
import type { HomeContent, HomePosts, ProjectPost } from './load-home.ts';

/**
 * Action id of a button whose value is the slash command to run. Buttons in a row add a number, because Slack requires
 * unique ids.
 */
export const RUN_COMMAND = 'home.run';

const MAX_UPCOMING = 3;
const MAX_POSTS_PER_DAY = 8;
const MAX_DRAFTS = 5;
const MAX_INCOMPLETE_PROJECTS = 5;
const MAX_NAME_LENGTH = 60;
const MAX_EXCERPT_LENGTH = 80;
/** Number of characters that an excerpt is made from. The rest of a long text is ignored. */
const EXCERPT_SOURCE_LENGTH = 400;

type ReaderTime = Pick<HomeContent, 'now' | 'zone'>;

/** Renders the upcoming posts, the week by day, and the drafts. Returns at most 40 blocks. */
export function renderHomePosts(posts: HomePosts, readerTime: ReaderTime): KnownBlock[] {
  return [
    ...renderUpcoming(posts, readerTime),
    ...renderWeek(posts, readerTime),
    ...renderDrafts(posts),
    ...renderNotes(posts),
  ];
}

function renderProjectName({ project }: ProjectPost): string {
  return clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
}

function renderUpcoming(
  { upcoming, projectCount, hasMoreProjects }: HomePosts,
  { now }: ReaderTime,
): KnownBlock[] {
  if (projectCount === 0 && hasMoreProjects)
    return [section('*I found no project of yours.* There are more projects than I can read.')];
  if (projectCount === 0)
    return [section('*There’s no project yet.* Create one in the scheduling service first.')];
  if (upcoming.length === 0)
    return [section('*Nothing is scheduled.* Press *Schedule a post* for the first one.')];
  return upcoming.slice(0, MAX_UPCOMING).flatMap((entry) => {
    const { post } = entry;
    const when = post.scheduleDate ? renderMoment(post.scheduleDate, post.timezone, now) : 'No date';
    const platforms = renderPlatformNames(post.platforms);
    return [
      section(`*${escapeText(when)}*\n${escapeText(renderProjectName(entry))}`),
      plainSection(renderExcerpt(entry)),
      context(plain(platforms === '' ? 'No platform' : platforms)),
    ];
  });
}

/** Renders the week by day. All projects share one calendar in the reader's zone. */
function renderWeek(
  { week, hasMoreThisWeek, projectCount }: HomePosts,
  { now, zone }: ReaderTime,
): KnownBlock[] {
  if (projectCount === 0) return [];
  const title = section(`*The next seven days*, times in ${escapeText(zoneName(zone))}`);
  const linesByDay = new Map<string, string[]>();
  for (const entry of week) {
    const { scheduleDate } = entry.post;
    if (!scheduleDate) continue;
    const [day = '', time = ''] = renderMoment(scheduleDate, zone, now).split(', ');
    const line = `${time.split(' ')[0]}  ${renderProjectName(entry)}: ${renderExcerpt(entry)}`;
    linesByDay.set(day, [...(linesByDay.get(day) ?? []), line]);
  }
  if (linesByDay.size === 0) return [title, context('Nothing goes out this week.')];
  return [
    title,
    ...[...linesByDay].flatMap(([day, lines]) => {
      const hiddenCount = lines.length - MAX_POSTS_PER_DAY;
      const shownLines = [
        ...lines.slice(0, MAX_POSTS_PER_DAY),
        ...(hiddenCount > 0 ? [`…and ${hiddenCount} more`] : []),
      ];
      return [section(`*${escapeText(day)}*`), plainSection(shownLines.join('\n'))];
    }),
    ...(hasMoreThisWeek ? [context('There’s more than I can show here. See all with `/upnext posts`.')] : []),
  ];
}

function renderDrafts({ drafts, hasMoreDrafts }: HomePosts): KnownBlock[] {
  if (drafts.length === 0) return [];
  const lines = drafts
    .slice(0, MAX_DRAFTS)
    .map((entry) => `• ${renderProjectName(entry)}: ${renderExcerpt(entry)}`);
  const countText = `${hasMoreDrafts ? 'More than ' : ''}${drafts.length === 1 ? 'One draft' : `${drafts.length} drafts`}`;
  return [
    { ...section(`*${countText}*`), accessory: button('All drafts', RUN_COMMAND, '/upnext posts drafts') },
    plainSection(lines.join('\n')),
  ];
}

function renderNotes({ skippedProjectCount, hasMoreProjects, incompleteProjects }: HomePosts): KnownBlock[] {
  const names = incompleteProjects
    .slice(0, MAX_INCOMPLETE_PROJECTS)
    .map((project) => clip(sanitizeLine(project.name), MAX_NAME_LENGTH));
  return [
    ...(skippedProjectCount > 0
      ? [
          context(
            `…and ${hasMoreProjects ? 'at least ' : ''}${skippedProjectCount} more projects: \`/upnext projects\`.`,
          ),
        ]
      : []),
    ...(names.length > 0
      ? [context(plain(`I couldn’t read everything of: ${names.join(', ')}.`, LIMITS.sectionText))]
      : []),
  ];
}

function renderExcerpt({ post }: ProjectPost): string {
  const text = toExcerpt(sanitizeLine(clip(post.content ?? '', EXCERPT_SOURCE_LENGTH)));
  if (text !== '') return clip(text, MAX_EXCERPT_LENGTH);
  return post.templateId === undefined ? 'No text' : 'Text from a template';
}
