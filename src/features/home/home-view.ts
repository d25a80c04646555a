import type { Button, HomeView, KnownBlock, StaticSelect } from '@slack/types';
import { buildReviewValue, REVIEW_ACTIONS } from '../../held-posts/text/held-post-buttons.ts';
import { renderPostRow } from '../../posts/post-card.ts';
import { STATUS_EMOJI } from '../../posts/post-status.ts';
import { renderExcerpt } from '../../posts/post-text.ts';
import { renderPostTime } from '../../posts/post-time.ts';
import { explainNoProject, type StoppedProject } from '../../posts/project.ts';
import {
  actions,
  addAccessibilityLabel,
  button,
  clipLine,
  context,
  divider,
  escapeText,
  header,
  option,
  plain,
  plainSection,
  section,
} from '../../slack/blocks.ts';
import {
  type Catalogue,
  type CommandDescription,
  findCommand,
  listNamedCommands,
} from '../../slack/catalogue.ts';
import { LIMITS } from '../../slack/limits.ts';
import { renderReadFailure } from '../../slack/service-failure.ts';
import { renderStop } from '../../submissions/text/stop-text.ts';
import { formatMomentDay } from '../../when/format-moment.ts';
import { zoneName } from '../../when/zones.ts';
import { capitalize, clip, renderCount } from '../../words.ts';
import type { HomeContent } from './load-home.ts';
import type { HomePosts, ProjectPost } from './load-home-posts.ts';

/** Action id of the menu of commands. The value of an option is the slash command to run. */
export const MANAGE_ACTION = 'home.manage';

/** Maximum number of stopped projects on Home. */
const MAX_STOPPED_PROJECTS = 3;

/** The commands that have a button of their own, in this order. All others are in the menu. */
export const BUTTON_COMMANDS = ['week', 'posts', 'plan', 'outbox', 'help'] as const;

/** Renders what needs the viewer first, then the posts of the coming days across projects, and the commands. */
export function renderHome(content: HomeContent, catalogue: Catalogue): HomeView {
  return {
    type: 'home',
    blocks: [
      ...renderWaitingReviews(content),
      ...renderPending(content, catalogue),
      ...renderStoppedProjects(content.stopped, findCommand(catalogue, 'resume') !== undefined),
      header('Upcoming'),
      renderOverview(content, catalogue),
      ...renderPosts(content),
      divider(),
      section('*Commands*'),
      ...renderCommands(catalogue, content),
      context(renderConnection(content), renderLoadTime(content)),
    ].slice(0, LIMITS.viewBlocks),
  };
}

/** Renders [New post] above the posts, so that nobody has to scroll past a long week for the button. */
function renderOverview({ zone }: HomeContent, catalogue: Catalogue): KnownBlock {
  const line = section(`Next seven days, times in ${zoneName(zone)}`);
  const schedule = button('New post', RUN_COMMAND_ACTION, '/upnext schedule', 'primary');
  return findCommand(catalogue, 'schedule') ? { ...line, accessory: schedule } : line;
}

/** Renders the week by day, later posts, and drafts. Returns at most 85 blocks. */
function renderPosts({ posts, ...viewerTime }: HomeContent): KnownBlock[] {
  if ('failure' in posts) {
    const reason = renderReadFailure(posts.failure, 'projects');
    const retry = actions(button('Try again', REFRESH_ACTION));
    return [section(`*I couldn’t load the posts.*\n${reason}`), retry];
  }
  return [
    ...renderWeek(posts, viewerTime),
    ...renderLater(posts, viewerTime),
    ...renderDrafts(posts),
    ...renderNotes(posts),
  ];
}

function renderStoppedProjects(stopped: readonly StoppedProject[], mayResume: boolean): KnownBlock[] {
  const hiddenCount = stopped.length - MAX_STOPPED_PROJECTS;
  return [
    ...stopped.slice(0, MAX_STOPPED_PROJECTS).map(({ project, stop }) => {
      const name = escapeText(clipLine(project.name));
      const line = section(
        `:octagonal_sign: *${name} is stopped.* Nothing new goes out.\n${renderStop(stop)}`,
      );
      const resume = button('Resume…', RUN_COMMAND_ACTION, `/upnext resume ${project.id}`);
      return mayResume ? { ...line, accessory: resume } : line;
    }),
    ...(hiddenCount > 0 ? [context(`…and ${hiddenCount} more stopped: \`/upnext status\`.`)] : []),
  ];
}

function renderPending({ pending }: HomeContent, catalogue: Catalogue): KnownBlock[] {
  const { count, shown } = pending;
  if (count === undefined) return [];
  const notice = section(`*${count} in your outbox.*`);
  const openOutbox = button('Open outbox', RUN_COMMAND_ACTION, '/upnext outbox');
  return [
    findCommand(catalogue, 'outbox') ? { ...notice, accessory: openOutbox } : notice,
    ...shown.map(({ label, title }) => context(plain(`${label} · ${title}`))),
    divider(),
  ];
}

/** Renders a button for each command that people use every day, and a menu of the other commands. */
function renderCommands(catalogue: Catalogue, { hasPages }: HomeContent): KnownBlock[] {
  const dailyCommands = BUTTON_COMMANDS.flatMap((name) =>
    name === 'plan' && !hasPages ? [] : (findCommand(catalogue, name) ?? []),
  );
  // Slack requires unique action ids within a block, so each id has a number.
  const buttons: Button[] = dailyCommands.map((command, index) =>
    button(getLabel(command), `${RUN_COMMAND_ACTION}.${index}`, `/upnext ${command.name}`),
  );
  const otherCommands = listNamedCommands(catalogue)
    .filter((command) => command.button !== false && command.name !== 'schedule')
    .filter(({ name }) => !BUTTON_COMMANDS.some((daily) => daily === name));
  const menu: StaticSelect = {
    type: 'static_select',
    action_id: MANAGE_ACTION,
    placeholder: plain('Manage…', LIMITS.placeholder),
    options: otherCommands
      .slice(0, LIMITS.options)
      .map((command) => option(getLabel(command), `/upnext ${command.name}`)),
  };
  return [
    actions(...buttons, button('Refresh', REFRESH_ACTION), ...(otherCommands.length > 0 ? [menu] : [])),
  ];
}

