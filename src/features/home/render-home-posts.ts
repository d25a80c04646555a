import type { KnownBlock } from '@slack/types';
import { renderPostRow } from '../../posts/post-card.ts';
import { STATUS_EMOJI } from '../../posts/post-status.ts';
import { renderCount, renderExcerpt } from '../../posts/post-text.ts';
import { renderMoment } from '../../posts/post-time.ts';
import {
  actions,
  addAccessibilityLabel,
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
import type { HomeContent } from './load-home.ts';
import type { HomePosts, ProjectPost } from './load-home-posts.ts';

/**
 * Action id of a button whose value is the slash command to run. Buttons in a row add a number, because Slack requires
 * unique ids.
 */
export const RUN_COMMAND_ACTION = 'home.run';
/** Action id of [Refresh] and [Try again]. */
export const REFRESH_ACTION = 'home.refresh';
/** Action id of [Open] on a row. The button's value says which post. */
export const OPEN_POST_ACTION = 'home.open';

/** Maximum posts of the week. Each takes one block, and the first of a day also a heading. A view holds 100 blocks. */
const MAX_WEEK_POSTS = 25;
const MAX_LATER_POSTS = 3;
const MAX_DRAFTS = 5;
const MAX_INCOMPLETE_PROJECTS = 5;
const MAX_NAME_LENGTH = 60;
const MAX_EXCERPT_LENGTH = 80;

type ViewerTime = Pick<HomeContent, 'now' | 'zone' | 'locale'>;

/** Renders the week by day, later posts, and drafts. Returns at most 85 blocks. */
export function renderHomePosts(posts: HomePosts, viewerTime: ViewerTime): KnownBlock[] {
  return [
    ...renderWeek(posts, viewerTime),
    ...renderLater(posts, viewerTime),
    ...renderDrafts(posts),
    ...renderNotes(posts),
  ];
}

function renderProjectName({ project }: ProjectPost): string {
  return clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
}

/** Renders the week under a heading for each day. All projects share one calendar in the viewer's zone. */
function renderWeek(posts: HomePosts, viewerTime: ViewerTime): KnownBlock[] {
  const { week, later, projectCount, hasMoreProjects, hasMoreThisWeek, incompleteProjects } = posts;
  if (projectCount === 0 && hasMoreProjects)
    return [section('*I found none of your projects.* There are more projects than I can read.')];
  if (projectCount === 0)
    return [section('*There’s no project yet.* Create one in the scheduling service first.')];
  if (week.length === 0 && incompleteProjects.length > 0)
    return [section('*I couldn’t load all posts.*'), actions(button('Try again', REFRESH_ACTION))];
  if (week.length === 0 && later.length === 0)
    return [section('*Nothing is scheduled.* Press *New post* for the first one.')];
  if (week.length === 0) return [context('Nothing goes out in the next seven days.')];
  const shownPosts = week.slice(0, MAX_WEEK_POSTS);
  const isCut = hasMoreThisWeek || shownPosts.length < week.length;
  return [
    ...shownPosts.flatMap((entry, index) => {
      const day = renderDay(entry, viewerTime);
      const previousEntry = shownPosts[index - 1];
      const isNewDay = !previousEntry || renderDay(previousEntry, viewerTime) !== day;
      return [...(isNewDay ? [section(`*${escapeText(day)}*`)] : []), renderRow(entry, viewerTime, day)];
    }),
    ...(isCut ? [context('There’s more than I can show here. See all with `/upnext posts`.')] : []),
  ];
}

function renderDay({ post }: ProjectPost, { now, zone }: ViewerTime): string {
  return post.scheduleDate ? (renderMoment(post.scheduleDate, zone, now).split(', ')[0] ?? '') : 'No date';
}

function renderRow(entry: ProjectPost, { now, zone, locale }: ViewerTime, day?: string): KnownBlock {
  const { post } = entry;
  const value = encodePost(entry);
  return renderPostRow({
    post,
    now,
    viewers: { zone, locale },
    project: renderProjectName(entry),
    heading: { day, status: 'SCHEDULED' },
    facts: entry.held?.facts,
    accessory:
      value === undefined
        ? undefined
        : addAccessibilityLabel(button('Open', OPEN_POST_ACTION, value), `Open: ${renderExcerpt(post)}`),
  });
}

/** Encodes which post a button is about. Undefined if the post can't be found again, or the value is too long. */
function encodePost({ project, post: { id, scheduleDate }, held }: ProjectPost): string | undefined {
  if (held) return new URLSearchParams({ held: held.id }).toString();
  if (id === undefined || !scheduleDate) return undefined;
  const fields = { project: project.id, post: id, time: scheduleDate.toISOString() };
  const value = new URLSearchParams(fields).toString();
  return value.length <= LIMITS.buttonValue ? value : undefined;
}

/** Decodes the value of [Open]. The handler checks whether the viewer may see the post. `held`: '' for other posts. */
export function decodePost(value = ''): { project: string; post: string; time: string; held: string } {
  const fields = new URLSearchParams(value);
  const read = (name: string) => fields.get(name) ?? '';
  return { project: read('project'), post: read('post'), time: read('time'), held: read('held') };
}

/** Renders the next posts of projects without posts in the week. */
function renderLater({ later }: HomePosts, viewerTime: ViewerTime): KnownBlock[] {
  if (later.length === 0) return [];
  return [
    section('*Later*'),
    ...later.slice(0, MAX_LATER_POSTS).map((entry) => renderRow(entry, viewerTime)),
  ];
}

function renderDrafts({ drafts, hasMoreDrafts }: HomePosts): KnownBlock[] {
  if (drafts.length === 0) return [];
  const lines = drafts
    .slice(0, MAX_DRAFTS)
    .map((entry) => `• ${renderProjectName(entry)}: ${clip(renderExcerpt(entry.post), MAX_EXCERPT_LENGTH)}`);
  const countText = `${hasMoreDrafts ? 'At least ' : ''}${renderCount(drafts.length, 'draft')}`;
  return [
    {
      ...section(`*${STATUS_EMOJI.DRAFT} ${countText}*`),
      accessory: button('All drafts', RUN_COMMAND_ACTION, '/upnext posts drafts'),
    },
    plainSection(lines.join('\n')),
  ];
}

function renderNotes(posts: HomePosts): KnownBlock[] {
  const { projectCount, projects, hasMoreProjects, incompleteProjects } = posts;
  const skippedProjectCount = projectCount - projects.length;
  const names = incompleteProjects
    .slice(0, MAX_INCOMPLETE_PROJECTS)
    .map((project) => clip(sanitizeLine(project.name), MAX_NAME_LENGTH));
  return [
    ...(skippedProjectCount > 0
      ? [
          context(
            `…and ${hasMoreProjects ? 'at least ' : ''}${renderCount(skippedProjectCount, 'more project')}: \`/upnext projects\`.`,
          ),
        ]
      : []),
    ...(names.length > 0
      ? [context(plain(`I couldn’t read everything of: ${names.join(', ')}.`, LIMITS.sectionText))]
      : []),
  ];
}
