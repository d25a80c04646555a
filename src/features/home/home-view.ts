import type { Button, HomeView, KnownBlock, StaticSelect } from '@slack/types';
import { REVIEW_ACTIONS } from '../../held-posts/text/held-post-buttons.ts';
import { renderPostRow } from '../../posts/post-card.ts';
import { renderCount, renderExcerpt } from '../../posts/post-text.ts';
import { renderPostTime } from '../../posts/post-time.ts';
import {
  actions,
  addAccessibilityLabel,
  button,
  clip,
  context,
  divider,
  escapeText,
  header,
  option,
  plain,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import { type Catalogue, type CommandDescription, listNamedCommands } from '../../slack/catalogue.ts';
import { LIMITS } from '../../slack/limits.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import { renderStop } from '../../submissions/text/stop-text.ts';
import { zoneName } from '../../when/zones.ts';
import type { HomeContent, StoppedProject } from './load-home.ts';
import { REFRESH_ACTION, RUN_COMMAND_ACTION, renderHomePosts } from './render-home-posts.ts';

/** Action id of the menu of commands. The value of an option is the slash command to run. */
export const MANAGE_ACTION = 'home.manage';

/** Maximum number of stopped projects on Home. */
const MAX_STOPPED_PROJECTS = 3;
const MAX_NAME_LENGTH = 60;

/** The commands that have a button of their own, in this order. All others are in the menu. */
export const BUTTON_COMMANDS = ['week', 'posts', 'outbox', 'help'] as const;

/** Renders the view that a person sees on first opening Home, until Home has loaded. */
export function renderLoadingHome(): HomeView {
  return { type: 'home', blocks: [section('*Upnext*\nLoading…')] };
}

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
      ...renderCommands(catalogue),
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

function renderPosts({ posts, ...viewerTime }: HomeContent): KnownBlock[] {
  if (posts === 'unreadable')
    return renderFailure('The scheduling service answered, but I can’t read its projects.');
  return 'failure' in posts
    ? renderFailure(renderServiceFailure(posts.failure))
    : renderHomePosts(posts, viewerTime);
}

function renderFailure(reason: string): KnownBlock[] {
  return [section(`*I couldn’t load the posts.*\n${reason}`), actions(button('Try again', REFRESH_ACTION))];
}

/** Renders the stopped projects. `mayResume`: whether the viewer may resume a project. */
function renderStoppedProjects(stopped: readonly StoppedProject[], mayResume: boolean): KnownBlock[] {
  const hiddenCount = stopped.length - MAX_STOPPED_PROJECTS;
  return [
    ...stopped.slice(0, MAX_STOPPED_PROJECTS).map(({ project, stop }) => {
      const name = escapeText(clip(sanitizeLine(project.name), MAX_NAME_LENGTH));
      const line = section(`:octagonal_sign: *${name} is stopped.* Nothing goes out.\n${renderStop(stop)}`);
      const resume = button('Resume…', RUN_COMMAND_ACTION, `/upnext resume ${project.id}`);
      return mayResume ? { ...line, accessory: resume } : line;
    }),
    ...(hiddenCount > 0 ? [context(`…and ${hiddenCount} more stopped: \`/upnext status\`.`)] : []),
  ];
}

function renderPending({ pending }: HomeContent, catalogue: Catalogue): KnownBlock[] {
  const { count, hasMore, shown } = pending;
  if (count === 0) return [];
  const verbs = count === 1 ? ['hasn’t', 'needs'] : ['haven’t', 'need'];
  const countText = hasMore ? `More than ${renderCount(count, 'item')}` : renderCount(count, 'item');
  const notice = section(
    `*${countText} in your outbox ${verbs[0]} reached the service yet, or ${verbs[1]} you.*`,
  );
  const openOutbox = button('Open outbox', RUN_COMMAND_ACTION, '/upnext outbox');
  return [
    findCommand(catalogue, 'outbox') ? { ...notice, accessory: openOutbox } : notice,
    ...shown.map(({ label, title }) => context(plain(`${label} · ${title}`))),
    divider(),
  ];
}

/** Renders a button for each command that people use every day, and a menu of the other commands. */
function renderCommands(catalogue: Catalogue): KnownBlock[] {
  const dailyCommands = BUTTON_COMMANDS.flatMap((name) => findCommand(catalogue, name) ?? []);
  // Slack requires unique action ids within a block, so each id has a number.
  const buttons: Button[] = dailyCommands.map((command, index) =>
    button(getLabel(command), `${RUN_COMMAND_ACTION}.${index}`, `/upnext ${command.name}`),
  );
  const otherCommands = listNamedCommands(catalogue)
    .filter((command) => command.button !== false && command.name !== 'schedule')
    .filter((command) => !dailyCommands.includes(command));
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

function findCommand(catalogue: Catalogue, name: string): CommandDescription | undefined {
  return catalogue.flatMap(({ commands }) => commands).find((command) => command.name === name);
}

function getLabel({ name, button: label }: CommandDescription): string {
  if (name === 'posts') return 'All posts';
  return label || `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function renderConnection({ posts }: HomeContent): string {
  const isConnected =
    typeof posts === 'object' && !('failure' in posts) && posts.incompleteProjects.length === 0;
  return isConnected
    ? '✓ Connected to the scheduling service'
    : '✗ I couldn’t read everything in the scheduling service. See `/upnext status`.';
}

function renderLoadTime({ posts, now, zone, locale }: HomeContent): string {
  const instant = typeof posts === 'object' && 'readAt' in posts ? posts.readAt : now;
  const { day, clock } = renderPostTime({ instant, zone: undefined }, { zone, locale }, now);
  return `As of ${day}, ${clock}`;
}

/** Renders the posts that wait for the viewer's review, before everything else. */
function renderWaitingReviews({
  reviews,
  ...viewerTime
}: Pick<HomeContent, 'reviews' | 'now' | 'zone' | 'locale'>): KnownBlock[] {
  const { count, shown } = reviews;
  if (count === 0) return [];
  const rows = shown.map(({ value, post, facts, project, author }) =>
    renderPostRow({
      ...{ post, facts },
      project,
      author: { id: author },
      viewers: viewerTime,
      now: viewerTime.now,
      accessory: addAccessibilityLabel(
        button('Review', REVIEW_ACTIONS.open, value, 'primary'),
        `Review: ${renderExcerpt(post)}`,
      ),
    }),
  );
  const hiddenCount = count - shown.length;
  return [
    header('Waiting for your review'),
    ...rows,
    ...(hiddenCount > 0
      ? [
          {
            ...section(`…and ${hiddenCount} more.`),
            accessory: button('Show all', RUN_COMMAND_ACTION, '/upnext posts in review'),
          },
        ]
      : []),
    divider(),
  ];
}
