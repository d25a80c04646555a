import type { HomeView, KnownBlock } from '@slack/types';
import { actions, button, context, section } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { EMULATOR_NOTICE } from '../../slack/emulator-notice.ts';
import { LIMITS } from '../../slack/limits.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import type { HomeContent } from './load-home.ts';
import { RUN_COMMAND, renderHomePosts } from './render-home-posts.ts';

export const REFRESH = 'home.refresh';
const SCHEDULE_LINE = '/upnext schedule';

/** Renders the view that a person sees on first opening Home, until Home has loaded. */
export function renderLoadingHome(): HomeView {
  return { type: 'home', blocks: [section('*Upnext*\nLoading…')] };
}

/** Renders upcoming posts across projects, and a button for each command. */
export function renderHome(content: HomeContent, catalogue: Catalogue): HomeView {
  return {
    type: 'home',
    blocks: [
      renderTitle(catalogue),
      ...renderWaitingNotice(content, catalogue),
      ...renderPosts(content),
      section('*Commands*'),
      ...renderActionRows(catalogue),
      context(
        renderConnection(content),
        renderLoadTime(content),
        ...(content.isEmulated ? [EMULATOR_NOTICE] : []),
      ),
    ].slice(0, LIMITS.viewBlocks),
  };
}

/** Renders the title with [Schedule a post], so that nobody has to scroll past a long week for the button. */
function renderTitle(catalogue: Catalogue): KnownBlock {
  const title = section('*Up next*');
  const hasSchedule = catalogue.some(({ commands }) => commands.some(({ name }) => name === 'schedule'));
  return hasSchedule
    ? { ...title, accessory: button('Schedule a post', RUN_COMMAND, SCHEDULE_LINE, 'primary') }
    : title;
}

function renderPosts({ posts, ...readerTime }: HomeContent): KnownBlock[] {
  if (posts === 'unreadable')
    return renderFailure('The scheduling service answered, but I can’t read its projects.');
  return 'trouble' in posts
    ? renderFailure(renderServiceFailure(posts.trouble))
    : renderHomePosts(posts, readerTime);
}

function renderFailure(reason: string): KnownBlock[] {
  return [section(`*I couldn’t look up what’s next.*\n${reason}`), actions(button('Try again', REFRESH))];
}

function renderWaitingNotice({ waitingCount }: HomeContent, catalogue: Catalogue): KnownBlock[] {
  if (waitingCount === 0) return [];
  const subject = waitingCount === 1 ? 'One of your posts' : `${waitingCount} of your posts`;
  const notice = section(`*${subject} hasn’t reached the service yet, or needs you.*`);
  const hasOutbox = catalogue.some(({ commands }) => commands.some(({ name }) => name === 'outbox'));
  return [
    hasOutbox ? { ...notice, accessory: button('Open outbox', RUN_COMMAND, '/upnext outbox') } : notice,
  ];
}

/** Renders a button for each command. Slack requires unique action ids within a block, so each id has a number. */
function renderActionRows(catalogue: Catalogue): KnownBlock[] {
  const commands = catalogue
    .flatMap((feature) => feature.commands)
    .filter((command) => command.button !== false && `/upnext ${command.name}` !== SCHEDULE_LINE);
  const buttons = commands.map(({ name, button: label }, index) => {
    const text = label || `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return button(text, `${RUN_COMMAND}.${index % LIMITS.actionsElements}`, `/upnext ${name}`);
  });
  const allButtons = [...buttons, button('Refresh', REFRESH)];
  const rowCount = Math.ceil(allButtons.length / LIMITS.actionsElements);
  return Array.from({ length: rowCount }, (_, row) =>
    actions(...allButtons.slice(row * LIMITS.actionsElements, (row + 1) * LIMITS.actionsElements)),
  );
}

function renderConnection({ posts }: HomeContent): string {
  const isConnected = typeof posts === 'object' && !('trouble' in posts);
  return isConnected
    ? '✓ Connected to the scheduling service'
    : '✗ The scheduling service doesn’t answer properly. See `/upnext status`.';
}

/** Renders the time at which Home was loaded. Mrkdwn; Slack shows the time in the reader's zone. */
function renderLoadTime({ now }: HomeContent): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `As of <!date^${seconds}^{date_short}, {time}|${now.toISOString().slice(0, 16).replace('T', ' ')} UTC>`;
}
