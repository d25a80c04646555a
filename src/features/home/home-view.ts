import type { HomeView, KnownBlock } from '@slack/types';
import { actions, button, context, section } from '../../slack/blocks.ts';
import type { Catalogue } from '../../slack/catalogue.ts';
import { LIMITS } from '../../slack/limits.ts';
import { PRACTICE_NOTICE } from '../../slack/practice.ts';
import { serviceFailureText } from '../../slack/service-trouble.ts';
import type { HomeFacts } from './load-home.ts';
import { planBlocks, RUN } from './plan-blocks.ts';

export const REFRESH = 'home.refresh';
const SCHEDULE = '/upnext schedule';

/** Shown at once to who opens Home for the first time. */
export function loadingHome(): HomeView {
  return { type: 'home', blocks: [section('*Upnext*\nLoading what is next…')] };
}

/** What is next across projects, and a button for all that can be done. */
export function homeView(facts: HomeFacts, catalogue: Catalogue): HomeView {
  return {
    type: 'home',
    blocks: [
      titleBlock(catalogue),
      ...waitingBlocks(facts, catalogue),
      ...contentBlocks(facts),
      section('*What you can do*'),
      ...actionRows(catalogue),
      context(connectionWords(facts), asOf(facts), ...(facts.practice ? [PRACTICE_NOTICE] : [])),
    ].slice(0, LIMITS.viewBlocks),
  };
}

/** What is done most stands on top, above a long week. */
function titleBlock(catalogue: Catalogue): KnownBlock {
  const title = section('*Up next*');
  const isThere = catalogue.some(({ commands }) => commands.some(({ name }) => name === 'schedule'));
  return isThere ? { ...title, accessory: button('Schedule a post', RUN, SCHEDULE, 'primary') } : title;
}

function contentBlocks({ plans, ...seen }: HomeFacts): KnownBlock[] {
  if (plans === 'unreadable')
    return failed('The scheduling service answered, but I cannot read its projects.');
  return 'trouble' in plans ? failed(serviceFailureText(plans.trouble)) : planBlocks(plans, seen);
}

function failed(words: string): KnownBlock[] {
  return [section(`*I could not look up what is next.*\n${words}`), actions(button('Try again', REFRESH))];
}

function waitingBlocks({ waiting }: HomeFacts, catalogue: Catalogue): KnownBlock[] {
  if (waiting === 0) return [];
  const words = waiting === 1 ? 'One thing that you sent' : `${waiting} things that you sent`;
  const text = section(`*${words} did not reach the service yet, or need you.*`);
  const isThere = catalogue.some(({ commands }) => commands.some(({ name }) => name === 'outbox'));
  return [isThere ? { ...text, accessory: button('Look at them', RUN, '/upnext outbox') } : text];
}

/** An action_id is there once in a row. */
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

function connectionWords({ plans }: HomeFacts): string {
  const isWell = typeof plans === 'object' && !('trouble' in plans);
  return isWell
    ? '✓ Connected to the scheduling service'
    : '✗ No proper answer from the scheduling service: `/upnext status` says more';
}

/** In the reader's own zone. */
function asOf({ now }: HomeFacts): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `As of <!date^${seconds}^{date_short}, {time}|${now.toISOString().slice(0, 16).replace('T', ' ')} UTC>`;
}
