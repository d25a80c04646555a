import type { HomeView, KnownBlock } from '@slack/types';
import { actions, button, context, section } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { EMULATOR_NOTICE } from '../../slack/emulator-notice.ts';
import { LIMITS } from '../../slack/limits.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import type { HomeFacts } from './load-home.ts';
import { planBlocks, RUN } from './plan-blocks.ts';

export const REFRESH = 'home.refresh';
const SCHEDULE = '/upnext schedule';

/** The view for somebody who opens Home for the first time, while it loads. */
export function loadingHome(): HomeView {
  return { type: 'home', blocks: [section('*Upnext*\nLoading what is next…')] };
}

/** Upcoming posts across projects, and a button for each command. */
export function homeView(facts: HomeFacts, catalogue: Catalogue): HomeView {
  return {
    type: 'home',
    blocks: [
      titleBlock(catalogue),
      ...waitingBlocks(facts, catalogue),
      ...contentBlocks(facts),
      section('*What you can do*'),
      ...actionRows(catalogue),
      context(connectionText(facts), asOfText(facts), ...(facts.practice ? [EMULATOR_NOTICE] : [])),
    ].slice(0, LIMITS.viewBlocks),
  };
}

/** The most frequent action is at the top, so that nobody has to scroll past a long week. */
function titleBlock(catalogue: Catalogue): KnownBlock {
  const title = section('*Up next*');
  const isThere = catalogue.some(({ commands }) => commands.some(({ name }) => name === 'schedule'));
  return isThere ? { ...title, accessory: button('Schedule a post', RUN, SCHEDULE, 'primary') } : title;
}

function contentBlocks({ plans, ...readerTime }: HomeFacts): KnownBlock[] {
  if (plans === 'unreadable')
    return failureBlocks('The scheduling service answered, but I cannot read its projects.');
  return 'trouble' in plans
    ? failureBlocks(renderServiceFailure(plans.trouble))
    : planBlocks(plans, readerTime);
}

function failureBlocks(words: string): KnownBlock[] {
  return [section(`*I could not look up what is next.*\n${words}`), actions(button('Try again', REFRESH))];
}

function waitingBlocks({ waitingCount }: HomeFacts, catalogue: Catalogue): KnownBlock[] {
  if (waitingCount === 0) return [];
  const words = waitingCount === 1 ? 'One thing that you sent' : `${waitingCount} things that you sent`;
  const text = section(`*${words} did not reach the service yet, or need you.*`);
  const isThere = catalogue.some(({ commands }) => commands.some(({ name }) => name === 'outbox'));
  return [isThere ? { ...text, accessory: button('Look at them', RUN, '/upnext outbox') } : text];
}

/** Action ids must be unique within a block, so each button adds its number. */
function actionRows(catalogue: Catalogue): KnownBlock[] {
  const commands = catalogue
    .flatMap((feature) => feature.commands)
    .filter((command) => command.button !== false && `/upnext ${command.name}` !== SCHEDULE);
  const buttons = commands.map(({ name, button: label }, index) => {
    const text = label || `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return button(text, `${RUN}.${index % LIMITS.actionsElements}`, `/upnext ${name}`);
  });
  const all = [...buttons, button('Refresh', REFRESH)];
  const rows = Math.ceil(all.length / LIMITS.actionsElements);
  return Array.from({ length: rows }, (_, row) =>
    actions(...all.slice(row * LIMITS.actionsElements, (row + 1) * LIMITS.actionsElements)),
  );
}

function connectionText({ plans }: HomeFacts): string {
  const isConnected = typeof plans === 'object' && !('trouble' in plans);
  return isConnected
    ? '✓ Connected to the scheduling service'
    : '✗ No proper answer from the scheduling service: `/upnext status` says more';
}

/** mrkdwn. Slack shows the time in the reader's zone. */
function asOfText({ now }: HomeFacts): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `As of <!date^${seconds}^{date_short}, {time}|${now.toISOString().slice(0, 16).replace('T', ' ')} UTC>`;
}