function getLabel({ name, button: label }: CommandDescription): string {
  if (name === 'posts') return 'All posts';
  return label || capitalize(name);
}

function renderConnection({ posts }: HomeContent): string {
  return !('failure' in posts) && posts.incompleteProjects.length === 0
    ? '✓ Connected to the scheduling service'
    : '✗ I couldn’t read everything in the scheduling service. See `/upnext status`.';
}

function renderLoadTime({ posts, now, zone, locale }: HomeContent): string {
  const instant = 'readAt' in posts ? posts.readAt : now;
  const { day, clock } = renderPostTime({ instant, zone: undefined }, { zone, locale }, now);
  return `As of ${day}, ${clock}`;
}

/** Renders the posts that wait for the viewer's review, before everything else. */
function renderWaitingReviews({
  reviews,
  ...viewerTime
}: Pick<HomeContent, 'reviews' | 'now' | 'zone' | 'locale'>): KnownBlock[] {
  const { count, hasMore, shown } = reviews;
  if (count === 0 && !hasMore) return [];
  const rows = shown.map(({ post, held, project, author }) =>
    renderPostRow({
      ...{ post, facts: held.facts },
      project: project.name,
      author: { id: author },
      viewers: viewerTime,
      now: viewerTime.now,
      accessory: addAccessibilityLabel(
        button(
          'Review',
          REVIEW_ACTIONS.open,
          buildReviewValue({ ...held, content_hash: held.hash }),
          'primary',
        ),
        `Review: ${renderExcerpt(post)}`,
      ),
    }),
  );
  const hiddenCount = count - shown.length;
  return [
    header('Waiting for your review'),
    ...rows,
    ...(hiddenCount > 0 || hasMore
      ? [
          {
            ...section(
              hiddenCount > 0
                ? `…and ${hasMore ? 'at least ' : ''}${hiddenCount} more.`
                : count === 0
                  ? 'I couldn’t find out yet which posts wait for you.'
                  : 'There may be more.',
            ),
            // A post whose time for the review has passed needs a decision.
            accessory: button('Show all', RUN_COMMAND_ACTION, '/upnext posts in review or undecided'),
          },
        ]
      : []),
    divider(),
  ];
}

/** Action id of a button whose value is a slash command. Buttons in a row add a number: Slack needs unique ids. */
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
const MAX_EXCERPT_LENGTH = 80;

type ViewerTime = Pick<HomeContent, 'now' | 'zone' | 'locale'>;

/** Renders the week under a heading for each day. All projects share one calendar in the viewer's zone. */
function renderWeek(posts: HomePosts, viewerTime: ViewerTime): KnownBlock[] {
  const { week, later, projects, projectCount, hasMoreProjects, hasMoreThisWeek, incompleteProjects } = posts;
  const readable = posts.unreadableCount > 0 ? ' in the projects that I could read' : '';
  if (projectCount === 0 && hasMoreProjects)
    return [section('*I found none of your projects.* There are more projects than I could read.')];
  if (projectCount === 0) return [section(explainNoProject(posts))];
  if (week.length === 0 && incompleteProjects.length > 0)
    return [section('*I couldn’t load all posts.*'), actions(button('Try again', REFRESH_ACTION))];
  const scope = projectCount > projects.length ? ` in the first ${projects.length} projects` : readable;
  if (week.length === 0 && hasMoreThisWeek)
    return [context('I couldn’t read all posts of the next seven days. See them with `/upnext posts`.')];
  if (week.length === 0 && later.length === 0)
    return [
      section(
        `*Nothing is scheduled${scope}.*${scope === '' ? ' Schedule the first one with `/schedule-post`.' : ''}`,
      ),
    ];
  if (week.length === 0) return [context(`Nothing goes out in the next seven days${scope}.`)];
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

function renderDay({ post }: ProjectPost, { now, zone, locale }: ViewerTime): string {
  return post.scheduleDate
    ? formatMomentDay({ instant: post.scheduleDate, zone }, { now, locale })
    : 'No date';
}

function renderRow(entry: ProjectPost, { now, zone, locale }: ViewerTime, day?: string): KnownBlock {
  const { post } = entry;
  const value = encodePost(entry);
  return renderPostRow({
    post,
    now,
    viewers: { zone, locale },
    project: clipLine(entry.project.name),
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
    .map(
      (entry) => `• ${clipLine(entry.project.name)}: ${clip(renderExcerpt(entry.post), MAX_EXCERPT_LENGTH)}`,
    );
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
  const names = incompleteProjects.slice(0, MAX_INCOMPLETE_PROJECTS).map((project) => clipLine(project.name));
  const skippedText = `…and ${hasMoreProjects ? 'at least ' : ''}${renderCount(skippedProjectCount, 'more project')}: \`/upnext projects\`.`;
  const incompleteText = `I couldn’t read everything of: ${names.join(', ')}.`;
  return [
    ...(skippedProjectCount > 0 ? [context(skippedText)] : []),
    ...(names.length > 0 ? [context(plain(incompleteText, LIMITS.sectionText))] : []),
  ];
}
